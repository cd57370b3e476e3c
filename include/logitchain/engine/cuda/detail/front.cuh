// SPDX-License-Identifier: Apache-2.0
// What stands in front of the first filter that acts on a row, and whether a row that is streamed
// gets through it without being held.
#pragma once

#include <cstdint>

#include <logitchain/chain/chain.hpp>
#include <logitchain/engine/cuda/detail/run_chain.cuh>
#include <logitchain/engine/cuda/detail/stages.cuh>

namespace logitchain::inline v0::detail::cuda {

/// The stages of a chain as one row meets them.
struct Front {
  /// The first cut or selection that acts; the chain's size where none does.
  int filter;
  /// Maps of [deferred, filter) keep the order of scores, so that the best of the scores in front
  /// of them are the best behind them; none of them lists its tokens.
  int deferred = 0;
  /// How many of the best scores a list should hold, ties included.
  std::uint32_t rank = 1;
  bool is_guess = false;  ///< the filter names no number of tokens
  bool streams = true;
};

/// The most tokens that a list is asked to hold, so that what ties with them has room as well.
inline constexpr std::uint32_t MOST_LISTED = LIST - 256;
/// Where a filter names no number of tokens, as many are tried first, then as many more.
inline constexpr std::uint32_t USUALLY_ENOUGH = 256;
inline constexpr std::uint32_t MORE_THAN_USUAL = 1024;

/// True where a filter may run on a list that holds the best of the row: what it removes, it
/// removes from the end of the order of scores.
constexpr bool filters_by_score(const StageTraits& stage) {
  if (has(stage.numbers, Numbers::entropy | Numbers::deviation)) return false;
  if (stage.kind == Kind::selection) return stage.by_score;
  return stage.collapses || (stage.monotone && stage.keeps_best);
}

/// True where the first filter of a chain, or the draw, may act on a row that is streamed.
template <class ChainType>
constexpr bool first_filter_streams() {
  for (int i = 0; i < ChainType::SIZE; ++i) {
    const StageTraits& stage = ChainType::TRAITS[static_cast<std::size_t>(i)];
    if (ChainType::PLAN.dropped[static_cast<std::size_t>(i)]) continue;
    if (stage.shrinks()) return filters_by_score(stage) && stays_removed_after<ChainType>(i);
  }
  return true;
}

template <class ChainType>
inline constexpr bool may_stream = first_filter_streams<ChainType>();
template <class ChainType, int Index>
inline constexpr bool shrinks = traits<ChainType, Index>.shrinks();
/// True where stage `Index` may run on a list of the best of its row.
template <class ChainType, int Index>
inline constexpr bool runs_on_best =
    !dropped<ChainType, Index> && shrinks<ChainType, Index> &&
    filters_by_score(traits<ChainType, Index>) && may_list<ChainType, Index>;

/// How many tokens the list in front of a filter should hold; 0: it cannot have one. That they were
/// enough is looked at once the row's numbers are known.
template <class ChainType, int Index, class Stage, class View>
__device__ std::uint32_t rank_for(const Stage& stage, const View& view, bool& is_guess) {
  constexpr StageTraits own = traits<ChainType, Index>;
  if constexpr (!runs_on_best<ChainType, Index>) {
    return 0;
  } else if constexpr (own.collapses) {
    return 1;
  } else if constexpr (own.kind == Kind::cut) {
    is_guess = true;
    std::uint64_t rank = USUALLY_ENOUGH;
    if constexpr (has(own.numbers, Numbers::kth)) {
      const std::uint64_t asked = static_cast<std::uint64_t>(stage.rank(view));
      rank = asked > rank ? asked : rank;
    }
    return rank > MOST_LISTED ? 0 : static_cast<std::uint32_t>(rank);
  } else {
    const Spend spend = stage.bind(view, RowNumbers{}).spend();
    const std::uint64_t rank = spend.count > spend.at_least ? spend.count : spend.at_least;
    if (rank <= MOST_LISTED) return static_cast<std::uint32_t>(rank);
    is_guess = has(own.numbers, Numbers::total);  // a mass may end it long before
    return is_guess ? USUALLY_ENOUGH : 0;
  }
}

template <class ChainType>
__device__ Front front_of(const ChainType& chain, const RowView::Fields& fields,
                          const AutomatonSlot* slots) {
  Front front{ChainType::SIZE};
  bool may_collapse = false;  // by a map of those that are deferred so far
  for_each_index<ChainType::SIZE>([&](auto i) {
    constexpr int INDEX = decltype(i)::value;
    constexpr StageTraits own = traits<ChainType, INDEX>;
    if constexpr (!dropped<ChainType, INDEX>) {
      if (front.filter < ChainType::SIZE || !front.streams) return;
      const auto& stage = chain.template stage<INDEX>();
      const auto view = ChainType::template row_for<INDEX>(fields, slots);
      if (!is_active(stage, view)) return;
      if constexpr (shrinks<ChainType, INDEX>) {
        front.filter = INDEX;
        front.rank = rank_for<ChainType, INDEX>(stage, view, front.is_guess);
        front.streams = front.rank > 0;
      } else if constexpr (own.kind == Kind::force) {
        front.streams = false;
      } else if constexpr (own.kind == Kind::map && own.monotone) {
        if constexpr (own.may_collapse) {
          may_collapse = may_collapse || stage.bind(view).needs_maximum();
        }
      } else {
        if constexpr (own.kind == Kind::listed) {
          if (stage.bind(view).size() == 0) return;
        }
        // The maximum at the place of a map that may collapse the row is then nobody's to tell.
        front.streams = !may_collapse;
        if constexpr (own.may_collapse) {
          front.streams = front.streams && !stage.bind(view).needs_maximum();
        }
        front.deferred = INDEX + 1;
      }
    }
  });
  return front;
}

}  // namespace logitchain::inline v0::detail::cuda
