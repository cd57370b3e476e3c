// SPDX-License-Identifier: Apache-2.0
// Stages that name their tokens: listed maps touch those and no others, forcing ones leave no
// others.
#pragma once

#include <algorithm>
#include <cstdint>

#include <logitchain/core/types.hpp>
#include <logitchain/engine/host/detail/parts.hpp>
#include <logitchain/engine/host/detail/peaks.hpp>
#include <logitchain/engine/host/detail/row.hpp>

namespace logitchain::inline v0::detail {

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
  if (!row.compact) begin_parts(row);
  for (std::int64_t i = 0; i < size; ++i) {
    const std::int64_t place = place_of_listed(row, bound.token(i));
    if (place < 0) continue;
    if (!row.compact) own_block(row, place / BLOCK);
    if (row.own[place] == FILTER) continue;
    row.own[place] = bound(i, row.own[place]);
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
