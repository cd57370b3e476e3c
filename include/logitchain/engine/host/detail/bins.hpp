// SPDX-License-Identifier: Apache-2.0
// A threshold by bins: a round over distances from the best key, then rounds over the bits of the
// key, of which only the bin that holds the end is looked at again. The way for prefixes of any
// length.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/order.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/host/detail/row.hpp>

namespace logitchain::inline v0::detail {

/// The end of a prefix: what has a larger key stays, and of those with this key the first `ties` in
/// token order. By default nothing stays.
struct Threshold {
  float key = std::numeric_limits<float>::infinity();
  std::int64_t ties = 0;

  /// True where this prefix is the shorter one.
  bool shorter_than(const Threshold& other) const {
    return key != other.key ? key > other.key : ties < other.ties;
  }
};

/// Bins of the first round to a unit of the key: of scores, all that have a mass are in bins of
/// their own.
inline constexpr float BINS_PER_UNIT = BINS / 32.0f;

[[gnu::always_inline]] inline std::int32_t bin_of_distance(float distance) {
  const float steps = mul(distance, BINS_PER_UNIT);
  return static_cast<std::int32_t>(steps < BINS - 1 ? steps : BINS - 1);
}

/// The members of one bin of the first round, written to the scratch's places.
struct BinMembers {
  std::uint64_t before = 0;  ///< weight of all better places
  std::int64_t count = 0;    ///< 0: the whole row is lighter than the limit
};

/// The first round: bins by the distance from the best key, which spread the places of usual rows
/// evenly, so that additions to one bin seldom wait for each other. Bins and weights are found a
/// block at a time, for that vectorises; the adding does not.
/// @param weight of a place by its score: a count of 1, or a mass
template <class Weight>
BinMembers members_by_distance(const HostRow& row, HostScratch& scratch, const float* keys,
                               float best, std::uint64_t limit, Weight weight) {
  constexpr int PART = 32;  // places that are passed over together
  const float* const scores = row.scores;
  const std::int64_t size = row.size;
  std::uint64_t* const bins = scratch.bins;
  std::int32_t* const members = scratch.places;
  row.count_sweep();  // fills the bins
  row.count_sweep();  // picks the members
  return call_with(row.instructions, [=] {
    std::int32_t bin[BLOCK];
    std::uint64_t weights[BLOCK];
    std::fill_n(bins, BINS, std::uint64_t{0});
    for (std::int64_t first = 0; first < size; first += BLOCK) {
      const int count = static_cast<int>(std::min<std::int64_t>(BLOCK, size - first));
      for (int j = 0; j < count; ++j) bin[j] = bin_of_distance(sub(best, keys[first + j]));
      for (int j = 0; j < count; ++j) weights[j] = weight(scores[first + j]);
      for (int j = 0; j < count; ++j) bins[bin[j]] += weights[j];
    }
    BinMembers found;
    std::int32_t last = 0;
    while (last < BINS && found.before + bins[last] < limit) found.before += bins[last++];
    if (last == BINS) return found;
    for (std::int64_t first = 0; first < size; first += PART) {
      const int count = static_cast<int>(std::min<std::int64_t>(PART, size - first));
      int held = 0;
      for (int j = 0; j < count; ++j) {
        bin[j] = bin_of_distance(sub(best, keys[first + j]));
        held += bin[j] == last ? 1 : 0;
      }
      for (int j = 0; held > 0 && j < count; ++j) {
        members[found.count] = static_cast<std::int32_t>(first + j);
        found.count += bin[j] == last ? 1 : 0;
      }
    }
    return found;
  });
}

/// The end of the prefix among the first `size` places of the scratch: rounds over the bits of the
/// key, of which only the bin that holds the end is looked at again.
/// @param limit above 0, at most the weight of the members
/// @param weight of place i
template <class Weight>
Threshold threshold_by_bits(HostScratch& scratch, const float* keys, std::int64_t size,
                            std::uint64_t limit, Weight weight) {
  std::int32_t* const members = scratch.places;
  std::uint64_t spent = 0;
  constexpr struct {
    int shift;
    std::uint32_t mask;
  } ROUNDS[] = {{21, 0x7ff}, {10, 0x7ff}, {0, 0x3ff}};
  for (const auto& round : ROUNDS) {
    const auto bin_of = [&](std::int64_t m) {
      return (order_key(keys[members[m]]) >> round.shift) & round.mask;
    };
    std::fill_n(scratch.bins, BINS, std::uint64_t{0});
    for (std::int64_t m = 0; m < size; ++m) scratch.bins[bin_of(m)] += weight(members[m]);
    std::uint32_t bin = round.mask;
    while (spent + scratch.bins[bin] < limit) spent += scratch.bins[bin--];
    std::int64_t kept = 0;
    for (std::int64_t m = 0; m < size; ++m) {
      const std::int32_t member = members[m];
      const bool stays = bin_of(m) == bin;
      members[kept] = member;
      kept += stays ? 1 : 0;
    }
    size = kept;
  }
  // One key is left; its places are walked in token order until the limit is reached.
  Threshold threshold{keys[members[0]], 0};
  while (threshold.ties < size && spent < limit) spent += weight(members[threshold.ties++]);
  return threshold;
}

}  // namespace logitchain::inline v0::detail
