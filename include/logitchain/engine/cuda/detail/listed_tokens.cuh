// SPDX-License-Identifier: Apache-2.0
// Tokens that the maps in front of a streamed row's first filter list: they get their scores beside
// the row, as a list of their own.
#pragma once

#include <cstdint>

#include <logitchain/chain/chain.hpp>
#include <logitchain/engine/cuda/detail/front.cuh>
#include <logitchain/engine/cuda/detail/front_maps.cuh>
#include <logitchain/engine/cuda/detail/list.cuh>
#include <logitchain/engine/cuda/detail/stages.cuh>
#include <logitchain/engine/cuda/detail/stream_sizes.cuh>
#include <logitchain/engine/cuda/detail/streamed_row.cuh>

namespace logitchain::inline v0::detail::cuda {

template <class ChainType>
constexpr bool has_listed_maps() {
  for (int i = 0; i < ChainType::SIZE; ++i) {
    if (ChainType::TRAITS[static_cast<std::size_t>(i)].kind == Kind::listed) return true;
  }
  return false;
}

template <class ChainType>
inline constexpr bool lists_tokens = has_listed_maps<ChainType>();

/// Where the listed tokens of a streamed row lie.
struct ListedMemory {
  std::uint32_t* bits;  ///< [words]
  std::int32_t words;
  float* scores;  ///< [capacity]
  std::int32_t* ids;
  std::int32_t capacity;
};

/// Where that is in a block's shared memory.
__device__ inline ListedMemory listed_memory(unsigned char* memory, const StreamSizes& sizes) {
  ListedMemory listed;
  listed.bits = reinterpret_cast<std::uint32_t*>(memory + sizeof(Shared) + ring_bytes(sizes.depth));
  listed.words = sizes.words;
  listed.scores = reinterpret_cast<float*>(listed.bits + sizes.words);
  listed.ids = reinterpret_cast<std::int32_t*>(listed.scores + sizes.capacity);
  listed.capacity = sizes.capacity;
  return listed;
}

/// Marks those of the block's tokens that the listed maps of the row's front name. One outside of
/// the vocabulary is whoever's to tell who runs the map.
template <class ChainType>
__device__ void mark_listed(const ChainType& chain, const RowView::Fields& fields,
                            const AutomatonSlot* slots, const Front& front, const StreamedRow& row,
                            const ListedMemory& memory) {
#pragma unroll 1
  for (std::int32_t i = thread(); i < memory.words; i += THREADS) memory.bits[i] = 0;
  __syncthreads();
  for_each_index<ChainType::SIZE>([&](auto i) {
    constexpr int INDEX = decltype(i)::value;
    if constexpr (traits<ChainType, INDEX>.kind == Kind::listed && !dropped<ChainType, INDEX>) {
      if (INDEX >= front.deferred) return;
      const auto& stage = chain.template stage<INDEX>();
      const auto view = ChainType::template row_for<INDEX>(fields, slots);
      if (!is_active(stage, view)) return;
      const auto bound = stage.bind(view);
#pragma unroll 1
      for (std::int64_t at = thread(); at < bound.size(); at += THREADS) {
        const std::int64_t place = bound.token(at) - row.first;
        if (place < 0 || place >= row.size) continue;
        atomicOr(&memory.bits[place >> 5], 1u << (place & 31));
      }
    }
  });
  __syncthreads();
}

/// Writes the marked tokens, in rising order, and their logits. @return how many there are; where
/// they are more than the capacity, nothing was written
__device__ inline std::int32_t gather_listed(const StreamedRow& row, const ListedMemory& memory) {
  const std::int32_t each = (memory.words + THREADS - 1) / THREADS;
  const std::int32_t from = thread() * each;
  const std::int32_t to = from + each < memory.words ? from + each : memory.words;
  std::uint64_t own = 0;
#pragma unroll 1
  for (std::int32_t i = from; i < to; ++i) own += static_cast<unsigned>(__popc(memory.bits[i]));
  const std::uint64_t up_to = warp_inclusive_sum(own);
  if (lane() == LANES - 1) row.shared->warp_sums[warp()] = up_to;
  __syncthreads();
  std::uint64_t at = up_to - own;
  std::uint64_t total = 0;
#pragma unroll 1
  for (int i = 0; i < WARPS; ++i) {
    if (i < warp()) at += row.shared->warp_sums[i];
    total += row.shared->warp_sums[i];
  }
  const std::int32_t count = static_cast<std::int32_t>(total);
  if (count > memory.capacity) return count;
#pragma unroll 1
  for (std::int32_t i = from; i < to; ++i) {
    for (std::uint32_t bits = memory.bits[i]; bits != 0; bits &= bits - 1) {
      const std::int32_t place = 32 * i + __ffs(static_cast<int>(bits)) - 1;
      memory.ids[at] = row.token(place);
      memory.scores[at++] = row.logit(place);
    }
  }
  __syncthreads();
  return count;
}

/// Runs the maps of [0, deferred) on the listed tokens. No map may collapse a row there.
template <class ChainType>
__device__ void run_early_maps(const ChainType& chain, const RowView::Fields& fields,
                               const AutomatonSlot* slots, const Front& front, ListRow& listed) {
  for_each_index<ChainType::SIZE>([&](auto i) {
    constexpr int INDEX = decltype(i)::value;
    constexpr StageTraits own = traits<ChainType, INDEX>;
    if constexpr (!dropped<ChainType, INDEX> &&
                  (own.kind == Kind::listed ||
                   (own.kind == Kind::map && may_be_early<ChainType, INDEX>))) {
      if (INDEX >= front.deferred) return;
      const auto& stage = chain.template stage<INDEX>();
      const auto view = ChainType::template row_for<INDEX>(fields, slots);
      if (!is_active(stage, view)) return;
      if constexpr (own.kind == Kind::listed) {
        run_listed_map(stage.bind(view), listed);
      } else {
        const auto bound = bind_map(stage, view);
        const BoundMapOf<decltype(bind_map(stage, view)), own.revives || own.monotone> map{bound,
                                                                                           true};
        __syncthreads();
        listed.for_each([&](std::int32_t place, float score) {
          listed.scores[place] = map(listed.token(place), score);
        });
      }
    }
  });
  __syncthreads();
}

/// The listed tokens of the block's places, their scores as they are in front of the deferred maps.
/// The row is told which they are, and of a damaged list. False where they are too many.
template <class ChainType>
__device__ bool list_tokens(const ChainType& chain, const RowView::Fields& fields,
                            const AutomatonSlot* slots, const Front& front,
                            const ListedMemory& memory, StreamedRow& row, ListRow& listed) {
  listed.size = 0;
  if constexpr (lists_tokens<ChainType>) {
    if (front.deferred > 0) {
      mark_listed(chain, fields, slots, front, row, memory);
      const std::int32_t count = gather_listed(row, memory);
      if (count > memory.capacity) return false;
      if (count > 0) row.listed = memory.bits;
      listed.shared = row.shared;
      listed.cluster = Cluster::alone();
      listed.vocab = row.vocab;
      listed.turn = row.turn;
      listed.scores = memory.scores;
      listed.ids = memory.ids;
      listed.size = count;
      listed.divide(strip_of_list(count, THREADS));
      run_early_maps(chain, fields, slots, front, listed);
      row.turn = listed.turn;
      row.fault = listed.fault;
    }
  }
  return true;
}

}  // namespace logitchain::inline v0::detail::cuda
