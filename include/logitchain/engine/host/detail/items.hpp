// SPDX-License-Identifier: Apache-2.0
// The checks of a call's items: everything is looked at before anything is changed.
#pragma once

#include <cstdint>
#include <string_view>

#include <logitchain/core/error.hpp>
#include <logitchain/engine/call_checks.hpp>
#include <logitchain/engine/host/arguments.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0::detail {

/// The items of one call, checked.
struct CheckedItems {
  HostItems items;
  std::int64_t count = 0;

  /// Row of logits of an item; -1: skip.
  std::int64_t logits_row(std::int64_t i) const {
    if (items.state_row.given() && items.state_row[i] < 0) return -1;
    return !items.logits_row.given() ? i : items.logits_row[i];
  }
  /// Row of the state of an item; -1: skip.
  std::int64_t state_row(std::int64_t i) const {
    if (items.logits_row.given() && items.logits_row[i] < 0) return -1;
    return !items.state_row.given() ? i : items.state_row[i];
  }
};

/// @param rows rows of logits, scores or tokens that the call brings
inline CheckedItems check_items(std::string_view where, const StepState& state,
                                const HostItems& items, std::int64_t rows) {
  const bool maps_logits = items.logits_row.given();
  const bool maps_state = items.state_row.given();
  const CheckedItems checked{items, count_items(where, state, items, rows)};
  for (std::int64_t i = 0; i < checked.count; ++i) {
    if (maps_logits && (items.logits_row[i] < -1 || items.logits_row[i] >= rows)) {
      refuse(where, text_of("items.logits_row[", i, "]"), items.logits_row[i],
             text_of("in [-1, ", rows - 1, "]"));
    }
    if (!maps_logits && i >= rows && checked.state_row(i) >= 0) {
      refuse(where, "the number of items", checked.count,
             text_of("at most ", rows, ", the rows given, without items.logits_row"));
    }
    if (maps_state && (items.state_row[i] < -1 || items.state_row[i] >= state.rows())) {
      refuse(where, text_of("items.state_row[", i, "]"), items.state_row[i],
             text_of("in [-1, ", state.rows() - 1, "]"));
    }
  }
  return checked;
}

/// Refuses a state row that two items name. Marks live in the records, so that nothing is
/// allocated.
inline void refuse_duplicates(std::string_view where, const StepState& state,
                              const CheckedItems& items) {
  if (!items.items.state_row.given()) return;
  const StateView& view = state.view();
  std::int64_t duplicate = -1;
  for (std::int64_t i = 0; i < items.count; ++i) {
    const std::int64_t row = items.state_row(i);
    if (row < 0) continue;
    if (view.records[row].reserved != 0 && duplicate < 0) duplicate = row;
    view.records[row].reserved = 1;
  }
  for (std::int64_t i = 0; i < items.count; ++i) {
    if (items.state_row(i) >= 0) view.records[items.state_row(i)].reserved = 0;
  }
  if (duplicate >= 0) {
    refuse_call(where, ": state row ", duplicate,
                " is named by two items (duplicate_row); each "
                "state row may occur once");
  }
}

}  // namespace logitchain::inline v0::detail
