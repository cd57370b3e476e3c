// SPDX-License-Identifier: Apache-2.0
// The orders of the steps, each a tuple of stages.
#pragma once

#include <tuple>

#include <logitchain/logitchain.hpp>

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

/// Calls `use` with the stages that the arguments ask for.
template <class Use>
auto with_order(const Options& options, Use use) {
  switch (options.order) {
    case Order::vllm:
      return use(vllm_order(options.sampling));
    case Order::llama_cpp:
      return use(llama_cpp_order(options.sampling));
    case Order::transformers:
      break;
  }
  return use(transformers_order(options.sampling));
}

/// The chain of a tuple of stages.
template <class Stages>
auto chain_of(const Stages& stages) {
  return std::apply([](const auto&... stage) { return lc::chain(stage...); }, stages);
}

}  // namespace generate
