// SPDX-License-Identifier: Apache-2.0
// The best of a streamed row, collected in one read: what reaches a rising bound goes to a list in
// shared memory, which is pruned where it fills.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/order.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/list.cuh>
#include <logitchain/engine/cuda/detail/numbers.cuh>
#include <logitchain/engine/cuda/detail/rank_search.cuh>
#include <logitchain/engine/cuda/detail/streamed_row.cuh>

namespace logitchain::inline v0::detail::cuda {

/// Holds every token of the row whose score reaches the bound, with the `rank` best among them: the
/// bound is the rank-th best of tokens that were seen, so that whatever lies below it has `rank`
/// better ones. `begin` and `settle` are called by all threads of the block together, `push_one` by
/// those of a warp.
class BoundedList {
 public:
  /// @param slack how many floats the bound stays below that: deferred maps may make neighbouring
  /// scores one
  __device__ BoundedList(const StreamedRow& row, std::uint32_t rank, std::uint32_t slack)
      : shared_(*row.shared), first_(row.first), rank_(rank), slack_(slack) {}

  /// Every token of the block's places that is not below it is in the list.
  __device__ float bound() const { return bound_; }
  __device__ std::uint32_t count() const { return count_; }
  /// What is below it does not reach the bound, or has been removed.
  __device__ float least() const { return least_; }

  /// Takes note of the best of a group of tokens. Every thread does so for four groups or more,
  /// which join where fewer are enough: many times the rank, so that hardly two of the best are of
  /// one group.
  __device__ void note(int group, float best) {
    static_assert(LIST == 4 * THREADS);
    std::uint64_t& own = shared_.pushed[thread() + group % groups() * THREADS];
    own = bits_of(group < groups() ? best : join_peaks(best, score_of(own)));
  }
  /// Sets the first bound by the groups.
  __device__ void begin() { raise(static_cast<std::uint32_t>(groups()) * THREADS); }

  /// Pieces of the next round, where `seen` have been read: so many that what they are expected to
  /// bring finds room.
  __device__ std::int32_t next_round(std::int32_t seen) const {
    const std::int32_t rank = static_cast<std::int32_t>(rank_);
    const std::int32_t room = seen * (LIST - rank) / (2 * rank);
    return room < 1 ? 1 : room < seen ? room : seen;
  }

  /// Pushes those of a lane's scores that reach the bound.
  __device__ void push(const Eight& eight) {
    std::uint32_t own = 0;
#pragma unroll
    for (int i = 0; i < Eight::SIZE; ++i) own += reaches(eight.score[i]) ? 1u : 0u;
    std::uint32_t slot = atomicAdd(&shared_.arrived, own);
#pragma unroll
    for (int i = 0; i < Eight::SIZE; ++i) {
      if (reaches(eight.score[i])) write(slot++, first_ + eight.place(i), eight.score[i]);
    }
  }
  /// Pushes one score per lane.
  __device__ void push_one(std::int32_t token, float score) {
    const bool stays = reaches(score);
    const unsigned lanes = __ballot_sync(ALL_LANES, stays);
    if (lanes == 0) return;
    std::uint32_t slot = 0;
    if (lane() == 0) {
      slot = atomicAdd(&shared_.arrived, static_cast<std::uint32_t>(__popc(lanes)));
    }
    slot = __shfl_sync(ALL_LANES, slot, 0);
    slot += static_cast<std::uint32_t>(__popc(lanes & ((1u << lane()) - 1u)));
    if (stays) write(slot, token, score);
  }

  enum class Verdict {
    settled,
    again,    ///< some found no place: everything since the last round is to be pushed again
    too_many  ///< more tokens reach the bound than a list holds, and it does not rise, or too
              ///< slowly
  };

  /// Ends a round of pushes; makes room where the list is about to fill, or, in the end, has much
  /// more than it needs.
  __device__ Verdict settle(bool is_last) {
    __syncthreads();
    std::uint32_t count = shared_.arrived;
    __syncthreads();  // nobody pushes before all have read it
    const bool overflows = count > LIST;
    // Every entry costs, and so does every look at them; a warp alone is quick with a list, and
    // quicker yet with one entry a lane.
    constexpr std::uint32_t LANE = LANES;
    const std::uint32_t enough = rank_ + rank_ / 2;
    const std::uint32_t much = !is_last             ? enough + LANE
                               : enough <= LANE     ? LANE
                               : enough <= 4 * LANE ? 4 * LANE
                                                    : enough;
    const std::uint32_t half_way = (rank_ + LIST) / 2;
    if (!overflows && count <= (much < half_way ? much : half_way)) {
      count_ = count;
      return Verdict::settled;
    }
    const float before = bound_;
    prune(overflows ? LIST : count, overflows ? count_ : LIST);
    count = shared_.arrived;
    __syncthreads();
    count_ = count;
    if (!overflows) return Verdict::settled;
    return is_less(before, bound_) && ++repeats_ < 16 ? Verdict::again : Verdict::too_many;
  }

