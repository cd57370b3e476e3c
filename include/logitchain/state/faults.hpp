// SPDX-License-Identifier: Apache-2.0
// Rows that ended by a fault of their data, as an error for a person.
#pragma once

#include <cstdint>
#include <sstream>
#include <utility>

#include <logitchain/core/error.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/state/row_record.hpp>

namespace logitchain::inline v0::detail {

/// What a status means, for a person.
constexpr const char* reason_of(Status status) {
  switch (status) {
    case Status::undefined_distribution:
      return "nothing to draw from, or a NaN or +inf at the draw";
    case Status::invalid_parameter:
      return "a per-row number or a token id outside of its range";
    case Status::invalid_table:
      return "a damaged table, or one that the row was not begun with";
    case Status::duplicate_row:
      return "named twice in one call, or admitted while it generated";
    case Status::capacity:
      return "no room for another token";
    case Status::ok:
    case Status::finished:
    case Status::released:
      break;
  }
  return "";
}

/// Throws where there are such rows, naming the first 8 of them with the reasons.
/// @throws runtime_error
inline void fail_for_faults(host_span<const RowRecord> records) {
  constexpr std::int64_t NAMED = 8;
  std::ostringstream text;
  std::int64_t faults = 0;
  for (std::int64_t row = 0; row < records.size(); ++row) {
    const Status status = records[row].status;
    const char* const reason = reason_of(status);
    if (*reason == '\0') continue;
    if (faults < NAMED) {
      text << (faults ? "; row " : "row ") << row << ": " << name_of(status) << " (" << reason
           << ')';
    }
    ++faults;
  }
  if (faults > NAMED) text << "; and " << faults - NAMED << " more rows";
  if (faults > 0) fail("check: ", std::move(text).str());
}

}  // namespace logitchain::inline v0::detail
