// SPDX-License-Identifier: Apache-2.0
// A token becomes part of a row: the block looks it up in the list of distinct tokens, one thread
// writes.
#pragma once

#include <cstdint>

#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/block.cuh>
#include <logitchain/engine/cuda/detail/shared.cuh>
#include <logitchain/state/commit.hpp>
#include <logitchain/state/state_view.hpp>

namespace logitchain::inline v0::detail::cuda {

/// Place of a token in the row's list of distinct tokens, -1 where it is not there. Called by all
/// threads of a block; every thread gets it.
/// @param place a shared number that nothing else uses meanwhile
__device__ inline std::int32_t find_seen_together(const StateView& view, std::int64_t row,
                                                  std::int32_t token, std::int32_t& place) {
  if (!view.seen) return -1;
  const bool known = (view.seen_bits_of(row)[token >> 5] >> (token & 31) & 1u) != 0;
  const SeenToken* const list = view.seen_of(row);
  const std::int32_t size = view.records[row].seen_size;
  __syncthreads();  // the thread that commits sets the bit
  if (!known) return -1;
  if (thread() == 0) place = -1;
  __syncthreads();
  for (std::int64_t i = thread(); i < size; i += THREADS) {
    if (list[i].token == token) place = static_cast<std::int32_t>(i);
  }
  __syncthreads();
  return place;
}

/// Commits a drawn token. Called by all threads of a block; thread 0 sees the record written.
template <class ChainType, class StopType>
__device__ void commit_drawn(const StateView& view, std::int64_t row, std::int32_t token,
                             const ChainType& chain, const StopType& stop, Shared& shared) {
  const std::int32_t known = find_seen_together(view, row, token, shared.length);
  if (thread() == 0) commit_token_at(view, row, token, known, chain, stop);
}

}  // namespace logitchain::inline v0::detail::cuda
