// SPDX-License-Identifier: Apache-2.0
// The decode step on the host engine, whole and in parts. The parts give what the whole gives, bit
// for bit: they are the same functions.
#pragma once

#include <cstdint>
#include <string_view>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/engine/host/arguments.hpp>
#include <logitchain/engine/host/detail/call_checks.hpp>
#include <logitchain/engine/host/detail/draw_token.hpp>
#include <logitchain/engine/host/detail/items.hpp>
#include <logitchain/engine/host/detail/load.hpp>
#include <logitchain/engine/host/detail/run_chain.hpp>
#include <logitchain/engine/host/host_engine.hpp>
#include <logitchain/state/commit.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

namespace detail {

/// Refuses scores that lie over the logits, unless each item writes just the row that it reads:
/// another item's answer would be read as logits.
inline void refuse_overwritten_logits(std::string_view where, const host_logits& logits,
                                      const host_scores& scores, const CheckedItems& items) {
  if (logits.end() <= scores.begin() || scores.end() <= logits.begin()) return;
  if (scores.row(0) != logits.row(0) || scores.type() != logits.type() ||
      scores.stride() != logits.stride()) {
    refuse_call(where,
                ": the scores overlap the logits; they may only lie in the logits' own rows, "
                "with the same type and stride");
  }
  for (std::int64_t i = 0; i < items.count; ++i) {
    const std::int64_t row = items.logits_row(i);
    if (row >= 0 && row != i) {
      refuse(where, text_of("items.logits_row[", i, "]"), row,
             text_of(i, " or -1, since the scores are written over the logits"));
    }
  }
}

/// Runs the chain on one active row and leaves its scores in the scratch. A row whose numbers or
/// tables are refused ends here, and false is returned.
template <bool Draws, class ChainType>
bool transform_row(const ChainType& chain, const StateView& view, std::int64_t state_row,
                   const host_logits& logits, std::int64_t logits_row, HostScratch& scratch,
                   HostRow& row) {
  RowRecord& record = view.records[state_row];
  const RowView::Fields fields = view.fields(state_row);
  const AutomatonSlot* const slots = view.transform_slots_of(state_row);
  if (const Status status = chain.check_row(fields, slots); status != Status::ok) {
    end_row(record, status);
    return false;
  }
  row = load_row_of_logits(logits, logits_row, view.vocab, scratch);
  run_chain<Draws>(chain, fields, slots, row, scratch);
  if (row.fault != Status::ok) {
    end_row(record, row.fault);
    return false;
  }
  return true;
}

/// Draws for a row whose scores are in the scratch; a row without a distribution ends.
inline std::int32_t draw_for_row(const StateView& view, std::int64_t state_row, HostRow& row,
                                 HostScratch& scratch) {
  RowRecord& record = view.records[state_row];
  const std::int32_t token = draw_token(row, scratch, record.seed, record.generated);
  if (token < 0) end_row(record, Status::undefined_distribution);
  return token;
}

}  // namespace detail

/// One decode step: logits -> transforms -> draw -> commit -> stop, for every item. Nothing is
/// allocated. Rows that are not active are left alone; a fault of a row's data ends that row with a
/// status and touches no other.
///
/// @param logits `[rows, width]`, width at least the state's vocab
/// @param step where tokens and results go, and which items there are (all rows, in order, if
/// absent)
/// @throws invalid_argument for arguments that do not fit together; then nothing was changed
template <class ChainType, class StopType>
void step(host_engine& engine, const ChainType& chain, const StopType& stop, StepState& state,
          const host_logits& logits, const HostStep& step = {}) {
  detail::demand_chain<ChainType>();
  detail::demand_stop<StopType>();
  if constexpr (detail::is_chain<ChainType> && detail::is_criterion<StopType>) {
    constexpr std::string_view where = "step";
    detail::check_space(where, state);
    detail::check_fit(where, "chain", chain, state, false);
    detail::check_fit(where, "criterion", stop, state, false);
    detail::check_width(where, "logits", logits.width(), state);
    const detail::CheckedItems items = detail::check_items(where, state, step.items, logits.rows());
    if (step.tokens.asked()) detail::check_room(where, "tokens", step.tokens.size(), items.count);
    if (!step.results.empty()) {
      detail::check_room(where, "results", step.results.size(), items.count);
    }
    detail::refuse_duplicates(where, state, items);
    const StateView& view = state.view();
    engine.run(state, items.count, [&](detail::HostScratch& scratch, std::int64_t i) {
      const std::int64_t state_row = items.state_row(i);
      if (state_row < 0) {
        step.tokens.write(i, -1);
        if (!step.results.empty()) step.results[i] = StepResult{};
        return;
      }
      RowRecord& record = view.records[state_row];
      std::int32_t token = -1;
      if (record.active) {
        detail::HostRow row;
        if (detail::transform_row<true>(chain, view, state_row, logits, items.logits_row(i),
                                        scratch, row)) {
          token = detail::draw_for_row(view, state_row, row, scratch);
        }
        if (token >= 0) {
          // Not before: a row with two faults ends by the one that its parts would meet first.
          const Status status =
              stop.check_row(view.fields(state_row), view.criterion_slots_of(state_row));
          if (status != Status::ok) {
            detail::end_row(record, status);
            token = -1;
          }
        }
        if (token >= 0) {
          const Status after = commit_token(view, state_row, token, chain, stop);
          if (after != Status::ok && after != Status::finished) token = -1;
        }
      }
      step.tokens.write(i, token);
      if (!step.results.empty()) step.results[i] = detail::result_of(record, token);
    });
  }
}

