// SPDX-License-Identifier: Apache-2.0
// A row of scores as the CUDA engine holds it: whole, spread over the blocks of a cluster, or in
// global memory; or a list of some of its tokens in one block.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/block.cuh>
#include <logitchain/engine/cuda/detail/cluster.cuh>
#include <logitchain/engine/cuda/detail/shared.cuh>

namespace logitchain::inline v0::detail::cuda {

/// What is known of a row, and where in it this thread works, whatever form it has. All threads
/// that hold the row call what takes it, together: those of the cluster, or, for a list, the first
/// `threads` of the block, which wait for each other by `sync` alone.
struct RowState {
  Shared* shared;
  Cluster cluster;         ///< a list's has one block
  std::int32_t first = 0;  ///< token at place 0 of this block; a list's places name their tokens
  std::int32_t size = 0;   ///< places of this block
  std::int32_t begin = 0;  ///< this warp's strip is [begin, end)
  std::int32_t end = 0;
  std::int32_t vocab = 0;
  int threads = THREADS;  ///< of this block that hold the row: a short list's are its first few
  int turn = 0;           ///< which half of the exchange is next

  Status fault = Status::ok;
  Numbers known = Numbers::none;  ///< which numbers are right for the scores as they stand
  RowNumbers numbers{};
  /// With the maximum known: something above -inf, and no NaN or +inf.
  bool has_distribution = false;

  __device__ int warps() const { return threads / LANES; }

  /// Waits for all threads that hold the row.
  __device__ void sync() const {
    if (cluster.size == 1) {
      sync_first(threads);
    } else {
      cluster.sync();
    }
  }

  /// Waits for all threads of the row's blocks, also for those that do not hold a list of it.
  __device__ void sync_blocks() const {
    if (cluster.size == 1) {
      __syncthreads();
    } else {
      cluster.sync();
    }
  }

  /// Gives each warp an equal part of the places, in order.
  __device__ void divide(std::int32_t strip) {
    begin = warp() * strip < size ? warp() * strip : size;
    end = begin + strip < size ? begin + strip : size;
  }

  /// Takes note of the best score, which a NaN takes for itself.
  __device__ void set_maximum(float best) {
    numbers.maximum = add(best, 0.0f);  // -0 and +0 are one maximum
    numbers.best = -1;
    has_distribution = is_less(FILTER, best) && is_finite(best);
    known = known | Numbers::maximum;
  }
};

/// A row whose scores are held: whole, or what is left of it as a list. Either form lies in token
/// order: rank after rank, warp after warp, each warp with a strip of places of its own, so that a
/// sweep after a sweep needs no barrier.
template <bool IsList>
struct Row : RowState {
  float* scores;                ///< [size] of this block
  std::int32_t* ids = nullptr;  ///< [size] tokens of a list, rising
  int peaks_turn = 0;           ///< which half of the peaks is the newest
  bool has_peaks = false;       ///< the newest peaks are those of the scores

  __device__ std::int32_t token(std::int32_t place) const {
    if constexpr (IsList) {
      return ids[place];
    } else {
      return first + place;
    }
  }

  /// Place of a token, -1 where this block does not hold it.
  __device__ std::int32_t find(std::int64_t token) const {
    if constexpr (IsList) {
      std::int32_t low = 0;
      std::int32_t high = size;
      while (low < high) {
        const std::int32_t middle = (low + high) / 2;
        (ids[middle] < token ? low : high) = ids[middle] < token ? middle + 1 : middle;
      }
      return low < size && ids[low] == token ? low : -1;
    } else {
      const std::int64_t place = token - first;
      return place >= 0 && place < size ? static_cast<std::int32_t>(place) : -1;
    }
  }

  /// The scores are about to change: what is known of them is not true any more.
  __device__ void forget() {
    known = Numbers::none;
    numbers.best = -1;
    has_peaks = false;
  }

  /// The newest peaks, while the row is whole.
  __device__ float* peaks() const { return shared->peaks[peaks_turn]; }

