// SPDX-License-Identifier: Apache-2.0
// Where rows end: the criterion's rules, what they refer to, and their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <logitchain/logitchain.hpp>

#include "options.hpp"

namespace generate {

namespace lc = logitchain;

class Model;

/// One of the criterion's rules.
struct Rule {
  std::string name;
  std::vector<std::string> entries;  ///< what its entry numbers mean, empty where it has none
};

/// What the criterion refers to; it outlives it.
struct StopRules {
  std::vector<std::int64_t> end_tokens;
  std::optional<lc::StopTable> table;
  std::vector<Rule> rules;  ///< in the criterion's order
};

/// The rules that the arguments and the model ask for.
/// @throws logitchain::error for a stop string that is too long
StopRules stop_rules(const Options& options, const Model& model);

/// Calls `use` with the criterion. Text comes before ids: a token may end a stop string and the
/// sequence at once.
/// @param ends, strings  the rules' own tokens and table, where the engine reads them; no table:
/// there are no stop strings
template <class Use>
auto with_criterion(const Options& options, const lc::TokenList& ends,
                    const lc::StopTableView* strings, Use use) {
  const lc::EndOfSequence end{ends};
  const lc::MaxNewTokens most{options.max_new_tokens};
  if (strings == nullptr) return use(lc::criterion(end, most));
  const lc::StopStrings text{.table = *strings, .match_from_prompt = false};
  return use(lc::criterion(text, end, most));
}

}  // namespace generate
