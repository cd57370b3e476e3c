// SPDX-License-Identifier: Apache-2.0
// A selection that walks its survivors, on a whole row: they are fetched best first, a list's
// worth at a time.
#pragma once

#include <cstdint>

#include <logitchain/core/order.hpp>
#include <logitchain/engine/cuda/detail/list.cuh>
#include <logitchain/engine/cuda/detail/row.cuh>
#include <logitchain/engine/cuda/detail/threshold.cuh>

namespace logitchain::inline v0::detail::cuda {

/// Scores of a whole row, best first. Every thread of the cluster asks for the same ones.
template <class Key>
class RankedWhole {
 public:
  __device__ RankedWhole(WholeRow& row, Key key) : row_(row), key_(key) {}

  __device__ float score(std::int64_t i) const {
    if (i < first_ || i >= first_ + count_) fetch(i - i % LIST);
    const float* const scores = row_.cluster.at(row_.shared->list.scores, 0);
    return scores[i - first_];
  }

  /// The end of the `count` best.
  __device__ Threshold end_after(std::int64_t count) const {
    return threshold_by_bins(row_, static_cast<std::uint64_t>(count), false, key_, Measure::tokens);
  }

 private:
  __device__ void fetch(std::int64_t first) const {
    row_.sync();  // the scores fetched before have been read
    const Threshold before = end_after(first);
    const Threshold through = end_after(first + LIST);
    Shared& shared = *row_.shared;
    if (row_.cluster.rank == 0 && thread() == 0) shared.arrived = 0;
    row_.sync();
    const std::uint32_t count = push_survivors(row_, FILTER, [&](std::int32_t token, float score) {
      const std::uint32_t own = key_(score);
      return through.keeps(own, token) && !before.keeps(own, token) ? score : FILTER;
    });
    if (row_.cluster.rank == 0) {
      for (std::int32_t i = thread(); i < static_cast<std::int32_t>(count); i += THREADS) {
        const float score = float_of(static_cast<std::uint32_t>(shared.pushed[i]));
        shared.merged[i] =
            (static_cast<std::uint64_t>(~key_(score)) << 32) | static_cast<std::uint32_t>(i);
      }
      __syncthreads();
      // Only scores are looked at, so that the order of ties does not matter.
      sort_numbers(shared.merged, static_cast<std::int32_t>(count), THREADS);
      for (std::int32_t i = thread(); i < static_cast<std::int32_t>(count); i += THREADS) {
        const std::uint32_t slot = static_cast<std::uint32_t>(shared.merged[i]);
        shared.list.scores[i] = float_of(static_cast<std::uint32_t>(shared.pushed[slot]));
      }
      if (thread() == 0) shared.arrived = 0;
    }
    row_.sync();
    first_ = first;
    count_ = count;
  }

  WholeRow& row_;
  Key key_;
  mutable std::int64_t first_ = 0;
  mutable std::int64_t count_ = 0;
};

/// Lets a walking selection shorten the prefix that `threshold` ends.
template <class Bound, class Key>
__device__ Threshold walk_whole(WholeRow& row, const Threshold& threshold, const Bound& bound,
                                Key key) {
  std::uint32_t own = 0;
  row.for_each([&](std::int32_t place, float score) {
    own += !is_removed(score) && threshold.keeps(key(score), row.token(place)) ? 1u : 0u;
  });
  const std::uint32_t count = all_reduce(row, own, 0u, Plus{});
  const RankedWhole<Key> ranked(row, key);
  const std::int64_t length =
      walked_length(bound.length(ranked, static_cast<std::int64_t>(count)), count);
  row.sync();  // all have read the last scores
  return ranked.end_after(length);
}

}  // namespace logitchain::inline v0::detail::cuda
