// SPDX-License-Identifier: Apache-2.0
// A chain: transforms in the order in which they are applied. The type is the program, the values
// are its data.
#pragma once

#include <utility>

#include <logitchain/chain/composition.hpp>
#include <logitchain/chain/diagnostics.hpp>
#include <logitchain/chain/plan.hpp>

namespace logitchain::inline v0 {

/// Transforms, held by value. Made by `chain`.
template <class... Transforms>
struct Chain : detail::Composition<Transforms...> {
  using Base = detail::Composition<Transforms...>;
  static constexpr Needs NEEDS{Base::SEEN, Base::SLOTS, 0};
  /// The traits of the stages, in order.
  static constexpr detail::TraitsOf<Base::SIZE> TRAITS{detail::traits_of<Transforms>()...};
  /// What the engines run.
  static constexpr Plan<Base::SIZE> PLAN = detail::make_plan<Base::SIZE>(TRAITS);
};

namespace detail {
template <class Type>
inline constexpr bool is_chain = false;
template <class... Transforms>
inline constexpr bool is_chain<Chain<Transforms...>> = true;

/// Reports a call that was given something else where a chain belongs.
template <class Type>
constexpr void demand_chain() {
  if constexpr (!is_chain<Type>) (void)E08_not_a_chain<Type>{};
}
}  // namespace detail

/// Composes transforms in the order given; that order is part of the result. A transform is one of
/// the library's, a type of your own with its contract, or any callable (row, token, score) ->
/// score. `chain()` of nothing leaves scores as they are.
///
/// @throws invalid_argument where a batch-wide number is outside of its range; the text names the
/// transform, the argument, its value and what is allowed. Per-row numbers are checked at each
/// step.
template <class... Transforms>
constexpr auto chain(Transforms... transforms) {
  constexpr detail::Fault faults[] = {detail::transform_fault<Transforms>()...,
                                      detail::Fault::none};
  constexpr int at = detail::first_fault(faults);
  if constexpr (at >= 0) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((static_cast<int>(I) == at
            ? detail::report_transform<static_cast<int>(I),
                                       static_cast<int>(I) == at ? faults[I] : detail::Fault::none,
                                       Transforms>()
            : void()),
       ...);
    }(std::index_sequence_for<Transforms...>{});
    return Chain<>{};
  } else {
    Chain<Transforms...> composed{
        {detail::make_pack(std::index_sequence_for<Transforms...>{}, std::move(transforms)...)}};
    composed.refuse_numbers();
    return composed;
  }
}

/// The plan of a chain, a constexpr value.
template <class... Transforms>
constexpr Plan<static_cast<int>(sizeof...(Transforms))> plan(const Chain<Transforms...>&) {
  return Chain<Transforms...>::PLAN;
}

}  // namespace logitchain::inline v0
