// SPDX-License-Identifier: Apache-2.0
// What a stage sees of one row of the state.
#pragma once

#include <cstdint>

#include <logitchain/core/automaton_slot.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>

namespace logitchain::inline v0 {

/// A token that a row holds, and how often.
struct SeenToken {
  std::int32_t token = -1;
  std::uint32_t counts = 0;         ///< times generated, with IN_PROMPT set where the prompt has it
  std::int32_t last_position = -1;  ///< its last place in the history

  static constexpr std::uint32_t IN_PROMPT = 0x80000000u;

  /// Times generated; stops at 2^31 - 1.
  LOGITCHAIN_HD constexpr std::int32_t generated() const {
    return static_cast<std::int32_t>(counts & ~IN_PROMPT);
  }
  LOGITCHAIN_HD constexpr bool in_prompt() const { return (counts & IN_PROMPT) != 0; }
};

/// One row: its own history without padding, its lengths, its seed. Plain reads; the memory is the
/// state's and lies where the step runs.
class RowView {
 public:
  /// The fields as the state fills them in.
  struct Fields {
    const std::int32_t* tokens = nullptr;
    const SeenToken* seen = nullptr;
    const AutomatonSlot* slot = nullptr;
    std::uint64_t seed = 0;
    std::int64_t row = 0;
    std::int32_t prompt_length = 0;
    std::int32_t generated = 0;
    std::int32_t budget = 0;
    std::int32_t seen_size = 0;
    std::int32_t vocab = 0;
  };

  constexpr RowView() = default;
  LOGITCHAIN_HD constexpr explicit RowView(const Fields& fields) : fields_(fields) {}

  /// Tokens of prompt and generated together.
  LOGITCHAIN_HD constexpr std::int32_t total() const {
    return fields_.prompt_length + fields_.generated;
  }
  /// Token `i` of the history, `i` in [0, total()). Ids at or above vocab() can occur in a prompt.
  LOGITCHAIN_HD constexpr std::int32_t history(std::int64_t i) const { return fields_.tokens[i]; }
  LOGITCHAIN_HD constexpr std::int32_t prompt_length() const { return fields_.prompt_length; }
  /// Tokens generated so far.
  LOGITCHAIN_HD constexpr std::int32_t generated() const { return fields_.generated; }
  /// The position that the next draw is numbered by: the count of tokens generated.
  LOGITCHAIN_HD constexpr std::int64_t position() const { return fields_.generated; }
  LOGITCHAIN_HD constexpr std::uint64_t seed() const { return fields_.seed; }
  /// Slots of the row: prompt plus budget.
  LOGITCHAIN_HD constexpr std::int64_t width() const {
    return static_cast<std::int64_t>(fields_.prompt_length) + fields_.budget;
  }
  /// Tokens that the row may generate in all.
  LOGITCHAIN_HD constexpr std::int32_t budget() const { return fields_.budget; }
  /// Tokens of the vocabulary: ids in [0, vocab()) can be drawn.
  LOGITCHAIN_HD constexpr std::int32_t vocab() const { return fields_.vocab; }
  /// Number of the row in the state: the index of per-row parameters.
  LOGITCHAIN_HD constexpr std::int64_t row() const { return fields_.row; }

 protected:
  Fields fields_{};
};

/// A row view with the components that a stage declared; what was not declared does not compile.
template <Components Declared>
class RowWith : public RowView {
 public:
  constexpr RowWith() = default;
  LOGITCHAIN_HD constexpr explicit RowWith(const Fields& fields) : RowView(fields) {}

  /// Distinct tokens of the history that lie inside the vocabulary.
  LOGITCHAIN_HD constexpr std::int32_t seen_size() const
    requires(has(Declared, Components::seen))
  {
    return fields_.seen_size;
  }
  /// One of them, `i` in [0, seen_size()), in the order in which they first appeared.
  LOGITCHAIN_HD constexpr SeenToken seen(std::int64_t i) const
    requires(has(Declared, Components::seen))
  {
    return fields_.seen[i];
  }
  /// The stage's own automaton state.
  LOGITCHAIN_HD constexpr const AutomatonSlot& slot() const
    requires(has(Declared, Components::slot))
  {
    return *fields_.slot;
  }
};

using SeenRow = RowWith<Components::seen>;
using SlotRow = RowWith<Components::slot>;

}  // namespace logitchain::inline v0
