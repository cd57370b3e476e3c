// SPDX-License-Identifier: Apache-2.0
// How a row loses tokens: survivors move together, or keep their places where a later stage may
// revive what was removed.
#pragma once

#include <cstdint>

#include <logitchain/core/mass.hpp>
#include <logitchain/engine/host/row.hpp>
#include <logitchain/engine/host/select.hpp>

namespace logitchain::inline v0::detail {

/// Rewrites every score with `rewrite(place, token, score)` and drops what comes out as -inf.
template <class Rewrite>
void rewrite_row(HostRow& row, bool in_place, Rewrite rewrite) {
  if (in_place) {
    for (std::int64_t i = 0; i < row.size; ++i) {
      const float score = row.scores[i];
      row.scores[i] = score == FILTER ? FILTER : rewrite(i, row.token(i), score);
    }
    row.count_sweep();
    return;
  }
  row.count_sweep();
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < row.size; ++i) {
    const std::int32_t token = row.token(i);
    const float before = row.scores[i];
    const float score = before == FILTER ? FILTER : rewrite(i, token, before);
    row.scores[kept] = score;
    row.ids[kept] = token;
    kept += score == FILTER ? 0 : 1;
  }
  row.size = kept;
  row.compact = true;
}

/// Keeps the prefix that ends at `threshold` in the order of the scratch's keys.
inline void keep_prefix(HostRow& row, const HostScratch& scratch, Threshold threshold,
                        bool in_place) {
  rewrite_row(row, in_place, [&](std::int64_t i, std::int32_t, float score) {
    const std::uint32_t key = scratch.keys[i];
    const bool tied = key == threshold.key;
    const bool stays = key > threshold.key || (tied && threshold.ties > 0);
    threshold.ties -= tied ? 1 : 0;
    return stays ? score : FILTER;
  });
}

/// Leaves the best token, the lowest of those that tie, with score 0.
inline void collapse_to_best(HostRow& row, bool in_place) {
  find_best(row);
  const std::int32_t best = row.numbers.best;
  if (in_place) {
    for (std::int64_t i = 0; i < row.size; ++i) row.scores[i] = FILTER;
    row.scores[row.find(best)] = 0.0f;
    row.count_sweep();
  } else {
    row.scores[0] = 0.0f;
    row.ids[0] = best;
    row.size = 1;
    row.compact = true;
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
Threshold walk_prefix(const HostRow& row, HostScratch& scratch, Threshold threshold,
                      const Bound& bound) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < row.size; ++i) {
    const std::uint32_t key = scratch.keys[i];
    const bool tied = key == threshold.key;
    const bool stays = key > threshold.key || (tied && threshold.ties > 0);
    threshold.ties -= tied ? 1 : 0;
    scratch.members[count] = static_cast<std::int32_t>(i);
    count += stays ? 1 : 0;
  }
  row.count_sweep();
  // The candidates, not the vocabulary, are put in order.
  std::sort(scratch.members, scratch.members + count, [&](std::int32_t a, std::int32_t b) {
    return scratch.keys[a] != scratch.keys[b] ? scratch.keys[a] > scratch.keys[b] : a < b;
  });
  const std::int64_t length = bound.length(RankedScores{row, scratch.members}, count);
  if (length <= 0) return {};
  Threshold shorter{scratch.keys[scratch.members[length - 1]], 0};
  for (std::int64_t i = length - 1; i >= 0 && scratch.keys[scratch.members[i]] == shorter.key; --i) {
    ++shorter.ties;
  }
  return shorter;
}

}  // namespace logitchain::inline v0::detail