  /// Raises the bound to one that was found elsewhere, and drops what is below it.
  __device__ void raise_to(float bound) {
    if (!is_less(bound_, bound)) return;
    bound_ = least_ = bound;
    __syncthreads();
    if (thread() == 0) shared_.arrived = 0;
    __syncthreads();
    compact(count_, LIST);
    count_ = shared_.arrived;
    __syncthreads();
  }

 private:
  static constexpr float LOWEST = -0x1.fffffep+127f;

  /// Groups of a thread.
  __device__ int groups() const { return rank_ <= THREADS / 8 ? 1 : LIST / THREADS; }

  __device__ bool reaches(float score) const { return !is_less(score, least_) && !is_nan(score); }

  /// Raises the bound by the first `held` entries of the list.
  __device__ void raise(std::uint32_t held) {
    __syncthreads();
    const std::uint32_t lowest = order_key(FILTER);
    const std::uint32_t key =
        key_of_rank(shared_, static_cast<std::int32_t>(held), rank_,
                    [&](std::int32_t i) { return order_key(score_of(shared_.pushed[i])); });
    if (thread() == 0) shared_.arrived = 0;
    __syncthreads();
    const float bound = score_of_key(key - lowest > slack_ ? key - slack_ : lowest);
    if (is_less(bound_, bound)) bound_ = least_ = bound;
  }

  __device__ void write(std::uint32_t slot, std::int32_t token, float score) {
    if (slot < LIST) {
      shared_.pushed[slot] = (static_cast<std::uint64_t>(token) << 32) | bits_of(score);
    }
  }

  /// Raises the bound by the `held` entries of the list, and drops what is below it, or stands at
  /// `end` or behind. All see the new count.
  __device__ void prune(std::uint32_t held, std::uint32_t end) {
    raise(held);
    compact(held, end);
  }

  /// Drops of the first `held` entries what is below the bound, or stands at `end` or behind.
  /// @pre nothing counts as pushed
  __device__ void compact(std::uint32_t held, std::uint32_t end) {
    // What stays moves to the front, to places whose entries have been read.
#pragma unroll 1
    for (std::uint32_t base = 0; base < held; base += THREADS) {
      const std::uint32_t at = base + static_cast<std::uint32_t>(thread());
      const std::uint64_t entry = at < held && at < end ? shared_.pushed[at] : bits_of(FILTER);
      __syncthreads();
      push_one(static_cast<std::int32_t>(entry >> 32), score_of(entry));
    }
    __syncthreads();
  }

  __device__ static float score_of(std::uint64_t entry) {
    return float_of(static_cast<std::uint32_t>(entry));
  }

  Shared& shared_;
  std::int32_t first_;
  std::uint32_t rank_;
  std::uint32_t slack_;
  std::uint32_t count_ = 0;
  int repeats_ = 0;
  float bound_ = FILTER;
  float least_ = LOWEST;
};

/// The early maps on a lane's scores; listed tokens have theirs elsewhere.
template <class Maps>
__device__ void apply_early(const StreamedRow& row, const Maps& maps, bool any, Eight& eight) {
  if (any) {
#pragma unroll
    for (int i = 0; i < Eight::SIZE; ++i) {
      if (eight.place(i) < row.end) {
        eight.score[i] = maps.early(row.token(eight.place(i)), eight.score[i]);
      }
    }
  }
  row.skip_listed(eight);
}

/// Stands for the bound of a list that there is not.
inline constexpr float NO_LIST = -FILTER;

/// What one read of a row found: of a thread, or of all that read it.
struct Collected {
  float best = FILTER;  ///< in front of the deferred maps; a NaN takes it
  /// Every token that reaches it is in a list. +inf: there is no list, or too long a one.
  float bound = FILTER;

