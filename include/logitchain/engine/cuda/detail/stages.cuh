// SPDX-License-Identifier: Apache-2.0
// The stages of a chain on a row, whole or a list: maps, listed maps, cuts, selections.
#pragma once

#include <cstdint>
#include <utility>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/map_runs.hpp>
#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/order.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/list.cuh>
#include <logitchain/engine/cuda/detail/numbers.cuh>
#include <logitchain/engine/cuda/detail/row.cuh>
#include <logitchain/engine/cuda/detail/threshold.cuh>

namespace logitchain::inline v0::detail::cuda {

/// What the planner knows of stage `Index`: values for device code, which cannot call `std::array`.
template <class ChainType, int Index>
inline constexpr StageTraits traits = ChainType::TRAITS[Index];
template <class Stage>
inline constexpr StageTraits stage_traits = traits_of<Stage>();
template <class ChainType, int Index>
inline constexpr bool dropped = ChainType::PLAN.dropped[Index];
template <class ChainType, int Index>
inline constexpr int run_end = end_of_run<ChainType>(Index);
template <class ChainType, int Index>
inline constexpr bool begins_run_at = begins_run<ChainType>(Index);

/// One dense map, bound to its row.
template <class Bound, bool KeepsFilter>
struct BoundMapOf {
  Bound bound;
  bool on;
  __device__ float operator()(std::int32_t token, float score) const {
    if (!on) return score;
    if constexpr (!KeepsFilter) {
      // -inf stays, whatever the arithmetic would say.
      if (is_removed(score)) return score;
    }
    return bound(token, score);
  }
};

/// The dense maps [Index, Last), bound to their row.
template <class ChainType, int Index, int Last>
struct MapRun {
  using Stage = typename ChainType::template Stage<Index>;
  static constexpr bool KEEPS_FILTER =
      traits<ChainType, Index>.revives || traits<ChainType, Index>.monotone;
  using Bound =
      decltype(bind_map(std::declval<const Stage&>(), std::declval<const RowOf<Stage>&>()));

  BoundMapOf<Bound, KEEPS_FILTER> head;
  MapRun<ChainType, Index + 1, Last> tail;

