// SPDX-License-Identifier: Apache-2.0
// The names that users look for: tables of biased sequences and of bad words.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <logitchain/build/bias_table.hpp>

namespace logitchain::inline v0 {

/// A table of (token ids, bias) pairs for `SequenceBias`: the bias is added to the last id where
/// the row ends in the ids before it. A sequence given twice has the bias of the last. Reference:
/// `SequenceBiasLogitsProcessor` of Transformers 5.16.1.
///
/// @param vocab tokens of the vocabulary
/// @throws invalid_argument for an empty sequence, an id outside of [0, vocab), a bias that is NaN
inline BiasTable sequence_bias(
    const std::vector<std::pair<std::vector<std::int64_t>, double>>& entries, std::int64_t vocab) {
  std::vector<BiasEntry> list;
  list.reserve(entries.size());
  for (const auto& [tokens, bias] : entries) list.push_back({tokens, bias});
  return build_bias_table(list, vocab, "sequence_bias");
}

/// A table that bans the last id of each sequence where the row ends in the ids before it, for
/// `SequenceBias`. A single id that is one of `eos` is dropped: banning words cannot ban
/// termination. Reference: `NoBadWordsLogitsProcessor` of Transformers 5.16.1.
///
/// @param vocab tokens of the vocabulary
/// @throws invalid_argument for an empty sequence, an id outside of [0, vocab)
inline BiasTable bad_words(const std::vector<std::vector<std::int64_t>>& ids,
                           const std::vector<std::int64_t>& eos, std::int64_t vocab) {
  return build_bias_table(bad_word_entries(ids, eos, vocab), vocab, "bad_words");
}

}  // namespace logitchain::inline v0
