// SPDX-License-Identifier: Apache-2.0
// StopStrings: ends a row when one of the table's strings is completed within its newest token.
//
//   stop  <=>  a string ends among the newest token's bytes; the one that ends first, then the
//              lowest entry
//
// Reference: StopStringCriteria of Transformers 5.16.1, which lays tables of token positions over
// the last tokens at each step. Here the row walks an automaton, so that a token costs its own
// bytes, whatever the history.
#pragma once

#include <cstdint>

#include <logitchain/core/automaton_slot.hpp>
#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/tables/stop_table.hpp>
#include <logitchain/tables/table_ref.hpp>

namespace logitchain::inline v0 {

/// Finishes a row whose text ends with one of the compiled stop strings. `Fired::begin` is the byte
/// of the generated text at which the string begins.
struct StopStrings {
  static constexpr const char* name = "StopStrings";
  static constexpr Components components = Components::slot;

  TableRef<StopTableView> table{};  ///< one for all rows, or one per row; index -1 is off
  bool match_from_prompt = true;    ///< a match may begin in the prompt; it ends in generated text

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.table("table", table);
    Param<std::int32_t> from_prompt;  // not a number, but a part of what the criterion does
    from_prompt.value = match_from_prompt;
    visit.number("match_from_prompt", from_prompt, UNIT);
  }

  /// The row's state before its first token.
  LOGITCHAIN_HD AutomatonSlot start(const SlotRow& row) const {
    const StopTableView* const own = table.of(row.row());
    return own ? own->start(match_from_prompt) : AutomatonSlot{};
  }
  /// The row's state after one more token. A state that stems from another table is damaged for
  /// ever; a row without a table holds none.
  LOGITCHAIN_HD AutomatonSlot advance(const SlotRow& row, AutomatonSlot slot, std::int64_t token,
                                      bool generated) const {
    const StopTableView* const own = table.of(row.row());
    if (!own) return {};
    if (slot.tag != own->tag()) slot.node = DAMAGED_NODE;
    return own->advance(slot, token, generated);
  }
  /// False where the state is damaged or stems from another table.
  LOGITCHAIN_HD bool valid(const SlotRow& row) const {
    const StopTableView* const own = table.of(row.row());
    return own == nullptr || (row.slot().tag == own->tag() && row.slot().node >= 0);
  }

  LOGITCHAIN_HD Fired operator()(const SlotRow& row, std::int32_t) const {
    return {row.slot().entry, row.slot().begin};
  }
};

static_assert(Stopping<StopStrings>);

}  // namespace logitchain::inline v0
