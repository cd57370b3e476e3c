// SPDX-License-Identifier: Apache-2.0
// The threshold search: where a prefix of the row, in the order of a key, ends. Three rounds of bins
// over the bits of the key; only the bin that holds the end is looked at again. Nothing is sorted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include <logitchain/core/mass.hpp>
#include <logitchain/core/order.hpp>
#include <logitchain/engine/host/reduce.hpp>
#include <logitchain/engine/host/row.hpp>

namespace logitchain::inline v0::detail {

/// The end of a prefix: what has a larger key stays, and of those with this key the first `ties` in
/// token order.
struct Threshold {
  std::uint32_t key = 0xffffffffu;
  std::int64_t ties = 0;

  /// True where this prefix is the shorter one.
  bool shorter_than(const Threshold& other) const {
    return key != other.key ? key > other.key : ties < other.ties;
  }
};

/// Finds the prefix whose tokens have less than `limit` weight in front of them.
/// @param weight of place i: a count of 1, or a mass
template <class Weight>
Threshold find_threshold(const HostRow& row, HostScratch& scratch, std::uint64_t limit,
                         Weight weight) {
  if (limit == 0) return {};
  const std::uint32_t* const keys = scratch.keys;
  std::uint64_t spent = 0;
  std::int64_t members = row.size;
  bool all = true;  // the first round looks at every place, the later ones at one bin's members
  const auto place = [&](std::int64_t m) {
    return all ? m : static_cast<std::int64_t>(scratch.members[m]);
  };
  constexpr struct {
    int shift;
    std::uint32_t mask;
  } ROUNDS[] = {{21, 0x7ff}, {10, 0x7ff}, {0, 0x3ff}};
  for (const auto& round : ROUNDS) {
    std::fill_n(scratch.bins, BINS, std::uint64_t{0});
    for (std::int64_t m = 0; m < members; ++m) {
      const std::int64_t i = place(m);
      scratch.bins[(keys[i] >> round.shift) & round.mask] += weight(i);
    }
    row.counts->scores_read += members;
    int bin = static_cast<int>(round.mask);
    while (bin >= 0 && spent + scratch.bins[bin] < limit) {
      spent += scratch.bins[bin];
      --bin;
    }
    if (bin < 0) return {0, row.size};  // the whole row is lighter than the limit
    std::int64_t kept = 0;
    for (std::int64_t m = 0; m < members; ++m) {
      const std::int64_t i = place(m);
      scratch.members[kept] = static_cast<std::int32_t>(i);
      kept += ((keys[i] >> round.shift) & round.mask) == static_cast<std::uint32_t>(bin) ? 1 : 0;
    }
    members = kept;
    all = false;
  }
  // One key is left; its tokens are walked in token order until the limit is reached.
  Threshold threshold{keys[scratch.members[0]], 0};
  while (threshold.ties < members && spent < limit) {
    spent += weight(scratch.members[threshold.ties++]);
  }
  return threshold;
}

/// The prefix of the `count` best.
inline Threshold threshold_of_count(const HostRow& row, HostScratch& scratch, std::uint64_t count) {
  if (count >= static_cast<std::uint64_t>(row.size)) return {0, row.size};
  ++row.counts->selections;
  row.count_sweep();
  return find_threshold(row, scratch, count, [](std::int64_t) { return std::uint64_t{1}; });
}

/// The prefix whose tokens have less than `limit` mass in front of them.
inline Threshold threshold_of_mass(const HostRow& row, HostScratch& scratch, std::uint64_t limit) {
  ++row.counts->selections;
  row.count_sweep();
  return find_threshold(row, scratch, limit, [&](std::int64_t i) {
    return mass(sub(row.scores[i], row.numbers.maximum));
  });
}

/// Writes the keys that a selection orders the row by.
template <class Bound>
void write_keys(const HostRow& row, HostScratch& scratch, const Bound& bound) {
  for (std::int64_t i = 0; i < row.size; ++i) {
    scratch.keys[i] = order_key(static_cast<float>(bound.key(row.scores[i])));
  }
  row.count_sweep();
}

/// The prefix that a selection's spend allows.
inline Threshold threshold_of(const HostRow& row, HostScratch& scratch, const Spend& spend) {
  constexpr std::uint64_t NO_LIMIT = std::numeric_limits<std::uint64_t>::max();
  Threshold result{0, row.size};
  if (spend.count != NO_LIMIT) result = threshold_of_count(row, scratch, spend.count);
  if (spend.mass != NO_LIMIT) {
    const Threshold by_mass = threshold_of_mass(row, scratch, spend.mass);
    if (by_mass.shorter_than(result)) result = by_mass;
  }
  // Any limit above zero lets the best token stay, so one token needs a search only where none did.
  const bool empty = result.ties == 0 && result.key == Threshold{}.key;
  if (spend.at_least > 1 || (spend.at_least == 1 && empty)) {
    const Threshold least = threshold_of_count(row, scratch, spend.at_least);
    if (result.shorter_than(least)) result = least;
  }
  if (spend.whole_ties) result.ties = row.size;
  return result;
}

/// The score of the rank-th best token, -inf past the last.
inline float score_of_rank(const HostRow& row, HostScratch& scratch, std::int64_t rank) {
  if (rank <= 1) return row.numbers.maximum;
  if (rank > row.size) return FILTER;
  struct ByScore {
    float key(float score) const { return score; }
  };
  write_keys(row, scratch, ByScore{});
  return score_of_key(threshold_of_count(row, scratch, static_cast<std::uint64_t>(rank)).key);
}

}  // namespace logitchain::inline v0::detail
