// SPDX-License-Identifier: Apache-2.0
// The thread block: its fixed size, warps and lanes, reductions and scans over a warp.
#pragma once

#include <cstdint>

namespace logitchain::inline v0::detail::cuda {

/// Threads of every kernel's block. 1,024 would cap registers at 64, and the chains spill.
inline constexpr int THREADS = 512;
inline constexpr int LANES = 32;
inline constexpr int WARPS = THREADS / LANES;
inline constexpr unsigned ALL_LANES = 0xffffffffu;

__device__ inline int thread() { return static_cast<int>(threadIdx.x); }
__device__ inline int lane() { return static_cast<int>(threadIdx.x) % LANES; }
__device__ inline int warp() { return static_cast<int>(threadIdx.x) / LANES; }

/// Waits for the first `threads` threads of the block, a multiple of LANES, which alone call it.
__device__ inline void sync_first(int threads) {
  if (threads == LANES) {
    __syncwarp();
  } else {
    asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
  }
}
/// The same; true where `own` is for one of them.
__device__ inline bool sync_first_or(int threads, bool own) {
  if (threads == LANES) return __any_sync(ALL_LANES, own) != 0;
  std::uint32_t any;
  asm volatile(
      "{\n.reg .pred p;\n"
      "setp.ne.u32 p, %2, 0;\n"
      "bar.red.or.pred p, 1, %1, p;\n"
      "selp.u32 %0, 1, 0, p;\n}"
      : "=r"(any)
      : "r"(threads), "r"(own ? 1u : 0u)
      : "memory");
  return any != 0;
}

/// A value as the 32-bit words that shuffles and exchanges move.
template <class T>
struct WordsOf {
  static_assert(sizeof(T) % sizeof(std::uint32_t) == 0);
  static constexpr int SIZE = static_cast<int>(sizeof(T) / sizeof(std::uint32_t));
  std::uint32_t word[SIZE];
};

/// Another lane's value.
template <class T>
__device__ T shuffle_xor(const T& value, int mask) {
  auto words = __builtin_bit_cast(WordsOf<T>, value);
#pragma unroll
  for (int i = 0; i < WordsOf<T>::SIZE; ++i) {
    words.word[i] = __shfl_xor_sync(ALL_LANES, words.word[i], mask);
  }
  return __builtin_bit_cast(T, words);
}

/// Joins by addition.
struct Plus {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

/// `join` over the lanes of a warp; every lane gets it. `join` must be commutative.
template <class T, class Join>
__device__ T warp_reduce(T value, Join join) {
  for (int mask = LANES / 2; mask > 0; mask /= 2) value = join(value, shuffle_xor(value, mask));
  return value;
}

/// Sum over the lanes up to and including the own one.
template <class T>
__device__ T warp_inclusive_sum(T value) {
  for (int distance = 1; distance < LANES; distance *= 2) {
    const T below = __shfl_up_sync(ALL_LANES, value, distance);
    if (lane() >= distance) value += below;
  }
  return value;
}

}  // namespace logitchain::inline v0::detail::cuda
