// SPDX-License-Identifier: Apache-2.0
// What calls of both engines check alike before they begin: all that sizes and shapes can tell.
#pragma once

#include <cstdint>
#include <string_view>

#include <logitchain/core/error.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0::detail {

/// Refuses a composition that reads what the state does not hold, or that does not fit its rows.
/// @param with_lists also looks at every id of lists and tables: at admission, not at each step
template <class Composed>
void check_fit(std::string_view where, std::string_view what, const Composed& composed,
               const StepState& state, bool with_lists) {
  if (!state.needs().covers(Composed::NEEDS)) {
    refuse_call(where, ": the ", what,
                " needs more than the state holds; make the state with "
                "needs(chain, stop) of every chain that will use it, united with |");
  }
  composed.refuse_for(state.space(), state.rows(), state.shape().vocab, with_lists);
}

inline void check_width(std::string_view where, std::string_view argument, std::int64_t width,
                        const StepState& state) {
  if (width < state.shape().vocab) {
    refuse(where, text_of("the width of ", argument), width,
           text_of("at least the state's vocab, ", state.shape().vocab));
  }
}

inline void check_room(std::string_view where, std::string_view buffer, std::int64_t size,
                       std::int64_t count) {
  if (size < count) {
    refuse(where, text_of("the size of ", buffer), size,
           text_of("at least ", count, ", the number of items"));
  }
}

/// The number of items of a call.
/// @param rows rows of logits, scores or tokens that the call brings
template <class Items>
std::int64_t count_items(std::string_view where, const StepState& state, const Items& items,
                         std::int64_t rows) {
  const bool maps_logits = items.logits_row.given();
  const bool maps_state = items.state_row.given();
  if (maps_logits && maps_state && items.logits_row.size() != items.state_row.size()) {
    refuse(where, "the size of items.state_row", items.state_row.size(),
           text_of(items.logits_row.size(), ", that of items.logits_row"));
  }
  const std::int64_t count = maps_logits  ? items.logits_row.size()
                             : maps_state ? items.state_row.size()
                                          : rows;
  if (!maps_state && count > state.rows()) {
    refuse(where, "the number of items", count,
           text_of("at most ", state.rows(), ", the state's rows, without items.state_row"));
  }
  return count;
}

/// How the tokens of a commit lie: `[rows, each]`.
struct TokenRows {
  std::int64_t rows;
  std::int64_t each;
};

/// @param size how many tokens there are
template <class CommitOptions>
TokenRows token_rows(std::string_view where, std::int64_t size, const CommitOptions& options) {
  if (options.each < 0) refuse(where, "each", options.each, ">= 0");
  const bool counted = options.counts.given();
  std::int64_t each = options.each > 0 ? options.each : 1;
  if (options.each == 0 && counted && options.counts.size() > 0) {
    each = size / options.counts.size();
  }
  const std::int64_t rows = counted ? options.counts.size() : size / each;
  if (each < 1 ? size != 0 : size / each != rows || size % each != 0) {
    refuse(where, "the number of tokens", size,
           text_of("rows of ", each, " tokens, ", rows, " of them"));
  }
  return {rows, each};
}

}  // namespace logitchain::inline v0::detail
