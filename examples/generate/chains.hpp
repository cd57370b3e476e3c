// SPDX-License-Identifier: Apache-2.0
// The orders of the steps, each a tuple of stages: what a chain is made of and what a recording
// names.
#pragma once

#include <tuple>

#include <logitchain/logitchain.hpp>
#include <nlohmann/json.hpp>

#include "options.hpp"

namespace generate {

namespace lc = logitchain;

/// Stages in the order of Transformers' `generate`.
inline auto transformers_order(const Sampling& with) {
  return std::tuple(lc::RepetitionPenalty{with.repetition_penalty},
                    lc::Temperature{with.temperature}, lc::TopK{with.top_k}, lc::TopP{with.top_p},
                    lc::MinP{with.min_p}, lc::Typical{with.typical});
}

/// Stages in the order of vLLM.
inline auto vllm_order(const Sampling& with) {
  return std::tuple(lc::RepetitionPenalty{with.repetition_penalty},
                    lc::FrequencyPenalty{with.frequency_penalty},
                    lc::PresencePenalty{with.presence_penalty}, lc::Temperature{with.temperature},
                    lc::MinP{with.min_p}, lc::TopK{with.top_k}, lc::TopP{with.top_p});
}

/// Stages in the order of llama.cpp.
inline auto llama_cpp_order(const Sampling& with) {
  return std::tuple(
      lc::RepetitionPenalty{with.repetition_penalty}, lc::FrequencyPenalty{with.frequency_penalty},
      lc::PresencePenalty{with.presence_penalty}, lc::TopK{with.top_k}, lc::Typical{with.typical},
      lc::TopP{with.top_p}, lc::MinP{with.min_p}, lc::Temperature{with.temperature});
}

/// A stage as recordings name it.
struct NamedStage {
  const char* name;
  const char* parameter;
  nlohmann::ordered_json value;
};

inline NamedStage named(const lc::Temperature& stage) {
  return {"Temperature", "temperature", stage.value.value};
}
inline NamedStage named(const lc::TopK& stage) { return {"TopK", "top_k", stage.k.value}; }
inline NamedStage named(const lc::TopP& stage) { return {"TopP", "top_p", stage.p.value}; }
inline NamedStage named(const lc::MinP& stage) { return {"MinP", "min_p", stage.p.value}; }
inline NamedStage named(const lc::Typical& stage) { return {"Typical", "mass", stage.mass.value}; }
inline NamedStage named(const lc::RepetitionPenalty& stage) {
  return {"RepetitionPenalty", "penalty", stage.penalty.value};
}
inline NamedStage named(const lc::FrequencyPenalty& stage) {
  return {"FrequencyPenalty", "penalty", stage.penalty.value};
}
inline NamedStage named(const lc::PresencePenalty& stage) {
  return {"PresencePenalty", "penalty", stage.penalty.value};
}

/// `[{"name": ..., "params": {...}}, ...]` of a tuple of stages.
template <class Stages>
nlohmann::ordered_json stages_as_json(const Stages& stages) {
  auto list = nlohmann::ordered_json::array();
  const auto add = [&](const NamedStage& stage) {
    list.push_back({{"name", stage.name}, {"params", {{stage.parameter, stage.value}}}});
  };
  std::apply([&](const auto&... stage) { (add(named(stage)), ...); }, stages);
  return list;
}

}  // namespace generate
