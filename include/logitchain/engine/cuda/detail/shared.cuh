// SPDX-License-Identifier: Apache-2.0
// Shared memory of a block: what reductions, searches and lists need, in front of its part of the
// row.
#pragma once

#include <cstddef>
#include <cstdint>

#include <logitchain/engine/cuda/detail/block.cuh>
#include <logitchain/engine/cuda/detail/cluster.cuh>

namespace logitchain::inline v0::detail::cuda {

/// Survivors that leave the row for a list in the first block of the cluster.
inline constexpr int LIST = 2048;
/// Bins of one round of the threshold search: 11 bits of the key.
inline constexpr int BINS = 2048;
/// Groups of four lanes of a warp whose best scores are exchanged: a rank can be bounded by as many
/// as the cluster has.
inline constexpr int GROUPS = 8;

struct Shared {
  /// One record per warp of the cluster; two in turn, so that one barrier per exchange is enough.
  struct alignas(16) Record {
    std::uint32_t word[4];
  };
  Record exchange[2][MAX_CLUSTER * WARPS];
  /// Best score of each group of the cluster; two in turn as well.
  float peaks[2][MAX_CLUSTER * WARPS * GROUPS];
  std::uint64_t pushed[LIST];  ///< survivors as they arrive: (token, score)
  union {
    struct {
      std::uint32_t low[BINS], high[BINS];  ///< weights of this block, 64 bits in two halves
    } bins;
    struct {
      float scores[LIST];
      std::int32_t ids[LIST];
    } list;
  };
  std::uint64_t merged[BINS];  ///< bins of the cluster; or a list in the order of a key
  std::uint64_t warp_sums[WARPS];
  std::uint64_t before;  ///< weight in front of the bin that was found
  std::int32_t bin;
  std::int32_t told;      ///< what the threads that hold a list tell the others
  std::int32_t length;    ///< what one warp found out for the block
  std::uint32_t arrived;  ///< survivors pushed so far
};
static_assert(sizeof(Shared) % 16 == 0);
static_assert(LIST <= BINS, "a list is put in order where the bins are joined");

/// Bytes of dynamic shared memory of a block that holds `places` scores.
constexpr std::size_t shared_bytes(std::int64_t places) {
  return sizeof(Shared) + static_cast<std::size_t>(places) * sizeof(float);
}

}  // namespace logitchain::inline v0::detail::cuda
