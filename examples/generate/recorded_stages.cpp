// SPDX-License-Identifier: Apache-2.0
#include "recorded_stages.hpp"

#include <tuple>

#include "chains.hpp"

namespace generate {
namespace {

// A stage as recordings name it.
struct NamedStage {
  const char* name;
  const char* parameter;
  nlohmann::ordered_json value;
};

NamedStage named(const lc::Temperature& stage) {
  return {"Temperature", "temperature", stage.value.value};
}
NamedStage named(const lc::TopK& stage) { return {"TopK", "top_k", stage.k.value}; }
NamedStage named(const lc::TopP& stage) { return {"TopP", "top_p", stage.p.value}; }
NamedStage named(const lc::MinP& stage) { return {"MinP", "min_p", stage.p.value}; }
NamedStage named(const lc::Typical& stage) { return {"Typical", "mass", stage.mass.value}; }
NamedStage named(const lc::RepetitionPenalty& stage) {
  return {"RepetitionPenalty", "penalty", stage.penalty.value};
}
NamedStage named(const lc::FrequencyPenalty& stage) {
  return {"FrequencyPenalty", "penalty", stage.penalty.value};
}
NamedStage named(const lc::PresencePenalty& stage) {
  return {"PresencePenalty", "penalty", stage.penalty.value};
}

}  // namespace

nlohmann::ordered_json recorded_stages(const Options& options) {
  auto list = nlohmann::ordered_json::array();
  const auto add = [&](const NamedStage& stage) {
    list.push_back({{"name", stage.name}, {"params", {{stage.parameter, stage.value}}}});
  };
  with_order(options, [&](const auto& stages) {
    std::apply([&](const auto&... stage) { (add(named(stage)), ...); }, stages);
  });
  return list;
}

}  // namespace generate
