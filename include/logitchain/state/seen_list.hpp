// SPDX-License-Identifier: Apache-2.0
// The list of a row's distinct tokens: how one token is found in it, noted, and taken back.
#pragma once

#include <cstdint>

#include <logitchain/core/config.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/state/row_record.hpp>
#include <logitchain/state/state_view.hpp>

namespace logitchain::inline v0::detail {

/// What noting a token changed, so that it can be taken back.
struct SeenChange {
  std::int32_t index = -1;  ///< entry of the list; -1: nothing was noted
  bool appended = false;
  SeenToken before;  ///< the entry as it was, where it was known
};

/// The entry of a token, -1 where the list does not hold it. The bitmap answers for new tokens; a
/// known one costs a read of the list, whatever the length of the history.
LOGITCHAIN_HD inline std::int32_t find_seen(const StateView& view, std::int64_t row,
                                            std::int32_t token) {
  if (!view.seen || token < 0 || token >= view.vocab) return -1;
  const std::uint32_t word = view.seen_bits_of(row)[token >> 5];
  if (((word >> (token & 31)) & 1u) == 0) return -1;
  const SeenToken* const list = view.seen_of(row);
  const std::int32_t size = view.records[row].seen_size;
  for (std::int32_t i = 0; i < size; ++i) {
    if (list[i].token == token) return i;
  }
  return -1;
}

/// Notes one more occurrence of a token. Ids outside of the vocabulary are not noted.
/// @param known what `find_seen` answered
/// @param position the token's place in the history
LOGITCHAIN_HD inline SeenChange note_seen(const StateView& view, std::int64_t row,
                                          std::int32_t token, std::int32_t position, bool generated,
                                          std::int32_t known) {
  SeenChange change;
  if (!view.seen || token < 0 || token >= view.vocab) return change;
  RowRecord& record = view.records[row];
  SeenToken* const list = view.seen_of(row);
  change.index = known;
  if (known < 0) {
    if (record.seen_size >= view.seen_stride) return change;
    change.index = record.seen_size++;
    change.appended = true;
    list[change.index] = SeenToken{token, 0, position};
    view.seen_bits_of(row)[token >> 5] |= 1u << (token & 31);
  } else {
    change.before = list[known];
  }
  SeenToken& entry = list[change.index];
  entry.last_position = position;
  if (!generated) {
    entry.counts |= SeenToken::IN_PROMPT;
  } else if ((entry.counts & ~SeenToken::IN_PROMPT) != ~SeenToken::IN_PROMPT) {
    ++entry.counts;
  }
  return change;
}

/// Takes the newest change back.
LOGITCHAIN_HD inline void take_back_seen(const StateView& view, std::int64_t row,
                                         const SeenChange& change) {
  if (change.index < 0) return;
  SeenToken& entry = view.seen_of(row)[change.index];
  if (!change.appended) {
    entry = change.before;
    return;
  }
  view.seen_bits_of(row)[entry.token >> 5] &= ~(1u << (entry.token & 31));
  --view.records[row].seen_size;
}

/// An empty list.
LOGITCHAIN_HD inline void clear_seen(const StateView& view, std::int64_t row) {
  view.records[row].seen_size = 0;
  if (!view.seen) return;
  std::uint32_t* const bits = view.seen_bits_of(row);
  for (std::int64_t word = 0; word < view.seen_words; ++word) bits[word] = 0;
}

}  // namespace logitchain::inline v0::detail