  /// True where the lists lack nothing that has not been removed.
  __device__ bool is_whole() const { return !is_less(FILTER, bound); }
  /// No token that the lists lack has a better score. @pre they lack some
  __device__ float best_outside() const {
    // The key below that of zero is no score's: -0 has the key of zero.
    const std::uint32_t key = order_key(bound);
    return score_of_key(key - (key == order_key(0.0f) ? 2 : 1));
  }
};
__device__ inline Collected join_collected(const Collected& a, const Collected& b) {
  return {join_peaks(a.best, b.best), larger(a.bound, b.bound)};
}

/// Reads the block's places once, listed tokens included: this thread's best score, and the list of
/// the best.
template <class Maps>
__device__ Collected collect(StreamedRow& row, const ListRow& listed, const Maps& maps,
                             BoundedList& list) {
  Collected found;
  const bool any_early = maps.any_early();
  Reader reader(row);
  const std::int32_t pieces = (row.strip + reader.places_of_piece() - 1) / reader.places_of_piece();
  // Rounds of the row, then the listed tokens, as many at a time as there are threads.
  const std::int32_t end = pieces + (listed.size + THREADS - 1) / THREADS;
  for (std::int32_t from = 0, to = 1; from < end;) {
    auto verdict = BoundedList::Verdict::settled;
    do {
      const bool is_again = verdict == BoundedList::Verdict::again;
      if (is_again) to = from + (to - from + 1) / 2;  // less at a time may find room
      if (is_again && from < pieces) reader.restart(from * reader.places_of_piece());
      for (std::int32_t piece = from; from < pieces && piece < to; ++piece) {
        const bool reads = reader.has_piece();  // the same for a warp
        if (reads) reader.take();
        // What is to be pushed of the first piece is known once its best are.
#pragma unroll 1
        for (bool pushes = piece > 0 || is_again;; pushes = true) {
#pragma unroll 1
          for (int i = 0; !pushes && !reads && i < 4; ++i) list.note(i, FILTER);
          // Few lanes have anything to push. Listed tokens are still among these logits, so that
          // there may be less to push than it seems, and never more.
          unsigned steps = !reads                 ? 0
                           : pushes && !any_early ? reader.steps_reaching(list.least())
                                                  : reader.all_steps();
#pragma unroll 1
          for (; steps != 0; steps &= steps - 1) {
            const int i = __ffs(static_cast<int>(steps)) - 1;
            Eight eight = reader.step(i);
            apply_early(row, maps, any_early, eight);
            const float first = eight.best(0);
            const float second = eight.best(4);
            if (pushes) {
              const float best = join_peaks(first, second);
              found.best = join_peaks(found.best, best);
              if (!is_less(best, list.least())) list.push(eight);
            } else {
              list.note(2 * i, first);
              list.note(2 * i + 1, second);
            }
          }
          if (pushes) break;
          list.begin();
        }
        if (reads) reader.leave();
      }
      if (from >= pieces) {
        const std::int32_t i = (from - pieces) * THREADS + thread();
        const float score = i < listed.size ? listed.scores[i] : FILTER;
        found.best = join_peaks(found.best, score);
        list.push_one(i < listed.size ? listed.ids[i] : 0, score);
      }
      verdict = list.settle(to == end);
    } while (verdict == BoundedList::Verdict::again);
    if (verdict == BoundedList::Verdict::too_many) {
      reader.give_up();
      found.bound = NO_LIST;
      return found;
    }
    from = to;
    to = from + (from < pieces ? list.next_round(from) : 1);
    if (from < pieces && to > pieces) to = pieces;
  }
  found.bound = list.bound();
  return found;
}

/// Brings the lists of a row's blocks together in the first of them: what reaches the highest of
/// their bounds. @return how many tokens those are; where a list does not hold them nothing was
/// moved
__device__ inline std::uint32_t bring_together(StreamedRow& row, BoundedList& list, float bound) {
  if (row.cluster.size == 1) return list.count();
  list.raise_to(bound);
  const Shared::Record* const counts = exchange(row, list.count());
  std::uint32_t before = 0;
  std::uint32_t total = 0;
  for (int i = 0; i < row.cluster.size; ++i) {
    if (i == row.cluster.rank) before = total;
    total += read_record<std::uint32_t>(counts[i * WARPS]);
  }
  if (total > LIST) return total;
  if (row.cluster.rank != 0) {
    std::uint64_t* const pushed = row.cluster.at(row.shared->pushed, 0);
#pragma unroll 1
    for (std::uint32_t i = static_cast<std::uint32_t>(thread()); i < list.count(); i += THREADS) {
      pushed[before + i] = row.shared->pushed[i];
    }
  }
  row.sync();
  return total;
}

}  // namespace logitchain::inline v0::detail::cuda
