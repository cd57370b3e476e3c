// SPDX-License-Identifier: Apache-2.0
// How a row loses tokens: survivors move together, or keep their places where a later stage may
// revive what was removed.
#pragma once

#include <algorithm>
#include <cstdint>

#include <logitchain/chain/stage.hpp>
#include <logitchain/engine/host/detail/parts.hpp>
#include <logitchain/engine/host/detail/peaks.hpp>
#include <logitchain/engine/host/detail/reduce.hpp>
#include <logitchain/engine/host/detail/row.hpp>
#include <logitchain/engine/host/detail/select.hpp>

namespace logitchain::inline v0::detail {

/// Moves survivors together. Reading runs ahead of writing, so both may be the same memory.
class Compaction {
 public:
  explicit Compaction(HostRow& row) : row_(row) {}

  /// Appends the token at place i with a new score; -inf is not kept.
  void append(std::int64_t i, float score) { append_if(score != FILTER, i, score); }
  /// Without a branch: in a flat row nobody foretells which tokens stay.
  void append_if(bool stays, std::int64_t i, float score) {
    row_.ids[kept_] = row_.token(i);
    row_.own[kept_] = score;
    kept_ += static_cast<std::int64_t>(stays);
  }
  void finish() {
    row_.size = kept_;
    row_.compact = true;
    row_.rewritten();
  }

 private:
  HostRow& row_;
  std::int64_t kept_ = 0;
};

/// Rewrites every score with `rewrite(place, token, score)`; what comes out as -inf is removed.
template <class Rewrite>
void rewrite_row(HostRow& row, bool in_place, Rewrite rewrite) {
  settle(row);
  row.count_sweep();
  if (in_place) {
    for (std::int64_t i = 0; i < row.size; ++i) {
      const float score = row.scores[i];
      row.own[i] = score == FILTER ? FILTER : rewrite(i, row.token(i), score);
    }
    row.rewritten();
    return;
  }
  Compaction survivors(row);
  for (std::int64_t i = 0; i < row.size; ++i) {
    const float score = row.scores[i];
    survivors.append(i, score == FILTER ? FILTER : rewrite(i, row.token(i), score));
  }
  survivors.finish();
}

/// The same for a rewrite that removes every score below one that it removes: blocks whose peak
/// falls are not looked at.
template <class Rewrite>
void rewrite_top(HostRow& row, bool in_place, Rewrite rewrite) {
  if (in_place || row.compact || !row.has_peaks || row.has_stale) {
    rewrite_row(row, in_place, rewrite);
    return;
  }
  Compaction survivors(row);
  const std::int64_t blocks = blocks_of(row.size);
  for (std::int64_t block = 0; block < blocks; ++block) {
    const float peak = row.peaks.tops[block];
    if (peak == FILTER || rewrite(0, 0, peak) == FILTER) continue;
    own_block(row, block);
    const std::int64_t end = std::min<std::int64_t>(row.size, (block + 1) * BLOCK);
    for (std::int64_t i = block * BLOCK; i < end; ++i) {
      const float score = row.scores[i];
      survivors.append(i, score == FILTER ? FILTER : rewrite(i, row.token(i), score));
    }
    row.counts->scores_read += BLOCK;
  }
  survivors.finish();
}

/// Keeps the prefix that ends at `threshold` in the order of the keys.
inline void keep_prefix(HostRow& row, const KeyedRow& keyed, Threshold threshold, bool in_place) {
  const float* const keys = keyed.keys;
  const auto stays = [&](std::int64_t i) {
    const float key = keys[i];
    const bool tied = key == threshold.key;
    const bool kept = (key > threshold.key) | (tied & (threshold.ties > 0));
    threshold.ties -= static_cast<std::int64_t>(tied);
    return kept;
  };
  if (in_place || row.compact || threshold.key == FILTER) {
    rewrite_row(row, in_place, [&](std::int64_t i, std::int32_t, float score) {
      return stays(i) ? score : FILTER;
    });
    return;
  }
  Compaction survivors(row);
  const auto look = [&](std::int64_t i) {
    const float score = row.scores[i];
    survivors.append_if(stays(i) & (score != FILTER), i, score);
  };
  if (keyed.collected > 0 && keyed.bound <= threshold.key) {
    std::int32_t* const places = keyed.scratch.places;
    std::int32_t* const end =
        std::partition(places, places + keyed.collected,
                       [&](std::int32_t place) { return keys[place] >= threshold.key; });
    std::sort(places, end);
    for (const std::int32_t* place = places; place != end; ++place) look(*place);
  } else {
    visit_blocks_above(row, keyed.peaks, threshold.key, look);
  }
  survivors.finish();
}

/// Leaves the best token, the lowest of those that tie, with score 0.
inline void collapse_to_best(HostRow& row, bool in_place) {
  find_best(row);
  const std::int32_t best = row.numbers.best;
  if (in_place) {
    std::fill_n(row.own, row.size, FILTER);
    row.own[row.find(best)] = 0.0f;
    row.rewritten();
    row.count_sweep();
  } else {
    Compaction survivors(row);
    survivors.append(row.find(best), 0.0f);
    survivors.finish();
  }
  row.forget();
}

/// Survivors of a selection, best first: what a stage that walks them sees.
struct RankedScores {
  const HostRow& row;
  const std::int32_t* places;
  float score(std::int64_t i) const { return row.scores[places[i]]; }
};

/// Lets a walking selection shorten the prefix that `threshold` ends.
template <class Bound>
Threshold walk_prefix(KeyedRow& keyed, Threshold threshold, const Bound& bound) {
  const float* const keys = keyed.keys;
  std::int32_t* const places = keyed.scratch.places;
  const std::int64_t reached = keyed.collect(threshold.key);
  // The candidates, not the vocabulary, are put in order.
  std::sort(places, places + reached, [&](std::int32_t a, std::int32_t b) {
    return keys[a] != keys[b] ? keys[a] > keys[b] : a < b;
  });
  // Ties past those that stay are the last places.
  std::int64_t above = reached;
  while (above > 0 && keys[places[above - 1]] == threshold.key) --above;
  std::int64_t count = above + std::min(reached - above, threshold.ties);
  while (count > 0 && keyed.row.scores[places[count - 1]] == FILTER) --count;
  const std::int64_t length =
      walked_length(bound.length(RankedScores{keyed.row, places}, count), count);
  if (length == 0) return {};
  Threshold shorter{keys[places[length - 1]], 0};
  for (std::int64_t i = length - 1; i >= 0 && keys[places[i]] == shorter.key; --i) ++shorter.ties;
  return shorter;
}

}  // namespace logitchain::inline v0::detail