  /// True where none of this warp's scores reaches `least`, as the peaks tell; they may not tell.
  /// The same for all lanes.
  __device__ bool is_below(float least) const {
    if (!has_peaks) return false;
    const float peak = peaks()[(cluster.rank * WARPS + warp()) * GROUPS + lane() * GROUPS / LANES];
    return __all_sync(ALL_LANES, is_less(peak, least)) != 0;
  }

  /// Calls `visit(place, score)` for this thread's places, in rising order.
  template <class Visit>
  __device__ void for_each(Visit visit) const {
#pragma unroll(IsList ? 1 : 4)
    for (std::int32_t place = begin + lane(); place < end; place += LANES) {
      visit(place, scores[place]);
    }
  }
};

using WholeRow = Row<false>;
using ListRow = Row<true>;

/// Every warp's record, at every block: the table is in token order.
template <class T>
__device__ const Shared::Record* exchange(RowState& row, const T& value) {
  static_assert(sizeof(T) <= sizeof(Shared::Record));
  Shared::Record* const table = row.shared->exchange[row.turn];
  row.turn ^= 1;
  if (lane() < row.cluster.size) {
    const auto words = __builtin_bit_cast(WordsOf<T>, value);
    Shared::Record* const own = row.cluster.at(&table[row.cluster.rank * WARPS + warp()], lane());
#pragma unroll
    for (int i = 0; i < WordsOf<T>::SIZE; ++i) own->word[i] = words.word[i];
  }
  row.sync();
  return table;
}

template <class T>
__device__ T read_record(const Shared::Record& record) {
  WordsOf<T> words;
#pragma unroll
  for (int i = 0; i < WordsOf<T>::SIZE; ++i) words.word[i] = record.word[i];
  return __builtin_bit_cast(T, words);
}

/// `join` of all threads' values; every thread gets it. `join` must be commutative, and its result
/// independent of the order.
template <class T, class Join>
__device__ T all_reduce(RowState& row, T value, T none, Join join) {
  value = warp_reduce(value, join);
  if (row.threads == LANES) {  // a warp's list: every lane has it
    row.sync();
    return value;
  }
  const Shared::Record* const table = exchange(row, value);
  T sum = none;
#pragma unroll 1
  for (int i = lane(); i < row.cluster.size * row.warps(); i += LANES) {
    sum = join(sum, read_record<T>(table[i]));
  }
  return warp_reduce(sum, join);
}

/// The token, in token order, with which the sum of weights first exceeds `target`; -1 where it
/// never does.
/// @param weight of (place, score)
template <bool IsList, class Weight>
__device__ std::int32_t token_at(Row<IsList>& row, std::uint64_t target, Weight weight) {
  std::uint64_t own = 0;
  row.for_each([&](std::int32_t place, float score) { own += weight(place, score); });
  own = warp_reduce(own, Plus{});
  std::uint64_t before = 0;
  if (row.threads != LANES) {
    const Shared::Record* const table = exchange(row, own);
    const int self = row.cluster.rank * WARPS + warp();
#pragma unroll 1
    for (int i = lane(); i < self; i += LANES) before += read_record<std::uint64_t>(table[i]);
    before = warp_reduce(before, Plus{});
  }
  std::int32_t found = -1;
  if (before <= target && target < before + own) {
#pragma unroll 1
    for (std::int32_t start = row.begin; found < 0; start += LANES) {
      const std::int32_t place = start + lane();
      const std::uint64_t mine = place < row.end ? weight(place, row.scores[place]) : 0;
      const std::uint64_t sum = before + warp_inclusive_sum(mine);
      const unsigned reached = __ballot_sync(ALL_LANES, sum > target);
      if (reached != 0) found = row.token(start + __ffs(static_cast<int>(reached)) - 1);
      before = __shfl_sync(ALL_LANES, sum, LANES - 1);
    }
  }
  return all_reduce(row, found, std::int32_t{-1},
                    [](std::int32_t a, std::int32_t b) { return a > b ? a : b; });
}

}  // namespace logitchain::inline v0::detail::cuda
