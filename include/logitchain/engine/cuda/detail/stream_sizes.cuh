// SPDX-License-Identifier: Apache-2.0
// How much shared memory a block takes that streams rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include <logitchain/core/config.hpp>
#include <logitchain/engine/cuda/detail/ring.cuh>
#include <logitchain/engine/cuda/detail/shared.cuh>

namespace logitchain::inline v0::detail::cuda {

/// The parts of it that hang on the call: behind `Shared` lie the rings and the row's listed
/// tokens.
struct StreamSizes {
  std::int32_t depth = 3;     ///< pieces of a warp's ring: 96 KB of a block under way, or 64
  std::int32_t words = 0;     ///< of the bitmap of listed tokens
  std::int32_t capacity = 0;  ///< listed tokens of a row
};

/// Bytes of dynamic shared memory of a block that streams.
constexpr std::size_t stream_bytes(const StreamSizes& sizes) {
  return sizeof(Shared) + ring_bytes(sizes.depth) +
         sizeof(std::uint32_t) * static_cast<std::size_t>(sizes.words) +
         (sizeof(float) + sizeof(std::int32_t)) * static_cast<std::size_t>(sizes.capacity);
}

/// Sizes for rows of `vocab` tokens in `bytes` of shared memory, which may turn out to be too few.
/// @param lists whether the chain has maps that list their tokens
constexpr StreamSizes stream_sizes(std::int64_t vocab, bool lists, std::int64_t bytes) {
  constexpr std::int64_t ENOUGH = 2048;
  constexpr std::int64_t MOST = 8192;
  StreamSizes sizes;
  if (lists) sizes.words = static_cast<std::int32_t>((vocab + 31) / 32);
  const auto room = [&] {
    return (bytes - static_cast<std::int64_t>(stream_bytes(sizes))) /
           static_cast<std::int64_t>(sizeof(float) + sizeof(std::int32_t));
  };
  if (room() < (lists ? ENOUGH : 0)) sizes.depth = 2;
  const std::int64_t most = room() < MOST ? room() : MOST;
  if (lists && most > 0) sizes.capacity = static_cast<std::int32_t>(most);
  return sizes;
}

}  // namespace logitchain::inline v0::detail::cuda
