// SPDX-License-Identifier: Apache-2.0
// The search of a rank among keys in shared memory, by a block: a histogram of their range.
#pragma once

#include <cstdint>

#include <logitchain/core/order.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/block.cuh>
#include <logitchain/engine/cuda/detail/shared.cuh>

namespace logitchain::inline v0::detail::cuda {

/// The lowest and the highest of a block's keys that are above that of -inf; every thread gets
/// them. Where there are none the lowest is above the highest.
struct KeyRange {
  std::uint32_t lowest = 0xffffffffu;
  std::uint32_t highest = 0;

  template <class KeyAt>
  __device__ static KeyRange of(Shared& shared, std::int32_t count, KeyAt key_at) {
    KeyRange range;
    for (std::int32_t i = thread(); i < count; i += THREADS) {
      const std::uint32_t key = key_at(i);
      if (key <= order_key(FILTER)) continue;
      range.lowest = key < range.lowest ? key : range.lowest;
      range.highest = key > range.highest ? key : range.highest;
    }
    range.join();
    if (lane() == 0) {
      shared.warp_sums[warp()] = static_cast<std::uint64_t>(range.lowest) << 32 | range.highest;
    }
    __syncthreads();
    const std::uint64_t others = shared.warp_sums[lane() % WARPS];
    range = {static_cast<std::uint32_t>(others >> 32), static_cast<std::uint32_t>(others)};
    range.join();
    return range;
  }

 private:
  /// Over the lanes of a warp.
  __device__ void join() {
    lowest = __reduce_min_sync(ALL_LANES, lowest);
    highest = __reduce_max_sync(ALL_LANES, highest);
  }
};

/// A lower bound of the rank-th largest of `count` keys that parts hardly more than the `rank`
/// largest from the others: a quarter more and 8, unless more of them tie. The key of -inf where
/// fewer are above it. Called by all threads of a block; every thread gets it, and all have left
/// `shared.bins`.
/// @param rank from 1 on
/// @param key_at gives key i
template <class KeyAt>
__device__ std::uint32_t key_of_rank(Shared& shared, std::int32_t count, std::uint32_t rank,
                                     KeyAt key_at) {
  constexpr int EACH = BINS / THREADS;
  const KeyRange range = KeyRange::of(shared, count, key_at);
  std::uint32_t bound = range.lowest <= range.highest ? range.highest : order_key(FILTER);
  if (rank > 1 && range.lowest <= range.highest) {
    bound = range.lowest;
    std::uint32_t width = range.highest - range.lowest;
    std::uint32_t wanted = rank;
    for (;;) {
      const int bits = 32 - __clz(static_cast<int>(width));
      const int shift = bits > 11 ? bits - 11 : 0;
      static_assert(BINS == 1 << 11);
#pragma unroll
      for (int i = 0; i < EACH; ++i) shared.bins.low[thread() + i * THREADS] = 0;
      __syncthreads();
#pragma unroll 1
      for (std::int32_t i = thread(); i < count; i += THREADS) {
        const std::uint32_t key = key_at(i);
        // What lies below the bound wraps around, and is above the width.
        if (key > order_key(FILTER) && key - bound <= width) {
          atomicAdd(&shared.bins.low[(key - bound) >> shift], 1u);
        }
      }
      __syncthreads();
      const int top = BINS - 1 - thread() * EACH;
      std::uint32_t own = 0;
#pragma unroll
      for (int i = 0; i < EACH; ++i) own += shared.bins.low[top - i];
      std::uint32_t before = warp_inclusive_sum(own);
      if (lane() == LANES - 1) shared.warp_sums[warp()] = before;
      if (thread() == 0) shared.bin = -1;
      __syncthreads();
      before -= own;
#pragma unroll 1
      for (int i = 0; i < warp(); ++i) {
        before += static_cast<std::uint32_t>(shared.warp_sums[i]);
      }
      if (before < wanted && before + own >= wanted) {
        int i = 0;
        while (before + shared.bins.low[top - i] < wanted) before += shared.bins.low[top - i++];
        shared.bin = top - i;
        shared.before = before;
        shared.length = static_cast<std::int32_t>(shared.bins.low[top - i]);
      }
      __syncthreads();
      if (shared.bin < 0) {  // there are fewer keys
        bound = order_key(FILTER);
        break;
      }
      bound += static_cast<std::uint32_t>(shared.bin) << shift;
      if (shift == 0 || static_cast<std::uint32_t>(shared.length) <= rank / 4 + 8) break;
      wanted -= static_cast<std::uint32_t>(shared.before);
      width = (1u << shift) - 1u;
    }
  }
  __syncthreads();
  return bound;
}

}  // namespace logitchain::inline v0::detail::cuda
