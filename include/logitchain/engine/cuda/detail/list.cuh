// SPDX-License-Identifier: Apache-2.0
// How survivors leave the row for a list in the first block, and how a list grows shorter.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/order.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/numbers.cuh>
#include <logitchain/engine/cuda/detail/rank_search.cuh>
#include <logitchain/engine/cuda/detail/row.cuh>
#include <logitchain/engine/cuda/detail/threshold.cuh>

namespace logitchain::inline v0::detail::cuda {

/// Threads that hold a list of `count` tokens, four at most for each: a warp alone has no barrier
/// worth the name, and most lists are short.
__device__ inline int threads_for(std::int32_t count) {
  return count <= 4 * LANES ? LANES : count <= 16 * LANES ? 4 * LANES : THREADS;
}
/// Strips for a list of `size` tokens: whole groups of lanes.
__device__ inline std::int32_t strip_of_list(std::int32_t size, int threads) {
  return (size + threads - 1) / threads * LANES;
}

__device__ inline bool is_removed(float score) { return bits_of(score) == bits_of(FILTER); }

/// Pushes what `survivor(token, score)` gives, unless that is -inf, to the first block.
/// @param least a score below which nothing survives; -inf: none is known
/// @return how many there are; more than LIST were not all pushed
template <class Survivor>
__device__ std::uint32_t push_survivors(WholeRow& row, float least, Survivor survivor) {
  std::uint32_t* const arrived = row.cluster.at(&row.shared->arrived, 0);
  std::uint64_t* const pushed = row.cluster.at(row.shared->pushed, 0);
  std::uint32_t own = 0;
  const std::int32_t end = row.is_below(least) ? row.begin : row.end;
  // A warp that alone has too many need not tell the others each of them.
#pragma unroll 1
  for (std::int32_t start = row.begin; start < end; start += LANES) {
    const std::int32_t place = start + lane();
    float score = FILTER;
    if (place < row.end && !is_removed(row.scores[place])) {
      score = survivor(row.token(place), row.scores[place]);
    }
    const unsigned stays = __ballot_sync(ALL_LANES, !is_removed(score));
    if (stays == 0) continue;
    const std::uint32_t count = static_cast<std::uint32_t>(__popc(stays));
    own += count;
    if (own > LIST) continue;
    std::uint32_t slot = 0;
    if (lane() == 0) slot = atomicAdd(arrived, count);
    slot = __shfl_sync(ALL_LANES, slot, 0);
    slot += static_cast<std::uint32_t>(__popc(stays & ((1u << lane()) - 1u)));
    if (!is_removed(score) && slot < LIST) {
      pushed[slot] = (static_cast<std::uint64_t>(row.token(place)) << 32) | bits_of(score);
    }
  }
  const Shared::Record* const table = exchange(row, own);
  std::uint32_t total = 0;
#pragma unroll 1
  for (int i = lane(); i < row.cluster.size * WARPS; i += LANES) {
    total += read_record<std::uint32_t>(table[i]);
  }
  return warp_reduce(total, Plus{});
}

/// The list of what was pushed, in token order. For the threads of the first block that
/// `threads_for` names.
__device__ inline ListRow list_of_pushed(const RowState& row, std::int32_t count) {
  Shared& shared = *row.shared;
  const int threads = threads_for(count);
  sort_numbers(shared.pushed, count, threads);
#pragma unroll 1
  for (std::int32_t i = thread(); i < count; i += threads) {
    shared.list.ids[i] = static_cast<std::int32_t>(shared.pushed[i] >> 32);
    shared.list.scores[i] = float_of(static_cast<std::uint32_t>(shared.pushed[i]));
  }
  sync_first(threads);
  ListRow list;
  list.shared = row.shared;
  list.cluster = Cluster::alone();
  list.threads = threads;
  list.scores = shared.list.scores;
  list.ids = shared.list.ids;
  list.size = count;
  list.vocab = row.vocab;
  list.turn = row.turn;
  list.fault = row.fault;
  list.divide(strip_of_list(count, threads));
  return list;
}

/// Rewrites every score of a list with `rewrite(place, score)`; what comes out as -inf leaves it.
template <class Rewrite>
__device__ void rewrite_list(ListRow& row, Rewrite rewrite) {
  constexpr int EACH = LIST / THREADS;  // as threads_for has it
  float scores[EACH];
  std::int32_t ids[EACH];
  unsigned stays[EACH];
  std::uint32_t count = 0;
#pragma unroll
  for (int step = 0; step < EACH; ++step) {
    const std::int32_t place = row.begin + step * LANES + lane();
    scores[step] = FILTER;
    if (place < row.end) {
      ids[step] = row.token(place);
      scores[step] = row.scores[place];
      if (!is_removed(scores[step])) scores[step] = rewrite(place, scores[step]);
    }
    stays[step] = __ballot_sync(ALL_LANES, !is_removed(scores[step]));
    count += static_cast<std::uint32_t>(__popc(stays[step]));
  }
  std::uint32_t before = 0;
  std::uint32_t total = count;
  if (row.threads == LANES) {
    row.sync();
  } else {
    if (lane() == 0) row.shared->warp_sums[warp()] = count;
    row.sync();
    total = 0;
#pragma unroll 1
    for (int i = 0; i < row.warps(); ++i) {
      const std::uint32_t sum = static_cast<std::uint32_t>(row.shared->warp_sums[i]);
      if (i < warp()) before += sum;
      total += sum;
    }
  }
#pragma unroll
  for (int step = 0; step < EACH; ++step) {
    const unsigned below = stays[step] & ((1u << lane()) - 1u);
    if (!is_removed(scores[step])) {
      const std::uint32_t to = before + static_cast<std::uint32_t>(__popc(below));
      row.scores[to] = scores[step];
      row.ids[to] = ids[step];
    }
    before += static_cast<std::uint32_t>(__popc(stays[step]));
  }
  row.sync();
  row.size = static_cast<std::int32_t>(total);
  row.divide(strip_of_list(row.size, row.threads));
}

/// A lower bound of the rank-th best score, from the peaks: that many groups have a score of at
/// least it. -inf where there are fewer groups.
__device__ inline float bound_of_rank(WholeRow& row, std::uint64_t rank) {
  const int groups = row.cluster.size * WARPS * GROUPS;
  if (rank > static_cast<std::uint64_t>(groups)) return FILTER;
  return score_of_key(key_of_rank(*row.shared, groups, static_cast<std::uint32_t>(rank),
                                  [&](std::int32_t i) { return order_key(row.peaks()[i]); }));
}

}  // namespace logitchain::inline v0::detail::cuda
