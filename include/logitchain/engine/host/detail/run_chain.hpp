// SPDX-License-Identifier: Apache-2.0
// Runs a chain on one row: stage by stage as the plan cuts it, survivors only after the first
// shrink.
#pragma once

#include <cstdint>

#include <logitchain/chain/chain.hpp>
#include <logitchain/engine/host/detail/listed_maps.hpp>
#include <logitchain/engine/host/detail/maps.hpp>
#include <logitchain/engine/host/detail/peaks.hpp>
#include <logitchain/engine/host/detail/reduce.hpp>
#include <logitchain/engine/host/detail/row.hpp>
#include <logitchain/engine/host/detail/select.hpp>
#include <logitchain/engine/host/detail/shrink.hpp>

namespace logitchain::inline v0::detail {

template <class Stage, class Row>
void run_cut(const Stage& stage, const Row& view, HostRow& row, HostScratch& scratch,
             bool in_place) {
  constexpr StageTraits traits = traits_of<Stage>();
  require(row, scratch, traits.numbers);
  if (!row.has_distribution) return;
  if constexpr (traits.collapses) {
    collapse_to_best(row, in_place);
  } else {
    if constexpr (has(traits.numbers, Numbers::kth)) {
      row.numbers.kth = score_of_rank(row, scratch, stage.rank(view));
    }
    const auto bound = stage.bind(view, row.numbers);
    const auto rewrite = [&](std::int64_t, std::int32_t token, float score) {
      return bound(token, score);
    };
    if constexpr (traits.monotone) {
      rewrite_top(row, in_place, rewrite);
    } else {
      rewrite_row(row, in_place, rewrite);
    }
    row.known = traits.keeps_best ? Numbers::maximum : Numbers::none;
    if (!traits.keeps_best) row.forget();
  }
}

/// The row in the order of a selection's key, which is written down where it is not the score.
template <class Stage, class Bound>
KeyedRow keyed_row(HostRow& row, HostScratch& scratch, const Bound& bound) {
  if constexpr (traits_of<Stage>().by_score) {
    return {row, scratch, row.scores, row.peaks};
  } else {
    const auto write = [to = scratch.keys, bound](const float* scores, std::int64_t i) {
      return to[i] = static_cast<float>(bound.key(scores[i]));
    };
    if (row.compact) {
      for (std::int64_t i = 0; i < row.size; ++i) write(row.scores, i);
    } else {
      sweep_blocks(row, scratch.key_peaks, write);
    }
    row.count_sweep();
    return {row, scratch, scratch.keys, scratch.key_peaks};
  }
}

template <class Stage, class Row>
void run_selection(const Stage& stage, const Row& view, HostRow& row, HostScratch& scratch,
                   bool in_place) {
  constexpr StageTraits traits = traits_of<Stage>();
  require(row, scratch, traits.numbers);
  if (!row.has_distribution) return;
  const auto bound = stage.bind(view, row.numbers);
  KeyedRow keyed = keyed_row<Stage>(row, scratch, bound);
  Threshold threshold = threshold_of(keyed, bound.spend());
  if constexpr (traits.walks) threshold = walk_prefix(keyed, threshold, bound);
  keep_prefix(row, keyed, threshold, in_place);
  row.known = traits.keeps_best ? Numbers::maximum : Numbers::none;
  if (!traits.keeps_best) row.forget();
}

/// Applies stage `Index`, or the run of maps that begins at it.
template <bool Draws, int Index, class ChainType>
void run_stage(const ChainType& chain, const RowView::Fields& fields, const AutomatonSlot* slots,
               HostRow& row, HostScratch& scratch) {
  constexpr StageTraits traits = ChainType::TRAITS[Index];
  constexpr bool in_place = revived_after<ChainType::SIZE>(ChainType::TRAITS, Index);
  if constexpr (traits.kind == Kind::map) {
    if constexpr (begins_run<ChainType>(Index)) {
      run_dense_maps<Draws, Index, end_of_run<ChainType>(Index)>(chain, fields, slots, row, scratch,
                                                                 in_place);
    }
  } else {
    const auto& stage = chain.template stage<Index>();
    const auto view = ChainType::template row_for<Index>(fields, slots);
    if (!is_active(stage, view)) return;
    if constexpr (traits.kind == Kind::listed) {
      run_listed_map(stage.bind(view), row);
    } else if constexpr (traits.kind == Kind::force) {
      run_force(stage.bind(view), row, in_place);
    } else if constexpr (traits.kind == Kind::cut) {
      run_cut(stage, view, row, scratch, in_place);
    } else {
      run_selection(stage, view, row, scratch, in_place);
    }
  }
}

/// Applies a chain to a loaded row; `Draws` where a draw from it follows. The row's fault tells of
/// a damaged list or table.
template <bool Draws, class ChainType>
void run_chain(const ChainType& chain, const RowView::Fields& fields, const AutomatonSlot* slots,
               HostRow& row, HostScratch& scratch) {
  ++row.counts->rows;
  row.chain = &chain;
  row.fields = fields;
  row.slots = slots;
  for_each_index_on_host<ChainType::SIZE>([&](auto i) {
    if constexpr (!ChainType::PLAN.dropped[static_cast<std::size_t>(static_cast<int>(i))]) {
      run_stage<Draws, i>(chain, fields, slots, row, scratch);
    }
  });
}

}  // namespace logitchain::inline v0::detail
