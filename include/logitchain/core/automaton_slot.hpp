// SPDX-License-Identifier: Apache-2.0
// What a row remembers of one automaton between steps.
#pragma once

#include <cstdint>

namespace logitchain::inline v0 {

/// State of one automaton for one row. Stages that walk a table get one each, by number.
struct AutomatonSlot {
  std::uint32_t tag = 0;    ///< digest of the table that this state belongs to; 0: no table yet
  std::int32_t node = 0;    ///< node of the automaton
  std::int64_t bytes = 0;   ///< bytes of the generated text walked so far (text automata)
  std::int32_t entry = -1;  ///< the entry that the newest token completed, -1 for none
  /// Tokens of the row walked so far. Where it is not the row's total, another chain or criterion
  /// committed tokens that this automaton has not seen, and its state says nothing.
  std::uint32_t walked : 31 = 0;
  std::uint32_t passes_prompt : 1 = 0;  ///< a text automaton that a prompt does not move
  std::int64_t begin = 0;               ///< where that entry begins, in bytes of the generated text
};
static_assert(sizeof(AutomatonSlot) == 32);

}  // namespace logitchain::inline v0
