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
#include <logitchain/engine/host/detail/parts.hpp>
#include <logitchain/engine/host/detail/peaks.hpp>
#include <logitchain/engine/host/detail/reduce.hpp>
#include <logitchain/engine/host/detail/row.hpp>

namespace logitchain::inline v0::detail {

/// A row in the order of a selection's key: the scores, or keys of its own.
struct KeyedRow {
  HostRow& row;
  HostScratch& scratch;
  const float* keys;
  Peaks peaks;  ///< of the keys, while the row is whole
  /// The scratch's places, in any order, are all those with a key of at least `bound`: as many.
  std::int64_t collected = 0;
  float bound = std::numeric_limits<float>::infinity();

  std::uint64_t mass_of(std::int64_t i) const {
    return mass(sub(row.scores[i], row.numbers.maximum));
  }

  /// The best key; no place has a NaN.
  float best_key() const {
    const float* const among = row.compact ? keys : peaks.tops;
    const std::int64_t size = row.compact ? row.size : blocks_of(row.size);
    return *std::max_element(among, among + size);
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

/// The end of the prefix among the first `count` places of the scratch, put in order: the token
/// that takes the weight in front to `limit`. False where they are lighter than that.
/// @param weight of place i
template <class Weight>
bool end_among(const KeyedRow& keyed, std::int64_t count, std::uint64_t limit, Weight weight,
               Threshold& threshold) {
  std::int32_t* const places = keyed.scratch.places;
  std::uint64_t held = 0;
  for (std::int64_t m = 0; m < count; ++m) held += weight(places[m]);
  if (held < limit) return false;
  std::sort(places, places + count, [&](std::int32_t a, std::int32_t b) {
    return keyed.keys[a] != keyed.keys[b] ? keyed.keys[a] > keyed.keys[b] : a < b;
  });
  std::uint64_t spent = 0;
  std::int64_t m = 0;
  while (spent < limit) spent += weight(places[m++]);
  threshold = {keyed.keys[places[m - 1]], 0};
  for (; m > 0 && keyed.keys[places[m - 1]] == threshold.key; --m) ++threshold.ties;
  return true;
}

/// The end of a prefix that may be any part of the row.
/// @param weight of a place by its score: a count of 1, or a mass
template <class Weight>
Threshold threshold_by_bins(KeyedRow& keyed, std::uint64_t limit, Weight weight) {
  HostRow& row = keyed.row;
  settle(row);
  keyed.collected = 0;
  const BinMembers found =
      members_by_distance(row, keyed.scratch, keyed.keys, keyed.best_key(), limit, weight);
  if (found.count == 0) return {FILTER, row.size};  // the whole row is lighter than the limit
  const auto weight_at = [&](std::int32_t place) { return weight(row.scores[place]); };
  Threshold threshold;
  if (found.count > FEW) {
    return threshold_by_bits(keyed.scratch, keyed.keys, found.count, limit - found.before,
                             weight_at);
  }
  (void)end_among(keyed, found.count, limit - found.before, weight_at, threshold);
  return threshold;
}

/// The prefix of the `rank` best.
inline Threshold threshold_of_count(KeyedRow& keyed, std::uint64_t rank) {
  HostRow& row = keyed.row;
  if (rank >= static_cast<std::uint64_t>(row.size)) return {FILTER, row.size};
  if (rank == 0) return {};
  ++row.counts->selections;
  const std::int64_t wanted = static_cast<std::int64_t>(rank);
  const float bound =
      row.compact ? FILTER : bound_of_rank(keyed.scratch, keyed.peaks, row.size, wanted);
  if (bound == FILTER && row.size > FEW) {
    return threshold_by_bins(keyed, rank, [](float) { return std::uint64_t{1}; });
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

/// The prefix whose tokens have less than `limit` mass in front of them.
inline Threshold threshold_of_mass(KeyedRow& keyed, std::uint64_t limit) {
  HostRow& row = keyed.row;
  if (limit == 0) return {};
  ++row.counts->selections;
  const auto mass_at = [&](std::int32_t place) { return keyed.mass_of(place); };
  Threshold threshold;
  if (row.size <= FEW) {
    const std::int64_t count = keyed.collect(FILTER);
    return end_among(keyed, count, limit, mass_at, threshold) ? threshold
                                                              : Threshold{FILTER, row.size};
  }
  if (!row.compact) {
    for (std::int64_t rank = 16; rank <= FEW / 4; rank *= 8) {
      // A bound of this rank lets a few times as many tokens pass: too few for the limit, were each
      // as likely as the best.
      if (static_cast<std::int64_t>(limit >> MASS_BITS) > 4 * rank) continue;
      const float bound = bound_of_rank(keyed.scratch, keyed.peaks, row.size, rank);
      if (bound == FILTER) break;
      const std::int64_t count = keyed.collect(bound);
      if (count > 2 * FEW) break;
      if (end_among(keyed, count, limit, mass_at, threshold)) return threshold;
    }
  }
  return threshold_by_bins(keyed, limit, [maximum = row.numbers.maximum](float score) {
    return mass(sub(score, maximum));
  });
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
inline float score_of_rank(HostRow& row, HostScratch& scratch, std::int64_t rank) {
  if (rank <= 1) return row.numbers.maximum;
  if (rank > row.size) return FILTER;
  KeyedRow by_score{row, scratch, row.scores, row.peaks};
  return threshold_of_count(by_score, static_cast<std::uint64_t>(rank)).key;
}

}  // namespace logitchain::inline v0::detail
