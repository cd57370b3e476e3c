// SPDX-License-Identifier: Apache-2.0
// What chains and criteria have in common: stages by value, an automaton slot for each that walks
// one, and the checks of their parameters.
#pragma once

#include <cstdint>

#include <logitchain/chain/detail/check_parameters.hpp>
#include <logitchain/chain/pack.hpp>
#include <logitchain/chain/stage.hpp>
#include <logitchain/chain/visit_on_host.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/state/needs.hpp>

namespace logitchain::inline v0::detail {

/// Stages in their order. `Chain` and `Criterion` are compositions with a meaning.
template <class... Stages>
struct Composition {
  static constexpr int SIZE = static_cast<int>(sizeof...(Stages));
  static constexpr int SLOTS = (0 + ... + (has(components_of<Stages>(), Components::slot) ? 1 : 0));
  static constexpr bool SEEN = (false || ... || has(components_of<Stages>(), Components::seen));

  Pack<Stages...> pack{};

  /// Stage `Index`, in the order given.
  template <int Index>
  LOGITCHAIN_HD constexpr const auto& stage() const {
    return get<static_cast<std::size_t>(Index)>(pack);
  }
  template <int Index>
  using Stage = std::remove_cvref_t<decltype(get<static_cast<std::size_t>(Index)>(
      std::declval<const Pack<Stages...>&>()))>;

  /// Number of stage `Index` among those that walk an automaton.
  template <int Index>
  LOGITCHAIN_HD static constexpr int slot_of() {
    constexpr bool walks[] = {has(components_of<Stages>(), Components::slot)..., false};
    int slot = 0;
    for (int i = 0; i < Index; ++i) slot += walks[i] ? 1 : 0;
    return slot;
  }

  /// The row as stage `Index` sees it.
  template <int Index>
  LOGITCHAIN_HD static auto row_for(const RowView::Fields& fields, const AutomatonSlot* slots) {
    return row_of<Stage<Index>>(fields, slots ? slots + slot_of<Index>() : nullptr);
  }

  /// Puts the automata of a row at their beginning.
  LOGITCHAIN_HD void start_slots(const RowView::Fields& fields, AutomatonSlot* slots) const {
    for_each_index<SIZE>([&](auto i) {
      if constexpr (has(components_of<Stage<i>>(), Components::slot)) {
        AutomatonSlot& slot = slots[slot_of<i>()];
        slot = stage<i>().start(row_of<Stage<i>>(fields, &slot));
        slot.walked = 0;
      }
    });
  }

  /// Moves the automata of a row by one token. False where a table turns out to be damaged.
  LOGITCHAIN_HD bool advance_slots(const RowView::Fields& fields, AutomatonSlot* slots,
                                   std::int64_t token, bool generated) const {
    bool whole = true;
    for_each_index<SIZE>([&](auto i) {
      if constexpr (has(components_of<Stage<i>>(), Components::slot)) {
        AutomatonSlot& slot = slots[slot_of<i>()];
        const std::uint32_t walked = slot.walked + 1u;
        slot = stage<i>().advance(row_of<Stage<i>>(fields, &slot), slot, token, generated);
        slot.walked = walked & 0x7fffffffu;
        whole = whole && slot.node >= 0;
      }
    });
    return whole;
  }

  /// `Status::ok`, or what is wrong with the row's numbers or tables: the first stage's fault.
  LOGITCHAIN_HD Status check_row(const RowView::Fields& fields, const AutomatonSlot* slots) const {
    RowCheck check{fields.row, Status::ok};
    for_each_index<SIZE>([&](auto i) {
      if (check.status == Status::ok) visit_parameters(stage<i>(), check);
      if (check.status != Status::ok) return;
      const auto row = row_for<i>(fields, slots);
      if constexpr (has(components_of<Stage<i>>(), Components::slot)) {
        if (slots[slot_of<i>()].walked != static_cast<std::uint32_t>(row.total()))
          check.status = Status::invalid_table;
      }
      // By a function of its own: in a lambda clang 14 takes such a requirement for never met.
      if (!is_valid(stage<i>(), row)) check.status = Status::invalid_table;
    });
    return check.status;
  }

  /// Refuses batch-wide numbers and lists that no state could make right.
  void refuse_numbers() const {
    for_each_index_on_host<SIZE>([&](auto i) {
      RefuseNumbers check{name_of_stage<Stage<i>>()};
      visit_on_host(stage<i>(), check);
    });
  }

  /// Refuses what does not fit a state of these rows and this vocabulary.
  void refuse_for(Space space, std::int64_t rows, std::int64_t vocab, bool with_lists) const {
    for_each_index_on_host<SIZE>([&](auto i) {
      RefuseForState check{name_of_stage<Stage<i>>(), space, rows, vocab, with_lists};
      visit_on_host(stage<i>(), check);
    });
  }
};

}  // namespace logitchain::inline v0::detail
