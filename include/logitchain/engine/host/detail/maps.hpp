// SPDX-License-Identifier: Apache-2.0
// Maps that touch every score: neighbours are run as one, and where they keep the order, only on
// blocks that are looked at.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/map_runs.hpp>
#include <logitchain/core/arithmetic.hpp>
#include <logitchain/engine/host/detail/parts.hpp>
#include <logitchain/engine/host/detail/peaks.hpp>
#include <logitchain/engine/host/detail/reduce.hpp>
#include <logitchain/engine/host/detail/row.hpp>
#include <logitchain/engine/host/detail/shrink.hpp>

namespace logitchain::inline v0::detail {

/// A map that is on or off for this row. `KeepsFilter`: it is called with -inf as well, because it
/// may revive a token, or because it keeps order and so -inf by itself.
template <class Bound, bool KeepsFilter>
struct SwitchedMap {
  Bound bound;
  bool on;
  float operator()(std::int32_t token, float score) const {
    if (!on) return score;
    if constexpr (!KeepsFilter) {
      // -inf stays, whatever the arithmetic would say.
      if (score == FILTER) return FILTER;
    }
    return bound(token, score);
  }
  /// The same, being on.
  auto always() const {
    return [held = bound](std::int32_t token, float score) {
      if constexpr (!KeepsFilter) {
        if (score == FILTER) return FILTER;
      }
      return held(token, score);
    };
  }
};

/// Maps of one row, one after the other.
template <class... Maps>
struct JoinedMaps {
  std::tuple<Maps...> maps;

  bool any_on() const {
    return std::apply([](const auto&... map) { return (map.on || ...); }, maps);
  }
  /// Calls `use` with a function (token, score) -> score; at least one map is on.
  template <class Use>
  void visit(Use use) const {
    if constexpr (sizeof...(Maps) == 1) {
      use(std::get<0>(maps).always());
    } else {
      use([held = maps](std::int32_t token, float score) {
        std::apply([&](const auto&... map) { ((score = map(token, score)), ...); }, held);
        return score;
      });
    }
  }
};
template <class... Maps>
JoinedMaps(std::tuple<Maps...>) -> JoinedMaps<Maps...>;

template <int Stage, class ChainType>
auto switched_map(const ChainType& chain, const RowView::Fields& fields,
                  const AutomatonSlot* slots) {
  const auto& stage = chain.template stage<Stage>();
  const auto row = ChainType::template row_for<Stage>(fields, slots);
  auto bound = bind_map(stage, row);
  return SwitchedMap<decltype(bound),
                     (ChainType::TRAITS[Stage].revives || ChainType::TRAITS[Stage].monotone)>{
      std::move(bound), is_active(stage, row)};
}

/// True where a map that may collapse the row did so (or must leave a row without a distribution
/// alone): it is then off for the sweep.
template <class Bound>
bool collapsed(HostRow& row, const Bound& bound, bool in_place) {
  if (!bound.needs_maximum()) return false;
  if (!has(row.known, Numbers::maximum)) find_maximum(row);
  if (!row.has_distribution) return bound.collapses(0.0f);
  if (!bound.collapses(row.numbers.maximum)) return false;
  collapse_to_best(row, in_place);
  return true;
}

/// Rewrites every score; a whole row gets its peaks by the way.
template <class Apply>
void sweep_maps(HostRow& row, Apply apply) {
  float* const to = row.own;
  row.count_sweep();
  if (row.compact) {
    for (std::int64_t i = 0; i < row.size; ++i) to[i] = apply(row.ids[i], row.scores[i]);
    return;
  }
  sweep_blocks(row, row.peaks, [to, apply](const float* scores, std::int64_t i) {
    return to[i] = apply(static_cast<std::int32_t>(i), scores[i]);
  });
  row.rewritten();
  row.has_peaks = true;
}

/// True where the stage after a run of maps, or the draw, asks for the row's mass.
template <bool Draws, class ChainType>
constexpr bool total_follows(int stage) {
  if (stage >= ChainType::SIZE) return Draws;
  const std::size_t i = static_cast<std::size_t>(stage);
  return !ChainType::PLAN.dropped[i] && has(ChainType::TRAITS[i].numbers, Numbers::total) &&
         !has(ChainType::TRAITS[i].numbers, Numbers::entropy);
}

/// True where the stage is on for the row; the draw always is.
template <int Stage, class ChainType>
bool is_on(const ChainType& chain, const RowView::Fields& fields, const AutomatonSlot* slots) {
  if constexpr (Stage < ChainType::SIZE) {
    return is_active(chain.template stage<Stage>(),
                     ChainType::template row_for<Stage>(fields, slots));
  } else {
    return true;
  }
}

/// The dense maps [First, Last) of a row as one function (token, score) -> score.
template <int First, int Last, class ChainType>
auto joined_maps(const ChainType& chain, const RowView::Fields& fields,
                 const AutomatonSlot* slots) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return JoinedMaps{std::make_tuple(switched_map<First + I>(chain, fields, slots)...)};
  }(std::make_integer_sequence<int, Last - First>{});
}

