// SPDX-License-Identifier: Apache-2.0
// Host bytes to device memory without a wait: as arguments of kernels, which the launch copies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <cuda_runtime_api.h>

#include <logitchain/engine/cuda/cuda_engine.cuh>
#include <logitchain/engine/cuda/detail/block.cuh>
#include <logitchain/engine/cuda/detail/launch_blocks.cuh>
#include <logitchain/engine/cuda/detail/stream_buffer.cuh>

namespace logitchain::inline v0::detail::cuda {

/// A copy from pageable memory makes the host wait for the stream, and pinned memory must be kept
/// until the copy is done; arguments of a kernel have neither trouble.
struct Parcel {
  static constexpr std::size_t WORDS = 7168;  ///< 28 KB of the 32,764 bytes of arguments
  std::uint32_t word[WORDS];
};

template <int Threads>
__global__ void __launch_bounds__(Threads)
    unpack_kernel(const __grid_constant__ Parcel parcel, std::uint32_t* to, int words) {
  for (int i = static_cast<int>(threadIdx.x); i < words; i += THREADS) to[i] = parcel.word[i];
}

/// Device memory for the length of a call.
inline StreamBuffer scratch_of(const char* where, const cuda_engine& engine, std::size_t bytes) {
  return StreamBuffer(where, bytes, engine.device(), engine.stream());
}

/// Puts `bytes` of host memory, a multiple of 4, at `to`, in the order of the stream. The host's
/// memory may be changed when this returns. A template, as its kernel is: compiled where called.
template <class = void>
void upload(const char* where, const cuda_engine& engine, void* to, const void* from,
            std::size_t bytes) {
  std::uint32_t* target = static_cast<std::uint32_t*>(to);
  const std::byte* source = static_cast<const std::byte*>(from);
  for (std::size_t words = bytes / 4; words > 0;) {
    const std::size_t count = std::min(words, Parcel::WORDS);
    Parcel parcel;
    std::memcpy(parcel.word, source, count * 4);
    launch_blocks(where, engine, unpack_kernel<THREADS>, 1, parcel, target,
                  static_cast<int>(count));
    target += count;
    source += count * 4;
    words -= count;
  }
}

}  // namespace logitchain::inline v0::detail::cuda
