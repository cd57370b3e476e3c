// SPDX-License-Identifier: Apache-2.0
// Wrong chains explain themselves: one struct and one sentence per mistake, with position and type.
// nvcc gives no reason when a `requires` fails, so concepts define the contracts and these report.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <logitchain/core/concepts.hpp>

namespace logitchain::inline v0 {

namespace detail {
template <class...>
inline constexpr bool always_false = false;
}

/// The type at `Position` of `chain(...)` is nothing that rewrites scores.
template <int Position, class Type>
struct E01_not_a_transform {
  static_assert(detail::always_false<Type>,
                "[logitchain:E01] the type at this position of chain() is not a transform. Give it "
                "'float operator()(const RowView& row, int token, float score) const', or see the "
                "anatomy in transforms/temperature.hpp");
};

/// The type at `Position` of `criterion(...)` is nothing that finishes a row.
template <int Position, class Type>
struct E02_not_a_criterion {
  static_assert(detail::always_false<Type>,
                "[logitchain:E02] the type at this position of criterion() is not a stopping "
                "criterion. Give it 'bool operator()(const RowView& row, int token) const'");
};

/// A stopping criterion stands in a chain.
template <int Position, class Type>
struct E03_criterion_in_a_chain {
  static_assert(detail::always_false<Type>,
                "[logitchain:E03] the type at this position of chain() is a stopping criterion. "
                "Move it to criterion(), which is asked after the commit");
};

/// A transform stands in a criterion.
template <int Position, class Type>
struct E04_transform_in_a_criterion {
  static_assert(detail::always_false<Type>,
                "[logitchain:E04] the type at this position of criterion() is a transform. Move it "
                "to chain(), which rewrites the scores before the draw");
};

/// A stage declares a kind and lacks the members of that kind.
template <int Position, class Type>
struct E05_kind_and_members_differ {
  static_assert(
      detail::always_false<Type>,
      "[logitchain:E05] the transform at this position declares a 'kind' whose members it "
      "does not have. A map needs bind(row), a cut bind(row, numbers), both giving a "
      "function (token, score) -> float; a selection's bind(row, numbers) gives key(score) "
      "and spend(); a listed map's bind(row) gives size(), token(i) and (i, score) -> "
      "float; a force needs active(row) and bind(row) with size() and token(i)");
};

/// A stage declares an automaton and does not walk it.
template <int Position, class Type>
struct E06_automaton_without_walk {
  static_assert(detail::always_false<Type>,
                "[logitchain:E06] the type at this position declares Components::slot. Give it "
                "'AutomatonSlot start(row) const' and 'AutomatonSlot advance(row, slot, token, "
                "generated) const', or do not declare the slot");
};

/// An engine was given memory of another space.
template <class Engine, class Span>
struct E07_wrong_memory_space {
  static_assert(detail::always_false<Engine>,
                "[logitchain:E07] this engine cannot read memory of that space. Give host_engine "
                "host_logits, host_scores and host_span, and cuda_engine their device forms");
};

/// A call was given a bare stage in place of a chain.
template <class Type>
struct E08_not_a_chain {
  static_assert(detail::always_false<Type>,
                "[logitchain:E08] the chain argument is not a chain. Make one of it with "
                "'logitchain::chain(...)', once, and pass that");
};

/// A call was given a bare rule in place of a criterion.
template <class Type>
struct E09_not_a_stop {
  static_assert(detail::always_false<Type>,
                "[logitchain:E09] the stop argument is not a composed criterion. Make one of it "
                "with 'logitchain::criterion(...)', once, and pass that");
};

/// A stage's `parameters` cannot be called on a const stage, so that its numbers would go
/// unchecked.
template <class Type>
struct E10_parameters_not_const {
  static_assert(
      detail::always_false<Type>,
      "[logitchain:E10] 'parameters' of this stage cannot be called on a const stage with "
      "a visitor by reference. Write 'template <class Visitor> void parameters(Visitor& "
      "visit) const'");
};

/// The callable at `Position` of `chain(...)` answers whether a token stays, which as a score would
/// be 1 or 0.
template <int Position, class Type>
struct E11_mask_in_place_of_scores {
  static_assert(
      detail::always_false<Type>,
      "[logitchain:E11] the callable at this position of chain() returns bool. Return the "
      "score: 'return keep ? score : logitchain::FILTER'");
};

namespace detail {

enum class Fault { none, not_one, other_side, members, walk, mask };

/// Called as a transform, it answers yes or no.
template <class Type>
concept Mask = requires(const Type& stage, const RowView& row, std::int32_t token, float score) {
  { stage(row, token, score) } -> std::same_as<bool>;
};

template <class Type>
inline constexpr bool is_plain_criterion =
    requires(const Type& rule, const RowOf<Type>& row, std::int32_t token) { rule(row, token); };

template <class Type>
constexpr Fault transform_fault() {
  if (Mask<Type>) return Fault::mask;
  if (LogitsTransform<Type>) return Fault::none;
  if (!WalksIfDeclared<Type>) return Fault::walk;
  if (requires { Type::kind; }) return Fault::members;
  return is_plain_criterion<Type> ? Fault::other_side : Fault::not_one;
}

template <class Type>
constexpr Fault criterion_fault() {
  if (Stopping<Type>) return Fault::none;
  if (!WalksIfDeclared<Type>) return Fault::walk;
  return LogitsTransform<Type> || (requires { Type::kind; }) ? Fault::other_side : Fault::not_one;
}

/// Position of the first fault, -1 without one. A loop over values, so that only one struct is
/// instantiated and only one error is printed.
template <std::size_t Size>
constexpr int first_fault(const Fault (&faults)[Size]) {
  for (std::size_t i = 0; i < Size; ++i) {
    if (faults[i] != Fault::none) return static_cast<int>(i);
  }
  return -1;
}

template <int Position, Fault Why, class Type>
constexpr void report_transform() {
  if constexpr (Why == Fault::not_one) (void)E01_not_a_transform<Position, Type>{};
  if constexpr (Why == Fault::other_side) (void)E03_criterion_in_a_chain<Position, Type>{};
  if constexpr (Why == Fault::members) (void)E05_kind_and_members_differ<Position, Type>{};
  if constexpr (Why == Fault::walk) (void)E06_automaton_without_walk<Position, Type>{};
  if constexpr (Why == Fault::mask) (void)E11_mask_in_place_of_scores<Position, Type>{};
}

template <int Position, Fault Why, class Type>
constexpr void report_criterion() {
  if constexpr (Why == Fault::not_one) (void)E02_not_a_criterion<Position, Type>{};
  if constexpr (Why == Fault::other_side) (void)E04_transform_in_a_criterion<Position, Type>{};
  if constexpr (Why == Fault::walk) (void)E06_automaton_without_walk<Position, Type>{};
}

}  // namespace detail
}  // namespace logitchain::inline v0