  __device__ static MapRun of(const ChainType& chain, const RowView::Fields& fields,
                              const AutomatonSlot* slots) {
    const Stage& stage = chain.template stage<Index>();
    const auto view = ChainType::template row_for<Index>(fields, slots);
    return {{bind_map(stage, view), is_active(stage, view)},
            MapRun<ChainType, Index + 1, Last>::of(chain, fields, slots)};
  }
  __device__ float operator()(std::int32_t token, float score) const {
    return tail(token, head(token, score));
  }
  __device__ bool any() const { return head.on || tail.any(); }
  /// Never reverses the order of two scores.
  __device__ bool ordered() const {
    return (traits<ChainType, Index>.monotone || !head.on) && tail.ordered();
  }
};

template <class ChainType, int Last>
struct MapRun<ChainType, Last, Last> {
  __device__ static MapRun of(const ChainType&, const RowView::Fields&, const AutomatonSlot*) {
    return {};
  }
  __device__ float operator()(std::int32_t, float score) const { return score; }
  __device__ bool any() const { return false; }
  __device__ bool ordered() const { return true; }
};

/// Writes `rewrite(place, score)` over every score that is not removed.
template <class Rewrite>
__device__ void rewrite_in_place(WholeRow& row, Rewrite rewrite) {
  row.for_each([&](std::int32_t place, float score) {
    if (!is_removed(score)) row.scores[place] = rewrite(place, score);
  });
}

/// The same on either form; what comes out as -inf is removed.
__device__ inline void filter_row(WholeRow& row, auto rewrite) { rewrite_in_place(row, rewrite); }
__device__ inline void filter_row(ListRow& row, auto rewrite) { rewrite_list(row, rewrite); }

/// Leaves the best token, the lowest of those that tie, with score 0.
template <bool IsList>
__device__ void collapse_to_best(Row<IsList>& row) {
  find_best(row);
  const std::int32_t best = row.numbers.best;
  filter_row(row,
             [&](std::int32_t place, float) { return row.token(place) == best ? 0.0f : FILTER; });
  row.forget();
}

/// True where a map that may collapse the row did so (or must leave a row without a distribution
/// alone): it is then off.
template <bool IsList, class Bound>
__device__ bool collapsed(Row<IsList>& row, const Bound& bound) {
  if (!bound.needs_maximum()) return false;
  if (!has(row.known, Numbers::maximum)) find_maximum(row);
  if (!row.has_distribution) return bound.collapses(0.0f);
  if (!bound.collapses(row.numbers.maximum)) return false;
  collapse_to_best(row);
  return true;
}

/// Runs the dense maps [First, Last) in one sweep.
template <int First, int Last, bool IsList, class ChainType>
__device__ void run_dense_maps(const ChainType& chain, const RowView::Fields& fields,
                               const AutomatonSlot* slots, Row<IsList>& row) {
  auto maps = MapRun<ChainType, First, Last>::of(chain, fields, slots);
  if constexpr (traits<ChainType, First>.may_collapse) {
    if (maps.head.on && collapsed(row, maps.head.bound)) maps.head.on = false;
  }
  if (!maps.any()) return;
  row.for_each(
      [&](std::int32_t place, float score) { row.scores[place] = maps(row.token(place), score); });
  const bool had_maximum = has(row.known, Numbers::maximum) && row.has_distribution;
  const float maximum = had_maximum ? add(maps(0, row.numbers.maximum), 0.0f) : 0.0f;
  if (!had_maximum || !maps.ordered() || !is_finite(maximum)) {
    row.forget();
    return;
  }
  // An order that is kept keeps the best of every group what it is made of.
  const bool had_peaks = row.has_peaks;
  row.forget();
  row.numbers.maximum = maximum;
  row.known = Numbers::maximum;
  if constexpr (!IsList) {
    row.has_peaks = had_peaks;
    if (had_peaks) {
      __syncthreads();
#pragma unroll 1
      for (int i = thread(); i < row.cluster.size * WARPS * GROUPS; i += THREADS) {
        row.peaks()[i] = maps(0, row.peaks()[i]);
      }
      __syncthreads();
    }
  }
}

/// Calls `visit(place, i)` for the listed tokens that this block holds. One outside of the
/// vocabulary is skipped, and but for -1 marks the row; every block looks at the whole list.
template <bool IsList, class Bound, class Visit>
__device__ void for_each_listed(Row<IsList>& row, const Bound& bound, Visit visit) {
  bool damaged = false;
  sync_first(row.threads);
#pragma unroll 1
  for (std::int64_t i = thread(); i < bound.size(); i += row.threads) {
    const std::int64_t token = bound.token(i);
    if (token == -1) continue;
    if (token < 0 || token >= row.vocab) {
      damaged = true;
      continue;
    }
    const std::int32_t place = row.find(token);
    if (place >= 0) visit(place, i);
  }
  if (sync_first_or(row.threads, damaged)) row.fault = Status::invalid_table;
}

/// Applies a map to the tokens that it lists. A list may name a token twice where twice does what
/// once does: two threads may then write one score at once, hence `volatile`, which makes that no
/// race.
template <bool IsList, class Bound>
__device__ void run_listed_map(const Bound& bound, Row<IsList>& row) {
  if (bound.size() == 0) return;
  for_each_listed(row, bound, [&](std::int32_t place, std::int64_t i) {
    volatile float& own = row.scores[place];
    const float score = own;
    if (!is_removed(score)) own = bound(i, score);
  });
  row.forget();
}

/// Leaves the tokens that a forcing stage lists, with score 0, whether they had survived or not.
template <class Bound>
__device__ void run_force(const Bound& bound, WholeRow& row) {
  row.for_each([&](std::int32_t place, float) { row.scores[place] = FILTER; });
  for_each_listed(row, bound, [&](std::int32_t place, std::int64_t) {
    volatile float& own = row.scores[place];  // as in run_listed_map
    own = 0.0f;
  });
  row.forget();
}

template <bool KeepsBest, bool IsList>
__device__ void forget_after_filter(Row<IsList>& row) {
  row.has_peaks = false;
  if constexpr (KeepsBest) {
    row.known = Numbers::maximum;
  } else {
    row.forget();
  }
}

/// The score of the rank-th best token, -inf past the last.
__device__ inline float score_of_rank(WholeRow& row, std::int64_t rank) {
  if (rank <= 1) return row.numbers.maximum;
  if (rank > row.vocab) return FILTER;
  const Threshold threshold = threshold_by_bins(
      row, static_cast<std::uint64_t>(rank), true, [](float score) { return order_key(score); },
      Measure::tokens);
  return score_of_key(threshold.key);
}
__device__ inline float score_of_rank(ListRow& row, std::int64_t rank) {
  if (rank <= 1) return row.numbers.maximum;
  if (rank > row.size) return FILTER;
  const Ranking ranking(row, [](float score) { return order_key(score); });
  return score_of_key(ranking.key(static_cast<std::int32_t>(rank) - 1));
}

/// A cut's function (token, score) -> score, its numbers found. False where the row has no
/// distribution, and passes unchanged.
template <class Stage, bool IsList, class View>
__device__ bool prepare_cut(const Stage& stage, const View& view, Row<IsList>& row) {
  constexpr StageTraits own = stage_traits<Stage>;
  require(row, own.numbers);
  if (!row.has_distribution) return false;
  if constexpr (has(own.numbers, Numbers::kth)) {
    row.numbers.kth = score_of_rank(row, stage.rank(view));
  }
  return true;
}

template <bool IsList, class Stage, class View>
__device__ void run_cut(const Stage& stage, const View& view, Row<IsList>& row) {
  constexpr StageTraits own = stage_traits<Stage>;
  if (!prepare_cut(stage, view, row)) return;
  if constexpr (own.collapses) {
    collapse_to_best(row);
  } else {
    const auto bound = stage.bind(view, row.numbers);
    filter_row(row,
               [&](std::int32_t place, float score) { return bound(row.token(place), score); });
    forget_after_filter<own.keeps_best>(row);
  }
}

/// Scores of a list, best first: what a stage that walks its survivors sees.
struct RankedScores {
  const ListRow& row;
  const Ranking& ranking;
  __device__ float score(std::int64_t i) const {
    return row.scores[ranking.place(static_cast<std::int32_t>(i))];
  }
};

template <class Stage, class View>
__device__ void run_selection(const Stage& stage, const View& view, ListRow& row) {
  constexpr StageTraits own = stage_traits<Stage>;
  require(row, own.numbers);
  if (!row.has_distribution) return;
  const auto bound = stage.bind(view, row.numbers);
  const auto key = [&](float score) { return order_key(static_cast<float>(bound.key(score))); };
  const Ranking ranking(row, key);
  Threshold threshold = threshold_of(row, bound.spend(), ranking);
  if constexpr (own.walks) {
    row.sync();  // the search for a mass has told its length in the same place
    if (warp() == 0) {
      std::int32_t count = 0;
      while (count < row.size && !is_removed(row.scores[ranking.place(count)]) &&
             threshold.keeps(ranking.key(count), row.token(ranking.place(count)))) {
        ++count;
      }
      const std::int64_t length = bound.length(RankedScores{row, ranking}, count);
      if (lane() == 0) row.shared->length = static_cast<std::int32_t>(walked_length(length, count));
    }
    row.sync();
    threshold = ranking.end_after(static_cast<std::uint64_t>(row.shared->length));
  }
  rewrite_list(row, [&](std::int32_t place, float score) {
    return threshold.keeps(key(score), row.token(place)) ? score : FILTER;
  });
  forget_after_filter<own.keeps_best>(row);
}

}  // namespace logitchain::inline v0::detail::cuda