/// The transformed scores of every item: removed tokens, and what lies beyond the vocabulary, are
/// `FILTER`. Scores of items that are skipped, or whose row is not active or is refused, are left
/// as they were. In place where `scores` is the logits' own memory.
///
/// @param scores `[items, width]`: item i writes row i, in float or rounded to its own type
/// @throws invalid_argument for arguments that do not fit together; then nothing was changed
template <class ChainType>
void apply(host_engine& engine, const ChainType& chain, StepState& state, const host_logits& logits,
           const host_scores& scores, const HostItems& items = {}) {
  detail::demand_chain<ChainType>();
  if constexpr (detail::is_chain<ChainType>) {
    constexpr std::string_view where = "apply";
    detail::check_space(where, state);
    detail::check_fit(where, "chain", chain, state, false);
    detail::check_width(where, "logits", logits.width(), state);
    detail::check_width(where, "scores", scores.width(), state);
    const detail::CheckedItems checked = detail::check_items(where, state, items, logits.rows());
    detail::check_room(where, "scores", scores.rows(), checked.count);
    detail::refuse_overwritten_logits(where, logits, scores, checked);
    detail::refuse_duplicates(where, state, checked);
    const StateView& view = state.view();
    engine.run(state, checked.count, [&](detail::HostScratch& scratch, std::int64_t i) {
      const std::int64_t state_row = checked.state_row(i);
      if (state_row < 0 || !view.records[state_row].active) return;
      detail::HostRow row;
      if (detail::transform_row<false>(chain, view, state_row, logits, checked.logits_row(i),
                                       scratch, row)) {
        detail::store_row_of_scores(row, scores, i);
      }
    });
  }
}

/// Draws one token per item from scores as `apply` gives them; nothing is committed. -1 for an item
/// that is skipped, whose row is not active, or whose row has no distribution; the last ends with
/// the status `undefined_distribution`.
///
/// @param scores `[items, width]`: item i reads row `items.logits_row[i]`, or i
/// @throws invalid_argument for arguments that do not fit together; then nothing was changed
inline void draw(host_engine& engine, StepState& state, const host_logits& scores,
                 const HostTokens& tokens, const HostItems& items = {}) {
  constexpr std::string_view where = "draw";
  detail::check_space(where, state);
  detail::check_width(where, "scores", scores.width(), state);
  const detail::CheckedItems checked = detail::check_items(where, state, items, scores.rows());
  detail::check_room(where, "tokens", tokens.size(), checked.count);
  detail::refuse_duplicates(where, state, checked);
  const StateView& view = state.view();
  engine.run(state, checked.count, [&](detail::HostScratch& scratch, std::int64_t i) {
    const std::int64_t state_row = checked.state_row(i);
    std::int32_t token = -1;
    if (state_row >= 0 && view.records[state_row].active) {
      detail::HostRow row =
          detail::load_row_of_logits(scores, checked.logits_row(i), view.vocab, scratch);
      token = detail::draw_for_row(view, state_row, row, scratch);
    }
    tokens.write(i, token);
  });
}

}  // namespace logitchain::inline v0
