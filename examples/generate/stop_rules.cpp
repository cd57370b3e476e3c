// SPDX-License-Identifier: Apache-2.0
#include "stop_rules.hpp"

#include "llama_model.hpp"

namespace generate {

StopRules stop_rules(const Options& options, const Model& model) {
  StopRules stop;
  if (!options.stops.empty()) {
    stop.table = lc::stop_strings(model.pieces(), options.stops);
    stop.rules.push_back({"stop string", options.stops});
  }
  stop.end_tokens = model.end_tokens();
  std::vector<std::string> names;
  for (const std::int64_t token : stop.end_tokens) {
    names.push_back(model.name_of(static_cast<std::int32_t>(token)));
  }
  stop.rules.push_back({"end of sequence", std::move(names)});
  stop.rules.push_back({"max new tokens", {}});
  return stop;
}

}  // namespace generate
