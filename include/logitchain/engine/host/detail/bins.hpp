// SPDX-License-Identifier: Apache-2.0
// A threshold by bins: three rounds over the bits of the key, of which only the bin that holds the
// end is looked at again. The way for prefixes of any length.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

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

/// Finds the prefix whose places have less than `limit` weight in front of them.
/// @param weight of place i: a count of 1, or a mass
/// @param limit above 0
template <class Weight>
Threshold threshold_by_bins(const HostRow& row, HostScratch& scratch, const float* keys,
                            std::uint64_t limit, Weight weight) {
  std::int32_t* const members = scratch.places;
  std::uint64_t spent = 0;
  std::int64_t size = row.size;
  bool all = true;  // the first round looks at every place, the later ones at one bin's members
  const auto place = [&](std::int64_t m) { return all ? m : std::int64_t{members[m]}; };
  constexpr struct {
    int shift;
    std::uint32_t mask;
  } ROUNDS[] = {{21, 0x7ff}, {10, 0x7ff}, {0, 0x3ff}};
  for (const auto& round : ROUNDS) {
    std::fill_n(scratch.bins, BINS, std::uint64_t{0});
    for (std::int64_t m = 0; m < size; ++m) {
      const std::int64_t i = place(m);
      scratch.bins[(order_key(keys[i]) >> round.shift) & round.mask] += weight(i);
    }
    if (all) row.count_sweep();
    std::int64_t bin = round.mask;
    while (bin >= 0 && spent + scratch.bins[bin] < limit) spent += scratch.bins[bin--];
    if (bin < 0) return {FILTER, row.size};  // the whole row is lighter than the limit
    std::int64_t kept = 0;
    for (std::int64_t m = 0; m < size; ++m) {
      const std::int64_t i = place(m);
      members[kept] = static_cast<std::int32_t>(i);
      kept += ((order_key(keys[i]) >> round.shift) & round.mask) == bin ? 1 : 0;
    }
    if (all) row.count_sweep();
    size = kept;
    all = false;
  }
  // One key is left; its places are walked in token order until the limit is reached.
  Threshold threshold{keys[members[0]], 0};
  while (threshold.ties < size && spent < limit) spent += weight(members[threshold.ties++]);
  return threshold;
}

}  // namespace logitchain::inline v0::detail
