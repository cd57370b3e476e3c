// SPDX-License-Identifier: Apache-2.0
// A step on a row that is streamed: one read collects the best of it, a second one sums masses
// where a stage needs them. Rows that need more are held, and take the other way.
#pragma once

#include <cstdint>

#include <logitchain/chain/chain.hpp>
#include <logitchain/core/mass.hpp>
#include <logitchain/core/philox.hpp>
#include <logitchain/core/wide_integer.hpp>
#include <logitchain/engine/cuda/detail/bounded_list.cuh>
#include <logitchain/engine/cuda/detail/draw.cuh>
#include <logitchain/engine/cuda/detail/front.cuh>
#include <logitchain/engine/cuda/detail/front_maps.cuh>
#include <logitchain/engine/cuda/detail/listed_tokens.cuh>
#include <logitchain/engine/cuda/detail/run_chain.cuh>
#include <logitchain/engine/cuda/detail/streamed_row.cuh>

namespace logitchain::inline v0::detail::cuda {

/// Scores of a streamed row as they are behind its front, place by place.
template <class Maps>
struct FrontScores {
  const StreamedRow& row;
  const ListRow& listed;
  const Maps& maps;

  __device__ float operator()(std::int32_t place) const {
    const std::int32_t token = row.token(place);
    const float score = row.is_listed(place) ? listed.scores[listed.find(token)]
                                             : maps.early(token, row.logit(place));
    return maps.late(score);
  }
};

/// This warp's mass behind the front: the second read.
/// @param maximum behind the front
template <class Maps>
__device__ std::uint64_t sum_masses(StreamedRow& row, const ListRow& listed, const Maps& maps,
                                    float maximum) {
  Shared& shared = *row.shared;
  for (int i = thread(); i < WARPS; i += THREADS) {
    shared.bins.low[i] = 0;
    shared.bins.high[i] = 0;
  }
  __syncthreads();
#pragma unroll 1
  for (std::int32_t i = thread(); i < listed.size; i += THREADS) {
    const std::uint64_t own = mass(sub(maps.late(listed.scores[i]), maximum));
    const std::int32_t strip = (listed.ids[i] - row.first) / row.strip;
    if (own != 0) add_to_bin(&shared.bins.low[strip], &shared.bins.high[strip], own);
  }
  std::uint64_t own = 0;
  const bool any_early = maps.any_early();
  const bool any_late = maps.any_late();
  for (Reader reader(row); reader.has_piece(); reader.leave()) {
    reader.take();
#pragma unroll 1
    for (std::int32_t i = 0; i < reader.steps_of_piece(); ++i) {
      Eight eight = reader.step(i);
      apply_early(row, maps, any_early, eight);
      if (any_late) {
#pragma unroll
        for (int n = 0; n < Eight::SIZE; ++n) eight.score[n] = maps.late(eight.score[n]);
      }
      MassParts sums{0, 0};
#pragma unroll
      for (int n = 0; n < Eight::SIZE; ++n) {
        const MassParts parts = mass_parts(exponential_nonpositive(sub(eight.score[n], maximum)));
        sums.hi += parts.hi;
        sums.lo += parts.lo;
      }
      own += mass_of(sums);
    }
  }
  own = warp_reduce(own, Plus{});
  __syncthreads();
  return own + shared.bins.low[warp()] +
         (static_cast<std::uint64_t>(shared.bins.high[warp()]) << 32);
}

/// The first of `count` sums with which their running total exceeds `target`, which becomes what is
/// left of it there. All threads of a warp go over the sums alike.
__device__ inline int sum_at(const Shared::Record* sums, int count, std::uint64_t& target) {
  for (int i = 0; i < count; ++i) {
    const std::uint64_t own = read_record<std::uint64_t>(sums[i]);
    if (target < own) return i;
    target -= own;
  }
  return count - 1;
}

/// The token at which the sum of masses first exceeds `target`: the warps of the block that has it
/// share what is left to look at, again and again. Every thread of the row gets it.
/// @param sums every warp's mass, as `exchange` has it
template <class Scores>
__device__ std::int32_t streamed_token_at(StreamedRow& row, const Shared::Record* sums,
                                          std::uint64_t target, float maximum, Scores scores) {
  const int holder = sum_at(sums, row.cluster.size * WARPS, target);
  if (holder / WARPS == row.cluster.rank) {
    RowState own = row;  // the others do not take part
    own.cluster = Cluster::alone();
    std::int32_t strip = row.strip;
    std::int32_t first = holder % WARPS * strip;
    std::int32_t end = row.size;
    for (;;) {
      end = first + strip < end ? first + strip : end;
      const auto mass_at = [&](std::int32_t place) {
        return place < end ? mass(sub(scores(place), maximum)) : 0;
      };
      if (strip == LANES) {
        const std::uint64_t sum = warp_inclusive_sum(mass_at(first + lane()));
        first += __ffs(static_cast<int>(__ballot_sync(ALL_LANES, sum > target))) - 1;
        break;
      }
      strip = (strip / WARPS + LANES - 1) / LANES * LANES;
      std::uint64_t sum = 0;
#pragma unroll 1
      for (std::int32_t i = lane(); i < strip; i += LANES) {
        sum += mass_at(first + warp() * strip + i);
      }
      sums = exchange(own, warp_reduce(sum, Plus{}));
      first += sum_at(sums, WARPS, target) * strip;
    }
    if (warp() == 0 && lane() < row.cluster.size) {
      *row.cluster.at(&row.shared->told, lane()) = row.token(first);
    }
  }
  row.sync();
  return row.shared->told;
}

/// Applies the deferred maps to a list of the best.
template <class ChainType>
__device__ void run_late_maps(const ChainType& chain, const RowView::Fields& fields,
                              const AutomatonSlot* slots, const Front& front, ListRow& list) {
  for_each_index<ChainType::SIZE>([&](auto i) {
    constexpr int INDEX = decltype(i)::value;
    constexpr StageTraits own = traits<ChainType, INDEX>;
    if constexpr (own.kind == Kind::map && own.monotone && !dropped<ChainType, INDEX>) {
      if (INDEX < front.deferred || INDEX >= front.filter) return;
      run_dense_maps<INDEX, INDEX + 1>(chain, fields, slots, list);
    }
  });
}

/// True where the row's first filter keeps nothing that the list lacks: none of that has a score
/// above `bound`, behind the deferred maps.
template <class ChainType>
__device__ bool covers(const ChainType& chain, const RowView::Fields& fields,
                       const AutomatonSlot* slots, const Front& front, ListRow& list, float bound) {
  if (!list.has_distribution) return false;
  std::uint32_t above = 0;
  list.for_each([&](std::int32_t, float score) { above += is_less(bound, score) ? 1u : 0u; });
  above = all_reduce(list, above, 0u, Plus{});
  bool covered = false;
  for_each_index<ChainType::SIZE>([&](auto i) {
    constexpr int INDEX = decltype(i)::value;
    constexpr StageTraits own = traits<ChainType, INDEX>;
    if constexpr (runs_on_best<ChainType, INDEX>) {
      if (INDEX != front.filter) return;
      const auto& stage = chain.template stage<INDEX>();
      const auto view = ChainType::template row_for<INDEX>(fields, slots);
      if constexpr (own.collapses) {
        covered = above > 0;
      } else if constexpr (own.kind == Kind::cut) {
        if (!prepare_cut(stage, view, list)) return;
        covered = is_removed(stage.bind(view, list.numbers)(0, bound));
        if constexpr (has(own.numbers, Numbers::kth)) {
          covered = covered && above >= static_cast<std::uint64_t>(stage.rank(view));
        }
      } else {
        const Spend spend = stage.bind(view, list.numbers).spend();
        covered = spend.count <= above;
        if (!covered && spend.mass != NO_LIMIT) {
          std::uint64_t own_mass = 0;
          list.for_each([&](std::int32_t, float score) {
            if (is_less(bound, score)) own_mass += mass(sub(score, list.numbers.maximum));
          });
          covered = spend.mass <= all_reduce(list, own_mass, std::uint64_t{0}, Plus{});
        }
        covered = covered && spend.at_least <= above;
      }
    }
  });
  return covered;
}

template <class ChainType>
__device__ bool needs_total(const Front& front) {
  bool needs = false;
  for_each_index<ChainType::SIZE>([&](auto i) {
    constexpr int INDEX = decltype(i)::value;
    if constexpr (has(traits<ChainType, INDEX>.numbers, Numbers::total)) {
      needs = needs || INDEX == front.filter;
    }
  });
  return needs;
}

/// How far a row that is streamed came.
struct Streamed {
  enum class Outcome {
    must_be_held,  ///< nothing has happened
    too_short,     ///< the same, but the list has room for more
    listed,        ///< `list` is what is left of the row in front of stage `stage`
    ended          ///< with `token`, or by a fault
  };
  Outcome outcome = Outcome::must_be_held;
  ListRow list{};
  std::int32_t stage = 0;
  Status status = Status::ok;
  std::int32_t token = -1;
};

/// Runs the front of a chain on a row that is streamed, and draws where no filter acts.
/// @param wants_more a list of the usual length turned out to be too short
template <class ChainType>
__device__ Streamed run_streamed(const ChainType& chain, const RowView::Fields& fields,
                                 const AutomatonSlot* slots, const ListedMemory& memory,
                                 const RowRecord& record, bool wants_more, StreamedRow& row) {
  Streamed streamed;
  const Front front = front_of(chain, fields, slots);
  if (!front.streams) return streamed;
  ListRow listed;
  const bool is_short = list_tokens(chain, fields, slots, front, memory, row, listed);
  const auto maps = FrontMaps<ChainType>::of(chain, fields, slots, front);
  const bool filters = front.filter < ChainType::SIZE;
  std::uint64_t total = 0;  // of the row's masses, where it is needed
  const std::uint32_t asked = wants_more ? MORE_THAN_USUAL : front.rank;
  // Each block has a part of the list, and together they bring more than one alone.
  const std::uint32_t most = LIST * 2 / 3 / static_cast<std::uint32_t>(row.cluster.size);
  const std::uint32_t rank = row.cluster.size > 1 && asked > most ? most : asked;
  // More neighbours than maps make one of; that it was enough is looked at.
  BoundedList best(row, rank, maps.any_late() ? 64 : 0);
  Collected found;
  if (is_short) {
    found = collect(row, listed, maps, best);
  } else {
    found.bound = NO_LIST;
  }
  found = all_reduce(row, found, found, join_collected);
  if (is_equal(found.bound, NO_LIST) || !is_less(FILTER, found.best) || !is_finite(found.best)) {
    return streamed;
  }
  if (row.fault != Status::ok) {
    streamed.outcome = Streamed::Outcome::ended;
    streamed.status = row.fault;
    return streamed;
  }
  const bool is_whole = found.is_whole();  // what is left of the row is all in the list
  const float outside = is_whole ? FILTER : found.best_outside();
  const Collapse collapse = maps.collapse(add(found.best, 0.0f), outside);
  const bool collapses = collapse == Collapse::yes;
  const float maximum = add(maps.late(found.best), 0.0f);
  if (collapse == Collapse::unclear) return streamed;
  if (!collapses && !(is_less(FILTER, maximum) && is_finite(maximum))) return streamed;
  if (!collapses && !is_whole && (!filters || needs_total<ChainType>(front))) {
    const Shared::Record* const table = exchange(row, sum_masses(row, listed, maps, maximum));
#pragma unroll 1
    for (int i = lane(); i < row.cluster.size * WARPS; i += LANES) {
      total += read_record<std::uint64_t>(table[i]);
    }
    total = warp_reduce(total, Plus{});
    if (!filters) {
      const std::uint64_t random =
          draw_number(record.seed, static_cast<std::uint64_t>(record.generated));
      streamed.outcome = Streamed::Outcome::ended;
      streamed.token = streamed_token_at(row, table, mulhi(random, total), maximum,
                                         FrontScores<decltype(maps)>{row, listed, maps});
      return streamed;
    }
  }

  const std::uint32_t together = bring_together(row, best, found.bound);
  if (together > LIST) return streamed;
  const std::int32_t count = static_cast<std::int32_t>(together);
  ListRow& list = streamed.list;
  __syncthreads();  // the others have read what was exchanged
  if (row.cluster.rank == 0 && thread() < threads_for(count)) {
    list = list_of_pushed(row, count);
    run_late_maps(chain, fields, slots, front, list);
    bool covered = true;
    if (filters && !collapses) {
      require(list, Numbers::maximum);
      if (total != 0) {
        list.numbers.total = total;
        list.numbers.log_total = logarithm(unfixed44(total));
        list.known = list.known | Numbers::total;
      }
      covered = is_whole || covers(chain, fields, slots, front, list, maps.late(outside));
    }
    if (warp() == 0 && lane() < row.cluster.size) {
      *row.cluster.at(&row.shared->told, lane()) = covered ? 1 : 0;
    }
  }
  row.sync_blocks();
  const bool covered = row.shared->told != 0;
  if (covered) {
    streamed.outcome = Streamed::Outcome::listed;
    streamed.list.threads = threads_for(count);
    streamed.stage = front.filter;
    return streamed;
  }
  if (front.is_guess && !wants_more) streamed.outcome = Streamed::Outcome::too_short;
  return streamed;
}

}  // namespace logitchain::inline v0::detail::cuda
