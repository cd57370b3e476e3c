// SPDX-License-Identifier: Apache-2.0
// The threshold search: where a prefix of the row, in the order of a key, ends. The best places are
// looked at first, found through the peaks; where they do not hold the end, rounds of bins over the
// bits of the key do. The vocabulary is never sorted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>

#include <logitchain/core/kind.hpp>
#include <logitchain/core/mass.hpp>
#include <logitchain/engine/host/detail/bins.hpp>
#include <logitchain/engine/host/detail/peaks.hpp>
#include <logitchain/engine/host/detail/reduce.hpp>
#include <logitchain/engine/host/detail/row.hpp>

namespace logitchain::inline v0::detail {

/// A row in the order of a selection's key: the scores, or keys of its own.
struct KeyedRow {
  const HostRow& row;
  HostScratch& scratch;
  const float* keys;
  Peaks peaks;  ///< of the keys, while the row is whole
  /// The scratch's places, in any order, are all those with a key of at least `bound`: as many.
  std::int64_t collected = 0;
  float bound = std::numeric_limits<float>::infinity();

  std::uint64_t mass_of(std::int64_t i) const {
    return mass(sub(row.scores[i], row.numbers.maximum));
  }

  /// Writes the places with a key of at least `least` to the scratch.
  std::int64_t collect(float least) {
    std::int64_t count = 0;
    const auto look = [&](std::int64_t i) {
      scratch.places[count] = static_cast<std::int32_t>(i);
      count += keys[i] >= least ? 1 : 0;
    };
    if (row.compact) {
      for (std::int64_t i = 0; i < row.size; ++i) look(i);
      row.count_sweep();
    } else {
      visit_blocks_above(row, peaks, least, look);
    }
    bound = least;
    collected = count;
    return count;
  }
};

/// Candidates that are put in order rather than counted into bins.
inline constexpr std::int64_t FEW = 4096;

/// The prefix of the `rank` best.
inline Threshold threshold_of_count(KeyedRow& keyed, std::uint64_t rank) {
  const HostRow& row = keyed.row;
  if (rank >= static_cast<std::uint64_t>(row.size)) return {FILTER, row.size};
  if (rank == 0) return {};
  ++row.counts->selections;
  const std::int64_t wanted = static_cast<std::int64_t>(rank);
  const float bound =
      row.compact ? FILTER : bound_of_rank(keyed.scratch, keyed.peaks, row.size, wanted);
  if (bound == FILTER && row.size > FEW) {
    keyed.collected = 0;
    return threshold_by_bins(row, keyed.scratch, keyed.keys, rank,
                             [](std::int64_t) { return std::uint64_t{1}; });
  }
  const std::int64_t count = keyed.collect(bound);
  std::int32_t* const places = keyed.scratch.places;
  std::nth_element(places, places + (wanted - 1), places + count,
                   [&](std::int32_t a, std::int32_t b) { return keyed.keys[a] > keyed.keys[b]; });
  const float key = keyed.keys[places[wanted - 1]];
  std::int64_t above = 0;
  for (std::int64_t m = 0; m < count; ++m) above += keyed.keys[places[m]] > key ? 1 : 0;
  return {key, wanted - above};
}

/// The end of the prefix among the first `count` places of the scratch, put in order: the token
/// that takes the mass in front to `limit`. False where they are lighter than that.
inline bool end_among(const KeyedRow& keyed, std::int64_t count, std::uint64_t limit,
                      Threshold& threshold) {
  std::int32_t* const places = keyed.scratch.places;
  std::uint64_t held = 0;
  for (std::int64_t m = 0; m < count; ++m) held += keyed.mass_of(places[m]);
  if (held < limit) return false;
  std::sort(places, places + count, [&](std::int32_t a, std::int32_t b) {
    return keyed.keys[a] != keyed.keys[b] ? keyed.keys[a] > keyed.keys[b] : a < b;
  });
  std::uint64_t spent = 0;
  std::int64_t m = 0;
  while (spent < limit) spent += keyed.mass_of(places[m++]);
  threshold = {keyed.keys[places[m - 1]], 0};
  for (; m > 0 && keyed.keys[places[m - 1]] == threshold.key; --m) ++threshold.ties;
  return true;
}

/// The prefix whose tokens have less than `limit` mass in front of them.
inline Threshold threshold_of_mass(KeyedRow& keyed, std::uint64_t limit) {
  const HostRow& row = keyed.row;
  if (limit == 0) return {};
  ++row.counts->selections;
  Threshold threshold;
  if (row.size <= FEW) {
    const std::int64_t count = keyed.collect(FILTER);
    return end_among(keyed, count, limit, threshold) ? threshold : Threshold{FILTER, row.size};
  }
  if (!row.compact) {
    for (std::int64_t rank = 16; rank <= FEW / 4; rank *= 8) {
      const float bound = bound_of_rank(keyed.scratch, keyed.peaks, row.size, rank);
      if (bound == FILTER) break;
      const std::int64_t count = keyed.collect(bound);
      if (count > 2 * FEW) break;
      if (end_among(keyed, count, limit, threshold)) return threshold;
    }
  }
  keyed.collected = 0;
  return threshold_by_bins(row, keyed.scratch, keyed.keys, limit,
                           [&](std::int64_t i) { return keyed.mass_of(i); });
}

/// The prefix that a selection's spend allows.
inline Threshold threshold_of(KeyedRow& keyed, const Spend& spend) {
  constexpr std::uint64_t NO_LIMIT = std::numeric_limits<std::uint64_t>::max();
  Threshold result{FILTER, keyed.row.size};
  if (spend.count != NO_LIMIT) result = threshold_of_count(keyed, spend.count);
  if (spend.mass != NO_LIMIT) {
    const Threshold by_mass = threshold_of_mass(keyed, spend.mass);
    if (by_mass.shorter_than(result)) result = by_mass;
  }
  // Any limit above zero lets the best token stay, so one token needs a search only where none did.
  if (spend.at_least > 1 || (spend.at_least == 1 && result.ties == 0)) {
    const Threshold least = threshold_of_count(keyed, spend.at_least);
    if (result.shorter_than(least)) result = least;
  }
  if (spend.whole_ties) result.ties = keyed.row.size;
  return result;
}

/// The score of the rank-th best token, -inf past the last.
inline float score_of_rank(const HostRow& row, HostScratch& scratch, std::int64_t rank) {
  if (rank <= 1) return row.numbers.maximum;
  if (rank > row.size) return FILTER;
  KeyedRow by_score{row, scratch, row.scores, row.peaks};
  return threshold_of_count(by_score, static_cast<std::uint64_t>(rank)).key;
}

}  // namespace logitchain::inline v0::detail
