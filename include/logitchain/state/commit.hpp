// SPDX-License-Identifier: Apache-2.0
// A token becomes part of a row: history, counts, automata, and whether the row ends with it.
#pragma once

#include <cstdint>

#include <logitchain/core/config.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/state/row_record.hpp>
#include <logitchain/state/seen_list.hpp>
#include <logitchain/state/state_view.hpp>

namespace logitchain::inline v0 {

/// What a composed criterion says of the token just committed.
struct StopVerdict {
  std::int16_t criterion = NOT_FINISHED;  ///< the first that fired, in the criterion's own order
  Fired fired;
  LOGITCHAIN_HD constexpr explicit operator bool() const { return criterion != NOT_FINISHED; }
};

namespace detail {

/// Ends a row with a status that is not `ok`.
LOGITCHAIN_HD inline Status end_row(RowRecord& record, Status status) {
  record.status = status;
  record.active = 0;
  return status;
}

/// Ends a row with a reason.
LOGITCHAIN_HD inline Status finish_row(RowRecord& record, std::int16_t criterion,
                                       const Fired& fired) {
  record.finish_criterion = criterion;
  record.finish_entry = fired.entry;
  record.finish_begin = fired.begin;
  return end_row(record, Status::finished);
}

/// Puts a generated token behind the history and moves the automata. Where a table is damaged
/// everything but the automata is as before, and the answer is `invalid_table`.
/// @param token in [0, vocab), or above it in the history of a resumed row
/// @param known the token's entry in the list of distinct tokens, -1 if it is not there
template <class Chain, class Stop>
LOGITCHAIN_HD Status append_token(const StateView& view, std::int64_t row, std::int32_t token,
                                  std::int32_t known, const Chain& chain, const Stop& stop) {
  RowRecord& record = view.records[row];
  const std::int64_t place = std::int64_t{record.prompt_length} + record.generated;
  if (place >= view.capacity) return Status::capacity;
  const std::int32_t last_token = record.last_token;
  view.tokens_of(row)[place] = token;
  const SeenChange change =
      note_seen(view, row, token, static_cast<std::int32_t>(place), true, known);
  ++record.generated;
  record.last_token = token;
  const RowView::Fields fields = view.fields(row);
  if (chain.advance_slots(fields, view.transform_slots_of(row), token, true) &&
      stop.advance_slots(fields, view.criterion_slots_of(row), token, true)) {
    return Status::ok;
  }
  --record.generated;
  record.last_token = last_token;
  take_back_seen(view, row, change);
  return Status::invalid_table;
}

}  // namespace detail

/// Commits one token to a row, its place in the list of distinct tokens being known. For engines
/// that look it up with several threads; otherwise `commit_token`.
/// @param known what `detail::find_seen` answers
template <class Chain, class Stop>
LOGITCHAIN_HD Status commit_token_at(const StateView& view, std::int64_t row, std::int64_t token,
                                     std::int32_t known, const Chain& chain, const Stop& stop) {
  RowRecord& record = view.records[row];
  if (!record.active || token == -1) return record.status;
  if (token < 0 || token >= view.vocab) return detail::end_row(record, Status::invalid_parameter);
  const std::int32_t id = static_cast<std::int32_t>(token);
  const Status appended = detail::append_token(view, row, id, known, chain, stop);
  if (appended != Status::ok) return detail::end_row(record, appended);
  const StopVerdict verdict = stop.evaluate(view.fields(row), view.criterion_slots_of(row), id);
  if (verdict) return detail::finish_row(record, verdict.criterion, verdict.fired);
  if (record.generated >= record.budget) return detail::finish_row(record, BUDGET_SPENT, {});
  return Status::ok;
}

/// Commits one token to a row: history, distinct tokens, automata; then the criteria are asked,
/// with the token included, and last the budget. An inactive row and the token -1 change nothing.
/// @return the row's status after it: `ok`, `finished`; or `invalid_parameter` for an id outside of
///         [0, vocab), `invalid_table`, `capacity`, where nothing was committed and the row ended
template <class Chain, class Stop>
LOGITCHAIN_HD Status commit_token(const StateView& view, std::int64_t row, std::int64_t token,
                                  const Chain& chain, const Stop& stop) {
  if (!view.records[row].active) return view.records[row].status;
  const bool inside = token >= 0 && token < view.vocab;
  const std::int32_t known =
      inside ? detail::find_seen(view, row, static_cast<std::int32_t>(token)) : -1;
  return commit_token_at(view, row, token, known, chain, stop);
}

/// Commits several tokens to a row, one by one: the first that ends the row is the last that is
/// taken. Entries of -1 are skipped. An id outside of [0, vocab) anywhere among them refuses them
/// all.
/// @param tokens `count` ids, `std::int32_t` or `std::int64_t`
/// @return how many were committed
template <class Token, class Chain, class Stop>
LOGITCHAIN_HD std::int64_t commit_tokens(const StateView& view, std::int64_t row,
                                         const Token* tokens, std::int64_t count,
                                         const Chain& chain, const Stop& stop) {
  RowRecord& record = view.records[row];
  if (!record.active) return 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (tokens[i] < -1 || tokens[i] >= view.vocab) {
      detail::end_row(record, Status::invalid_parameter);
      return 0;
    }
  }
  const std::int32_t before = record.generated;
  for (std::int64_t i = 0; i < count && record.active; ++i) {
    commit_token(view, row, tokens[i], chain, stop);
  }
  return std::int64_t{record.generated} - before;
}

}  // namespace logitchain::inline v0
