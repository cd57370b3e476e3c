// SPDX-License-Identifier: Apache-2.0
// Runs a chain on one row: whole until a stage leaves few enough survivors, then on their list.
#pragma once

#include <cstdint>

#include <logitchain/chain/chain.hpp>
#include <logitchain/engine/cuda/detail/list.cuh>
#include <logitchain/engine/cuda/detail/stages.cuh>
#include <logitchain/engine/cuda/detail/walk.cuh>

namespace logitchain::inline v0::detail::cuda {

/// True where none of the stages behind `stage` gives removed tokens a score again: they may run on
/// a list.
template <class ChainType>
constexpr bool stays_removed_after(int stage) {
  for (int i = stage + 1; i < ChainType::SIZE; ++i) {
    const StageTraits& own = ChainType::TRAITS[static_cast<std::size_t>(i)];
    if (own.revives || own.kind == Kind::force) return false;
  }
  return true;
}

/// True where stage `stage` may be the one that runs on a list, or one before it.
template <class ChainType>
constexpr bool is_listed_at(int stage) {
  for (int i = 0; i <= stage; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    if (ChainType::TRAITS[at].shrinks() && !ChainType::PLAN.dropped[at] &&
        stays_removed_after<ChainType>(i)) {
      return true;
    }
  }
  return false;
}

template <class ChainType, int Index>
inline constexpr bool may_list = stays_removed_after<ChainType>(Index);
template <class ChainType, int Index>
inline constexpr bool lists_before = is_listed_at<ChainType>(Index);

/// Where a row went over to a list.
struct Narrowed {
  std::int32_t stage =
      -1;                  ///< the stage that is the first to run on the list; -1: the row is whole
  std::int32_t count = 0;  ///< survivors pushed
};

/// Pushes survivors; where they are too many for a list the row stays whole.
/// @param least a score below which nothing survives; -inf: none is known
template <class Survivor>
__device__ bool narrow(WholeRow& row, Narrowed& narrowed, std::int32_t stage, float least,
                       Survivor survivor) {
  const std::uint32_t count = push_survivors(row, least, survivor);
  if (count <= LIST) {
    narrowed = {stage, static_cast<std::int32_t>(count)};
    return true;
  }
  if (row.cluster.rank == 0 && thread() == 0) row.shared->arrived = 0;
  row.sync();
  return false;
}

template <int Index, bool MayNarrow, class Stage, class View>
__device__ void run_cut_on_whole(const Stage& stage, const View& view, WholeRow& row,
                                 Narrowed& narrowed) {
  constexpr StageTraits own = stage_traits<Stage>;
  if constexpr (!MayNarrow || !(own.collapses || own.keeps_best)) {
    run_cut(stage, view, row);
  } else {
    if (!prepare_cut(stage, view, row)) return;
    if constexpr (own.collapses) {
      find_best(row);
      const std::int32_t best = row.numbers.best;
      narrow(row, narrowed, Index + 1, row.numbers.maximum,
             [&](std::int32_t token, float) { return token == best ? 0.0f : FILTER; });
      row.forget();
    } else {
      const auto bound = stage.bind(view, row.numbers);
      if (!narrow(row, narrowed, Index + 1, FILTER, bound)) {
        filter_row(row,
                   [&](std::int32_t place, float score) { return bound(row.token(place), score); });
      }
      forget_after_filter<true>(row);
    }
  }
}

template <int Index, bool MayNarrow, class Stage, class View>
__device__ void run_selection_on_whole(const Stage& stage, const View& view, WholeRow& row,
                                       Narrowed& narrowed) {
  constexpr StageTraits own = stage_traits<Stage>;
  require(row, own.numbers);
  if (!row.has_distribution) return;
  const auto bound = stage.bind(view, row.numbers);
  const Spend spend = bound.spend();
  if constexpr (MayNarrow && own.by_score) {
    if (spend.count != NO_LIMIT) {
      // More than what may stay goes to the list, where the stage itself runs.
      if (!row.has_peaks) exchange_peaks(row);
      const float least =
          bound_of_rank(row, spend.count > spend.at_least ? spend.count : spend.at_least);
      if (!is_removed(least) && narrow(row, narrowed, Index, least, [&](std::int32_t, float score) {
            return is_less(score, least) ? FILTER : score;
          })) {
        return;
      }
    }
  }
  const auto key = [&](float score) { return order_key(static_cast<float>(bound.key(score))); };
  Threshold threshold = threshold_of(row, spend, key);
  if constexpr (own.walks) threshold = walk_whole(row, threshold, bound, key);
  const auto kept = [&](std::int32_t token, float score) {
    return threshold.keeps(key(score), token) ? score : FILTER;
  };
  bool listed = false;
  if constexpr (MayNarrow) listed = narrow(row, narrowed, Index + 1, FILTER, kept);
  if (!listed) {
    rewrite_in_place(
        row, [&](std::int32_t place, float score) { return kept(row.token(place), score); });
  }
  forget_after_filter<own.keeps_best>(row);
}

/// Applies stage `Index`, or the run of maps that begins at it, to a whole row.
template <int Index, bool MayNarrow, class ChainType>
__device__ void run_stage_on_whole(const ChainType& chain, const RowView::Fields& fields,
                                   const AutomatonSlot* slots, WholeRow& row, Narrowed& narrowed) {
  constexpr StageTraits own = traits<ChainType, Index>;
  if constexpr (own.kind == Kind::map) {
    if constexpr (begins_run_at<ChainType, Index>) {
      run_dense_maps<Index, run_end<ChainType, Index>>(chain, fields, slots, row);
    }
  } else {
    const auto& stage = chain.template stage<Index>();
    const auto view = ChainType::template row_for<Index>(fields, slots);
    if (!is_active(stage, view)) return;
    if constexpr (own.kind == Kind::listed) {
      run_listed_map(stage.bind(view), row);
    } else if constexpr (own.kind == Kind::force) {
      run_force(stage.bind(view), row);
    } else if constexpr (own.kind == Kind::cut) {
      run_cut_on_whole<Index, MayNarrow>(stage, view, row, narrowed);
    } else {
      run_selection_on_whole<Index, MayNarrow>(stage, view, row, narrowed);
    }
  }
}

/// Applies a chain to a whole row. @return where it went over to a list, which only rows that are
/// drawn from do
template <bool Draws, class ChainType>
__device__ Narrowed run_on_whole(const ChainType& chain, const RowView::Fields& fields,
                                 const AutomatonSlot* slots, WholeRow& row) {
  Narrowed narrowed;
  for_each_index<ChainType::SIZE>([&](auto i) {
    constexpr int INDEX = decltype(i)::value;
    if constexpr (!dropped<ChainType, INDEX>) {
      constexpr bool MAY_NARROW = Draws && may_list<ChainType, INDEX>;
      if (narrowed.stage < 0) {
        run_stage_on_whole<INDEX, MAY_NARROW>(chain, fields, slots, row, narrowed);
      }
    }
  });
  return narrowed;
}

/// Applies the stages from `first` on to a list.
template <class ChainType>
__device__ void run_on_list(const ChainType& chain, const RowView::Fields& fields,
                            const AutomatonSlot* slots, ListRow& row, std::int32_t first) {
  for_each_index<ChainType::SIZE>([&](auto i) {
    constexpr int INDEX = decltype(i)::value;
    constexpr StageTraits own = traits<ChainType, INDEX>;
    if constexpr (!dropped<ChainType, INDEX> && lists_before<ChainType, INDEX>) {
      if (INDEX < first) return;
      if constexpr (own.kind == Kind::map) {
        if constexpr (begins_run_at<ChainType, INDEX>) {
          run_dense_maps<INDEX, run_end<ChainType, INDEX>>(chain, fields, slots, row);
        }
      } else {
        const auto& stage = chain.template stage<INDEX>();
        const auto view = ChainType::template row_for<INDEX>(fields, slots);
        if (!is_active(stage, view)) return;
        if constexpr (own.kind == Kind::listed) {
          run_listed_map(stage.bind(view), row);
        } else if constexpr (own.kind == Kind::cut) {
          run_cut(stage, view, row);
        } else {
          run_selection(stage, view, row);
        }
      }
    }
  });
}

}  // namespace logitchain::inline v0::detail::cuda
