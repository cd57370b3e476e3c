// SPDX-License-Identifier: Apache-2.0
// SequenceBias: adds a bias to the token that would complete one of the table's sequences.
//
//   z'(t) = z(t) + sum of the biases of the sequences that end in t and whose other tokens are the
//           row's last ones; the sum is made first, any -inf in it bans
//
// Reference: SequenceBiasLogitsProcessor of Transformers 5.16.1; NoBadWordsLogitsProcessor with a
// table of `bad_words`. The row walks an automaton: a step costs the tokens biased in its state,
// not the table.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/automaton_slot.hpp>
#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/tables/bias_table.hpp>
#include <logitchain/tables/table_ref.hpp>

namespace logitchain::inline v0 {

/// Biases of token sequences. Tables are made by `sequence_bias` and `bad_words`.
struct SequenceBias {
  static constexpr const char* name = "SequenceBias";
  static constexpr Kind kind = Kind::listed;
  static constexpr Components components = Components::slot;
  static constexpr bool bans = true;

  TableRef<BiasTableView> table{};  ///< one for all rows, or one per row; index -1 is off

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.table("table", table);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const { return table.of(row.row()) != nullptr; }

  /// The row's state before its first token.
  LOGITCHAIN_HD AutomatonSlot start(const SlotRow& row) const {
    const BiasTableView* const own = table.of(row.row());
    return own ? own->start() : AutomatonSlot{};
  }
  /// The row's state after one more token. A state that stems from another table is damaged for
  /// ever; a row without a table holds none.
  LOGITCHAIN_HD AutomatonSlot advance(const SlotRow& row, AutomatonSlot slot, std::int64_t token,
                                      bool) const {
    const BiasTableView* const own = table.of(row.row());
    if (!own) return {};
    if (slot.tag != own->tag()) slot.node = DAMAGED_NODE;
    return own->advance(slot, token);
  }
  /// False where the state is damaged or stems from another table.
  LOGITCHAIN_HD bool valid(const SlotRow& row) const {
    const BiasTableView* const own = table.of(row.row());
    return own == nullptr || (row.slot().tag == own->tag() && own->listed(row.slot().node) >= 0);
  }

  struct Bound {
    const BiasTableView* table;
    std::int32_t node, total;
    LOGITCHAIN_HD std::int64_t size() const {
      const int listed = table->listed(node);
      return listed < 0 ? 0 : listed;
    }
    LOGITCHAIN_HD std::int64_t token(std::int64_t i) const { return entry(i).token; }
    LOGITCHAIN_HD float operator()(std::int64_t i, float score) const {
      const float bias = entry(i).bias;
      return bits_of(bias) == bits_of(FILTER) ? FILTER : add(score, bias);
    }
    LOGITCHAIN_HD ListedBias entry(std::int64_t i) const {
      return table->entry(node, static_cast<int>(i), total);
    }
  };
  LOGITCHAIN_HD Bound bind(const SlotRow& row) const {
    return {table.of(row.row()), row.slot().node, row.total()};
  }
};

static_assert(LogitsTransform<SequenceBias>);

}  // namespace logitchain::inline v0
