// SPDX-License-Identifier: Apache-2.0
// The state as a step sees it: pointers and strides, trivially copyable, in whichever space it
// lies.
#pragma once

#include <cstdint>

#include <logitchain/core/automaton_slot.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/state/row_record.hpp>

namespace logitchain::inline v0 {

/// Pointers into a state. Offsets are 64 bits wide wherever rows multiply columns.
struct StateView {
  RowRecord* records = nullptr;        ///< [rows]
  std::int32_t* tokens = nullptr;      ///< [rows, token_stride], the first `capacity` of each used
  SeenToken* seen = nullptr;           ///< [rows, seen_stride], null where not needed
  std::uint32_t* seen_bits = nullptr;  ///< [rows, seen_words], bit i of word w is token 32 w + i
  AutomatonSlot* slots = nullptr;      ///< [rows, slot_count], the chain's first
  std::int64_t token_stride = 0;
  std::int64_t seen_stride = 0;
  std::int64_t seen_words = 0;
  std::int64_t rows = 0;
  std::int32_t capacity = 0;
  std::int32_t vocab = 0;
  std::int32_t slot_count = 0;
  std::int32_t transform_slots = 0;  ///< slots of the chain; the criterion's begin behind them

  LOGITCHAIN_HD std::int32_t* tokens_of(std::int64_t row) const {
    return tokens + row * token_stride;
  }
  LOGITCHAIN_HD SeenToken* seen_of(std::int64_t row) const {
    return seen ? seen + row * seen_stride : nullptr;
  }
  LOGITCHAIN_HD std::uint32_t* seen_bits_of(std::int64_t row) const {
    return seen_bits ? seen_bits + row * seen_words : nullptr;
  }
  /// Slots of the row's chain.
  LOGITCHAIN_HD AutomatonSlot* transform_slots_of(std::int64_t row) const {
    return slots ? slots + row * slot_count : nullptr;
  }
  /// Slots of the row's criterion.
  LOGITCHAIN_HD AutomatonSlot* criterion_slots_of(std::int64_t row) const {
    return slots ? slots + row * slot_count + transform_slots : nullptr;
  }
  /// What stages see of a row; `slot` is the stage's own, set by the chain.
  LOGITCHAIN_HD RowView::Fields fields(std::int64_t row) const {
    const RowRecord& record = records[row];
    RowView::Fields fields;
    fields.tokens = tokens_of(row);
    fields.seen = seen_of(row);
    fields.seed = record.seed;
    fields.row = row;
    fields.prompt_length = record.prompt_length;
    fields.generated = record.generated;
    fields.budget = record.budget;
    fields.seen_size = record.seen_size;
    fields.vocab = vocab;
    return fields;
  }
};

}  // namespace logitchain::inline v0
