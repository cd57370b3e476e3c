// SPDX-License-Identifier: Apache-2.0
// A row as a blob of bytes that another state, process or machine goes on with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <logitchain/core/error.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/host/detail/call_checks.hpp>
#include <logitchain/engine/host/detail/home.hpp>
#include <logitchain/state/row_blob.hpp>
#include <logitchain/state/row_record.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

/// A row as bytes: history, lengths, seed, status, reason, automata. With the same chain and
/// criterion any state of the same vocabulary and needs goes on with it as this one would.
/// @throws invalid_argument for a row outside of [0, rows) and for one that was released
template <detail::RunsOnHost Engine>
std::vector<std::byte> save_row(const Engine&, const StepState& state, std::int64_t row) {
  detail::check_space("save_row", state);
  state.check_row("save_row", "row", row);
  const StateView& view = state.view();
  const RowRecord& record = view.records[row];
  if (record.status == Status::released) refuse_call("save_row: row ", row, " holds nothing");
  return detail::blob_of_row(view, row);
}

/// Puts a saved row into a slot that is not generating. Parameters per row are the caller's to
/// move.
/// @throws invalid_argument for a row outside of [0, rows) or one that generates, and for a blob of
///         another vocabulary, other automata, or with no room here; runtime_error for a damaged
///         blob. Nothing is changed then.
template <detail::RunsOnHost Engine>
void load_row(const Engine&, StepState& state, std::int64_t row, host_span<const std::byte> blob) {
  detail::check_space("load_row", state);
  state.check_row("load_row", "row", row);
  if (state.active(row)) {
    refuse_call("load_row: row ", row, " is still generating; release it first");
  }
  const detail::RowBlob found = detail::open_blob(blob);
  detail::check_blob_fits(found, state);
  detail::restore_row(state.view(), row, found);
}

}  // namespace logitchain::inline v0
