// SPDX-License-Identifier: Apache-2.0
// Runs a chain on one row: stage by stage as the plan cuts it, survivors only after the first shrink.
#pragma once

#include <cstdint>

#include <logitchain/chain/chain.hpp>
#include <logitchain/engine/host/maps.hpp>
#include <logitchain/engine/host/reduce.hpp>
#include <logitchain/engine/host/row.hpp>
#include <logitchain/engine/host/select.hpp>
#include <logitchain/engine/host/shrink.hpp>

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
    rewrite_row(row, in_place,
                [&](std::int64_t, std::int32_t token, float score) { return bound(token, score); });
    row.known = traits.keeps_best ? Numbers::maximum : Numbers::none;
    if (!traits.keeps_best) row.forget();
  }
}

template <class Stage, class Row>
void run_selection(const Stage& stage, const Row& view, HostRow& row, HostScratch& scratch,
                   bool in_place) {
  constexpr StageTraits traits = traits_of<Stage>();
  const Numbers always = traits.numbers | Numbers::maximum;
  require(row, scratch, always);
  if (!row.has_distribution) return;
  const auto bound = stage.bind(view, row.numbers);
  const Spend spend = bound.spend();
  // A spend by mass measures from the maximum, which is known by now, and needs no total of its own.
  write_keys(row, scratch, bound);
  Threshold threshold = threshold_of(row, scratch, spend);
  if constexpr (traits.walks) threshold = walk_prefix(row, scratch, threshold, bound);
  keep_prefix(row, scratch, threshold, in_place);
  row.known = traits.keeps_best ? Numbers::maximum : Numbers::none;
  if (!traits.keeps_best) row.forget();
}

/// Applies stage `Index`, or the run of maps that begins at it.
template <int Index, class ChainType>
void run_stage(const ChainType& chain, const RowView::Fields& fields, const AutomatonSlot* slots,
               HostRow& row, HostScratch& scratch) {
  constexpr StageTraits traits = ChainType::TRAITS[Index];
  constexpr bool in_place = revived_after<ChainType::SIZE>(ChainType::TRAITS, Index);
  if constexpr (traits.kind == Kind::map) {
    if constexpr (begins_run<ChainType>(Index)) {
      run_dense_maps<Index, end_of_run<ChainType>(Index)>(chain, fields, slots, row, in_place);
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

/// Applies a chain to a loaded row. The row's fault tells of a damaged list or table.
template <class ChainType>
void run_chain(const ChainType& chain, const RowView::Fields& fields, const AutomatonSlot* slots,
               HostRow& row, HostScratch& scratch) {
  ++row.counts->rows;
  for_each_index_on_host<ChainType::SIZE>([&](auto i) {
    if constexpr (!ChainType::PLAN.dropped[static_cast<std::size_t>(static_cast<int>(i))]) {
      run_stage<i>(chain, fields, slots, row, scratch);
    }
  });
}

}  // namespace logitchain::inline v0::detail