/// Applies the maps [First, Last) to a block of the row's own memory.
template <int First, int Last, class ChainType>
void map_block(const HostRow& row, std::int64_t block) {
  const auto& chain = *static_cast<const ChainType*>(row.chain);
  const std::int64_t first = block * BLOCK;
  const std::int64_t end = std::min<std::int64_t>(row.size, first + BLOCK);
  joined_maps<First, Last>(chain, row.fields, row.slots).visit([&](auto apply) {
    float* const own = row.own;
    call_with(row.instructions, [=] {
      for (std::int64_t i = first; i < end; ++i) {
        own[i] = apply(static_cast<std::int32_t>(i), own[i]);
      }
    });
  });
}

/// Rewrites a row with maps that keep the order of scores, its maximum being known.
template <bool WithTotal, class Apply>
void run_ordered_maps(HostRow& row, HostScratch& scratch, LateMaps late, Apply apply) {
  const float maximum = add(apply(0, row.numbers.maximum), 0.0f);  // as find_maximum has it
  if (row.compact || !row.has_peaks || row.has_stale) {
    sweep_maps(row, apply);
  } else {
    // The peaks follow from those before, so blocks that are not looked at need not be written.
    if (row.late_maps) settle(row);
    call_with(row.instructions, [peaks = row.peaks, blocks = blocks_of(row.size), apply] {
      for (std::int64_t i = 0; i < blocks * LANES; ++i) peaks.lanes[i] = apply(0, peaks.lanes[i]);
      for (std::int64_t i = 0; i < blocks; ++i) peaks.tops[i] = apply(0, peaks.tops[i]);
    });
    if constexpr (WithTotal) {
      row.count_sweep();
      row.forget();
      note_totals<false>(row, sum_masses<false>(row, maximum, row.peaks.tops, scratch.masses,
                                                [apply](const float* scores, std::int64_t i) {
                                                  return apply(static_cast<std::int32_t>(i),
                                                               scores[i]);
                                                }));
    }
    map_late(row, late);
  }
  // An order that is kept keeps the maximum, though more tokens may tie with it now.
  const Numbers total = WithTotal ? row.known & Numbers::total : Numbers::none;
  row.numbers.best = -1;
  row.numbers.maximum = maximum;
  row.known = Numbers::maximum | total;
}

/// Runs the dense maps [First, Last): where they keep the order of a whole row, late.
template <bool Draws, int First, int Last, class ChainType>
void run_dense_maps(const ChainType& chain, const RowView::Fields& fields,
                    const AutomatonSlot* slots, HostRow& row, HostScratch& scratch, bool in_place) {
  constexpr auto& TRAITS = ChainType::TRAITS;
  auto maps = joined_maps<First, Last>(chain, fields, slots);
  if constexpr (TRAITS[First].may_collapse) {
    auto& first = std::get<0>(maps.maps);
    if (first.on && collapsed(row, first.bound, in_place)) first.on = false;
  }
  if (!maps.any_on()) return;
  const bool ordered = [&]<int... I>(std::integer_sequence<int, I...>) {
    return ((TRAITS[First + I].monotone || !std::get<I>(maps.maps).on) && ...);
  }(std::make_integer_sequence<int, Last - First>{});
  const LateMaps late = map_block<First, Last, ChainType>;
  maps.visit([&](auto apply) {
    if (ordered && !row.compact && !has(row.known, Numbers::maximum)) find_maximum(row);
    if (!ordered || !has(row.known, Numbers::maximum) || !row.has_distribution ||
        !is_finite(apply(0, row.numbers.maximum))) {
      sweep_maps(row, apply);
      row.forget();
      return;
    }
    if constexpr (total_follows<Draws, ChainType>(Last)) {
      if (is_on<Last>(chain, fields, slots)) {
        run_ordered_maps<true>(row, scratch, late, apply);
        return;
      }
    }
    run_ordered_maps<false>(row, scratch, late, apply);
  });
}

}  // namespace logitchain::inline v0::detail
