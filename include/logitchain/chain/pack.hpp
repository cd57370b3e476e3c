// SPDX-License-Identifier: Apache-2.0
// A tuple of stages that device code may use: `std::tuple` needs a flag of nvcc that users may not
// set.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <logitchain/core/config.hpp>

namespace logitchain::inline v0::detail {

/// One element. The index lets a chain hold the same type twice and empty stages at no size.
template <std::size_t Place, class Stage>
struct Leaf {
  [[no_unique_address]] Stage stage;
};

template <class Indices, class... Stages>
struct PackOf;

template <std::size_t... Indices, class... Stages>
struct PackOf<std::index_sequence<Indices...>, Stages...> : Leaf<Indices, Stages>... {};

template <class... Stages>
using Pack = PackOf<std::index_sequence_for<Stages...>, Stages...>;

template <std::size_t Place, class Stage>
LOGITCHAIN_HD constexpr const Stage& get(const Leaf<Place, Stage>& leaf) {
  return leaf.stage;
}

template <std::size_t... Indices, class... Stages>
constexpr Pack<Stages...> make_pack(std::index_sequence<Indices...>, Stages&&... stages) {
  return {Leaf<Indices, Stages>{std::move(stages)}...};
}

/// A number as a type. The conversion of `std::integral_constant` is not for device code.
template <int Number>
struct Index {
  static constexpr int value = Number;
  // NOLINTNEXTLINE(google-explicit-constructor): it is the number
  LOGITCHAIN_HD constexpr operator int() const { return Number; }
};

/// Calls `f(Index<I>{})` for I in [0, Count), in order.
template <int Count, class Function>
LOGITCHAIN_HD constexpr void for_each_index(Function&& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (f(Index<I>{}), ...);
  }(std::make_integer_sequence<int, Count>{});
}

/// The same for functions that only the host has.
template <int Count, class Function>
constexpr void for_each_index_on_host(Function&& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (f(Index<I>{}), ...);
  }(std::make_integer_sequence<int, Count>{});
}

}  // namespace logitchain::inline v0::detail
