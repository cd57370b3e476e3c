// SPDX-License-Identifier: Apache-2.0
// A criterion: stopping rules combined with OR, asked after every committed token.
#pragma once

#include <cstdint>
#include <utility>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/composition.hpp>
#include <logitchain/chain/diagnostics.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/state/commit.hpp>

namespace logitchain::inline v0 {

/// Stopping rules, held by value. Made by `criterion`.
template <class... Rules>
struct Criterion : detail::Composition<Rules...> {
  using Base = detail::Composition<Rules...>;
  static constexpr Needs NEEDS{Base::SEEN, 0, Base::SLOTS};

  /// Asks every rule about the row, whose history already holds `token`. The first in order that
  /// fires names the reason.
  LOGITCHAIN_HD StopVerdict evaluate(const RowView::Fields& fields, const AutomatonSlot* slots,
                                     std::int32_t token) const {
    StopVerdict verdict;
    detail::for_each_index<Base::SIZE>([&](auto i) {
      const auto answer =
          this->template stage<i>()(Base::template row_for<i>(fields, slots), token);
      if (verdict.criterion != NOT_FINISHED || !static_cast<bool>(answer)) return;
      verdict.criterion = static_cast<std::int16_t>(static_cast<int>(i));
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(answer)>, Fired>) {
        verdict.fired = answer;
      } else {
        verdict.fired.entry = 0;
      }
    });
    return verdict;
  }
};

namespace detail {
template <class Type>
inline constexpr bool is_criterion = false;
template <class... Rules>
inline constexpr bool is_criterion<Criterion<Rules...>> = true;

/// Reports a call that was given something else where a criterion belongs.
template <class Type>
constexpr void demand_stop() {
  if constexpr (!is_criterion<Type>) (void)E09_not_a_stop<Type>{};
}
}  // namespace detail

/// Composes stopping rules: a row ends after the first token at which any of them fires. Where
/// several fire at one token, the first in the order given is the reason. A rule is one of the
/// library's, a type of your own, or any callable (row, token) -> bool. `criterion()` of nothing
/// never fires: rows end with their budget.
///
/// @throws invalid_argument where a batch-wide number is outside of its range
template <class... Rules>
constexpr auto criterion(Rules... rules) {
  static_assert(sizeof...(Rules) < BUDGET_SPENT);
  constexpr detail::Fault faults[] = {detail::criterion_fault<Rules>()..., detail::Fault::none};
  constexpr int at = detail::first_fault(faults);
  if constexpr (at >= 0) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((static_cast<int>(I) == at
            ? detail::report_criterion<static_cast<int>(I),
                                       static_cast<int>(I) == at ? faults[I] : detail::Fault::none,
                                       Rules>()
            : void()),
       ...);
    }(std::index_sequence_for<Rules...>{});
    return Criterion<>{};
  } else {
    Criterion<Rules...> composed{
        {detail::make_pack(std::index_sequence_for<Rules...>{}, std::move(rules)...)}};
    composed.refuse_numbers();
    return composed;
  }
}

/// What a state must hold for this chain and criterion. Unite several with `|`.
template <class ChainType, class StopType>
constexpr Needs needs(const ChainType&, const StopType&) {
  detail::demand_chain<ChainType>();
  detail::demand_stop<StopType>();
  if constexpr (detail::is_chain<ChainType> && detail::is_criterion<StopType>) {
    return ChainType::NEEDS | StopType::NEEDS;
  } else {
    return {};
  }
}

}  // namespace logitchain::inline v0
