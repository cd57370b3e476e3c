// SPDX-License-Identifier: Apache-2.0
// Maps over a row: neighbours that touch every score share one sweep, listed ones touch their list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include <logitchain/chain/chain.hpp>
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

/// Stage after the run of dense maps that begins at `First`. A map that may collapse the row must
/// see the row as it stands at its own place, so it begins a run.
template <class ChainType>
constexpr int end_of_run(int first) {
  int end = first + 1;
  while (end < ChainType::SIZE &&
         ChainType::TRAITS[static_cast<std::size_t>(end)].kind == Kind::map &&
         !ChainType::TRAITS[static_cast<std::size_t>(end)].may_collapse) {
    ++end;
  }
  return end;
}

/// True where a map is not part of the run of the map before it.
template <class ChainType>
constexpr bool begins_run(int stage) {
  return stage == 0 || ChainType::TRAITS[static_cast<std::size_t>(stage - 1)].kind != Kind::map ||
         ChainType::TRAITS[static_cast<std::size_t>(stage)].may_collapse;
}

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
  const float* const from = row.scores;
  float* const to = row.own;
  row.count_sweep();
  if (row.compact) {
    for (std::int64_t i = 0; i < row.size; ++i) to[i] = apply(row.ids[i], from[i]);
  } else {
    sweep_blocks(row, row.peaks, [=](std::int64_t i) {
      return to[i] = apply(static_cast<std::int32_t>(i), from[i]);
    });
    row.has_peaks = true;
    row.has_touched = false;
  }
  row.scores = to;
}

/// The same for maps that keep the order of a whole row whose peaks are right: the peaks follow
/// from those before, and with `WithTotal` the masses are summed by the way.
template <bool WithTotal, class Apply>
void sweep_ordered_maps(HostRow& row, HostScratch& scratch, Apply apply) {
  const float* const from = row.scores;
  float* const to = row.own;
  const std::int64_t blocks = blocks_of(row.size);
  const Peaks peaks = row.peaks;
  row.count_sweep();
  row.forget();
  row.numbers.maximum = apply(0, row.numbers.maximum);
  row.known = Numbers::maximum;
  call_with(row.instructions, [=] {
    for (std::int64_t i = 0; i < blocks * LANES; ++i) peaks.lanes[i] = apply(0, peaks.lanes[i]);
    for (std::int64_t i = 0; i < blocks; ++i) peaks.tops[i] = apply(0, peaks.tops[i]);
  });
  const auto write = [=](std::int64_t i) {
    return to[i] = apply(static_cast<std::int32_t>(i), from[i]);
  };
  if constexpr (WithTotal) {
    // Every block is written, so none is passed over.
    note_totals<false>(row, sum_masses<false>(row.instructions, row.size, row.numbers.maximum,
                                              nullptr, scratch.masses, write));
  } else {
    const std::int64_t size = row.size;
    call_with(row.instructions, [=] {
      for (std::int64_t i = 0; i < size; ++i) write(i);
    });
  }
  row.scores = to;
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

/// Rewrites every score with maps that are on or off. `ordered`: they keep the order of scores.
template <bool WithTotal, class Apply>
void run_maps(HostRow& row, HostScratch& scratch, bool ordered, Apply apply) {
  const bool had_maximum = has(row.known, Numbers::maximum) && row.has_distribution;
  if (!ordered || !had_maximum || !is_finite(apply(0, row.numbers.maximum))) {
    sweep_maps(row, apply);
    row.forget();
  } else if (!row.compact && row.has_peaks && !row.has_touched) {
    sweep_ordered_maps<WithTotal>(row, scratch, apply);
  } else {
    // An order that is kept keeps the maximum, though more tokens may tie with it now.
    const float maximum = apply(0, row.numbers.maximum);
    sweep_maps(row, apply);
    row.forget();
    row.numbers.maximum = maximum;
    row.known = Numbers::maximum;
  }
}

/// Runs the dense maps [First, Last) in one sweep.
template <bool Draws, int First, int Last, class ChainType>
void run_dense_maps(const ChainType& chain, const RowView::Fields& fields,
                    const AutomatonSlot* slots, HostRow& row, HostScratch& scratch, bool in_place) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    constexpr bool WITH_TOTAL = total_follows<Draws, ChainType>(Last);
    auto maps = std::make_tuple(switched_map<First + I>(chain, fields, slots)...);
    if constexpr (ChainType::TRAITS[First].may_collapse) {
      auto& first = std::get<0>(maps);
      if (first.on && collapsed(row, first.bound, in_place)) first.on = false;
    }
    if (!(std::get<I>(maps).on || ...)) return;
    const bool ordered = ((ChainType::TRAITS[First + I].monotone || !std::get<I>(maps).on) && ...);
    const auto run = [&](auto apply) {
      if constexpr (WITH_TOTAL) {
        if (is_on<Last>(chain, fields, slots)) {
          run_maps<true>(row, scratch, ordered, apply);
          return;
        }
      }
      run_maps<false>(row, scratch, ordered, apply);
    };
    if constexpr (sizeof...(I) == 1) {
      run(std::get<0>(maps).always());
    } else {
      run([maps](std::int32_t token, float score) {
        ((score = std::get<I>(maps)(token, score)), ...);
        return score;
      });
    }
  }(std::make_integer_sequence<int, Last - First>{});
}

/// Place of a listed token, -1 where there is nothing to do. An id outside of the vocabulary is
/// skipped and marks the row.
inline std::int64_t place_of_listed(HostRow& row, std::int64_t token) {
  if (token == -1) return -1;
  if (token < 0 || token >= row.vocab) {
    row.fault = Status::invalid_table;
    return -1;
  }
  return row.find(token);
}

/// Applies a map to the tokens that it lists.
template <class Bound>
void run_listed_map(const Bound& bound, HostRow& row) {
  const std::int64_t size = bound.size();
  if (size == 0) return;
  make_own(row);
  for (std::int64_t i = 0; i < size; ++i) {
    const std::int64_t place = place_of_listed(row, bound.token(i));
    if (place < 0 || row.scores[place] == FILTER) continue;
    row.own[place] = bound(i, row.scores[place]);
    touch(row, place);
  }
  row.counts->scores_read += size;
  row.forget();
}

/// Leaves the tokens that a forcing stage lists, with score 0.
template <class Bound>
void run_force(const Bound& bound, HostRow& row, bool in_place) {
  // What is forced need not have survived, so the whole row is written anew.
  const bool whole = !row.compact && in_place;
  row.compact = false;
  row.size = row.vocab;
  std::fill_n(row.own, row.size, FILTER);
  row.count_sweep();
  for (std::int64_t i = 0; i < bound.size(); ++i) {
    const std::int64_t place = place_of_listed(row, bound.token(i));
    if (place >= 0) row.own[place] = 0.0f;
  }
  if (!whole) {
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < row.size; ++i) {
      row.ids[kept] = static_cast<std::int32_t>(i);
      kept += row.own[i] == 0.0f ? 1 : 0;
    }
    std::fill_n(row.own, kept, 0.0f);
    row.size = kept;
    row.compact = true;
  }
  row.rewritten();
  row.forget();
}

}  // namespace logitchain::inline v0::detail
