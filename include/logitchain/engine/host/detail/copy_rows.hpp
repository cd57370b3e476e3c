// SPDX-License-Identifier: Apache-2.0
// Rows copied over each other in place, any number of times and in any order, with room for one
// row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <logitchain/core/automaton_slot.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/state/row_record.hpp>
#include <logitchain/state/state_view.hpp>

namespace logitchain::inline v0::detail {

/// Copies what a row holds; of long components only the part in use.
inline void copy_row(const StateView& from, std::int64_t source, const StateView& to,
                     std::int64_t target) {
  const RowRecord record = from.records[source];
  to.records[target] = record;
  if (record.status == Status::released) return;
  std::copy_n(from.tokens_of(source), std::int64_t{record.prompt_length} + record.generated,
              to.tokens_of(target));
  if (from.seen) {
    std::copy_n(from.seen_of(source), record.seen_size, to.seen_of(target));
    std::copy_n(from.seen_bits_of(source), from.seen_words, to.seen_bits_of(target));
  }
  if (from.slots) {
    std::copy_n(from.transform_slots_of(source), from.slot_count, to.transform_slots_of(target));
  }
}

/// Room for one row of a state, as a state of one row.
class SpareRow {
 public:
  explicit SpareRow(const StateView& like)
      : tokens_(static_cast<std::size_t>(like.capacity)),
        seen_(static_cast<std::size_t>(like.seen ? like.seen_stride : 0)),
        seen_bits_(static_cast<std::size_t>(like.seen ? like.seen_words : 0)),
        slots_(static_cast<std::size_t>(like.slots ? like.slot_count : 0)),
        view_(like) {
    view_.records = &record_;
    view_.tokens = tokens_.data();
    view_.seen = like.seen ? seen_.data() : nullptr;
    view_.seen_bits = like.seen ? seen_bits_.data() : nullptr;
    view_.slots = like.slots ? slots_.data() : nullptr;
    view_.rows = 1;
  }
  SpareRow(const SpareRow&) = delete;
  SpareRow& operator=(const SpareRow&) = delete;
  const StateView& view() const { return view_; }

 private:
  RowRecord record_;
  std::vector<std::int32_t> tokens_;
  std::vector<SeenToken> seen_;
  std::vector<std::uint32_t> seen_bits_;
  std::vector<AutomatonSlot> slots_;
  StateView view_;
};

/// Row r becomes what row parents[r] was, for all rows at once; -1 leaves a row as it is. A row is
/// written once nobody needs it any more; what is left then is cycles, each broken by the spare
/// row.
template <class Id>
void copy_rows(const StateView& view, host_span<const Id> parents) {
  std::vector<std::int64_t> parent(static_cast<std::size_t>(view.rows), -1);
  std::vector<std::int64_t> readers(static_cast<std::size_t>(view.rows), 0);
  const auto at = [](std::int64_t row) { return static_cast<std::size_t>(row); };
  for (std::int64_t row = 0; row < view.rows; ++row) {
    if (parents[row] < 0 || parents[row] == row) continue;
    parent[at(row)] = parents[row];
    ++readers[at(parents[row])];
  }
  std::vector<std::int64_t> free;
  for (std::int64_t row = 0; row < view.rows; ++row) {
    if (parent[at(row)] >= 0 && readers[at(row)] == 0) free.push_back(row);
  }
  while (!free.empty()) {
    const std::int64_t row = free.back();
    free.pop_back();
    const std::int64_t source = parent[at(row)];
    copy_row(view, source, view, row);
    parent[at(row)] = -1;
    if (--readers[at(source)] == 0 && parent[at(source)] >= 0) free.push_back(source);
  }
  const auto in_cycle = [&](std::int64_t row) { return parent[at(row)] >= 0; };
  std::int64_t start = 0;
  while (start < view.rows && !in_cycle(start)) ++start;
  if (start == view.rows) return;
  const SpareRow spare(view);
  for (; start < view.rows; ++start) {
    if (!in_cycle(start)) continue;
    copy_row(view, start, spare.view(), 0);
    std::int64_t row = start;
    for (std::int64_t source = parent[at(row)]; source != start; source = parent[at(row)]) {
      copy_row(view, source, view, row);
      parent[at(row)] = -1;
      row = source;
    }
    copy_row(spare.view(), 0, view, row);
    parent[at(row)] = -1;
  }
}

}  // namespace logitchain::inline v0::detail
