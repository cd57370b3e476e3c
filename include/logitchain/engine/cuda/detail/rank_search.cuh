// SPDX-License-Identifier: Apache-2.0
// The search of a rank among keys in shared memory, by one warp: bit by bit, without a barrier.
#pragma once

#include <cstdint>

#include <logitchain/core/order.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/block.cuh>

namespace logitchain::inline v0::detail::cuda {

/// A lower bound of the rank-th largest of `count` keys, which is that key, or parts the `rank`
/// largest from the others; the lowest key where there are fewer. For one warp; every lane gets it.
/// @param key_at gives key i
template <class KeyAt>
__device__ std::uint32_t key_of_rank(std::int32_t count, std::uint32_t rank, KeyAt key_at) {
  std::uint32_t lowest = 0xffffffffu;
  std::uint32_t highest = 0;
  for (std::int32_t i = lane(); i < count; i += LANES) {
    const std::uint32_t key = key_at(i);
    lowest = key < lowest ? key : lowest;
    highest = key > highest ? key : highest;
  }
  lowest = __reduce_min_sync(ALL_LANES, lowest);
  highest = __reduce_max_sync(ALL_LANES, highest);
  if (count <= 0 || static_cast<std::uint32_t>(count) < rank) return order_key(FILTER);
  if (lowest == highest) return lowest;
  // What all keys have in common is known.
  const int top = 31 - __clz(static_cast<int>(lowest ^ highest));
  std::uint32_t bound = highest & ~((2u << top) - 1u);
#pragma unroll 1
  for (std::uint32_t bit = 1u << top; bit != 0; bit >>= 1) {
    const std::uint32_t tried = bound | bit;
    std::uint32_t own = 0;
#pragma unroll 4
    for (std::int32_t i = lane(); i < count; i += LANES) own += key_at(i) >= tried ? 1u : 0u;
    const std::uint32_t reached = __reduce_add_sync(ALL_LANES, own);
    if (reached < rank) continue;
    bound = tried;
    if (reached == rank) break;
  }
  return bound > lowest ? bound : lowest;
}

}  // namespace logitchain::inline v0::detail::cuda
