// SPDX-License-Identifier: Apache-2.0
// The contracts of transforms and criteria, as concepts. They define; `chain/diagnostics.hpp`
// reports.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <logitchain/core/automaton_slot.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/core/types.hpp>

namespace logitchain::inline v0 {

namespace detail {

template <class Stage>
LOGITCHAIN_HD constexpr Kind kind_of() {
  if constexpr (requires { Stage::kind; }) {
    return Stage::kind;
  } else {
    return Kind::map;
  }
}

template <class Stage>
LOGITCHAIN_HD constexpr Components components_of() {
  if constexpr (requires { Stage::components; }) {
    return Stage::components;
  } else {
    return Components::none;
  }
}

template <class Stage>
LOGITCHAIN_HD constexpr Numbers numbers_of() {
  if constexpr (requires { Stage::numbers; }) {
    return Stage::numbers;
  } else {
    return Numbers::none;
  }
}

/// The row view that a stage's members are called with.
template <class Stage>
using RowOf = RowWith<components_of<Stage>()>;

/// A stage that declares an automaton must say how it starts and how a token moves it.
template <class Stage>
concept WalksIfDeclared =
    !has(components_of<Stage>(), Components::slot) ||
    requires(const Stage& stage, const RowOf<Stage>& row, AutomatonSlot slot, std::int64_t token) {
      { stage.start(row) } -> std::same_as<AutomatonSlot>;
      { stage.advance(row, slot, token, true) } -> std::same_as<AutomatonSlot>;
    };

}  // namespace detail

/// Something called with (row, token, score) that gives the new score.
template <class Stage>
concept PlainMap =
    requires(const Stage& stage, const RowView& row, std::int32_t token, float score) {
      { stage(row, token, score) } -> std::convertible_to<float>;
    };

/// A map whose numbers are resolved once per row: `bind(row)` gives a function (token, score) ->
/// score.
template <class Stage>
concept BoundMap =
    detail::kind_of<Stage>() == Kind::map &&
    requires(const Stage& stage, const detail::RowOf<Stage>& row, std::int32_t token, float score) {
      { stage.bind(row)(token, score) } -> std::convertible_to<float>;
    };

/// A map that lists its tokens: `bind(row)` gives `size()`, `token(i)` (-1: skip this one; each
/// token at most once) and a function (i, score) -> score.
template <class Stage>
concept ListedMap =
    detail::kind_of<Stage>() == Kind::listed &&
    requires(const Stage& stage, const detail::RowOf<Stage>& row, std::int64_t i, float score) {
      { stage.bind(row).size() } -> std::convertible_to<std::int64_t>;
      { stage.bind(row).token(i) } -> std::convertible_to<std::int64_t>;
      { stage.bind(row)(i, score) } -> std::convertible_to<float>;
    };

/// A stage that, where `active(row)`, leaves only the tokens that `bind(row)` lists, with score 0.
template <class Stage>
concept Force = detail::kind_of<Stage>() == Kind::force &&
                requires(const Stage& stage, const detail::RowOf<Stage>& row, std::int64_t i) {
                  { stage.active(row) } -> std::same_as<bool>;
                  { stage.bind(row).size() } -> std::convertible_to<std::int64_t>;
                  { stage.bind(row).token(i) } -> std::convertible_to<std::int64_t>;
                };

/// Any transform that looks at one score, its token and the row's own state.
template <class Stage>
concept Map = BoundMap<Stage> || ListedMap<Stage> || Force<Stage> ||
              (PlainMap<Stage> && detail::kind_of<Stage>() == Kind::map);

/// A map that also reads numbers of the row: `bind(row, numbers)` gives (token, score) -> score.
template <class Stage>
concept Cut = detail::kind_of<Stage>() == Kind::cut &&
              requires(const Stage& stage, const detail::RowOf<Stage>& row,
                       const RowNumbers& numbers, std::int32_t token, float score) {
                { stage.bind(row, numbers)(token, score) } -> std::convertible_to<float>;
              };

/// A prefix of the row in the order of `key(score)`: `bind(row, numbers)` gives `key` and
/// `spend()`.
template <class Stage>
concept Selection = detail::kind_of<Stage>() == Kind::selection &&
                    requires(const Stage& stage, const detail::RowOf<Stage>& row,
                             const RowNumbers& numbers, float score) {
                      { stage.bind(row, numbers).key(score) } -> std::convertible_to<float>;
                      { stage.bind(row, numbers).spend() } -> std::same_as<Spend>;
                    };

/// A transform: a pure rewrite of a row's scores, applied before the draw.
template <class Stage>
concept LogitsTransform =
    (Map<Stage> || Cut<Stage> || Selection<Stage>) && detail::WalksIfDeclared<Stage>;

/// A stopping criterion: called with the row, the newest token included in its history, and that
/// token. It answers `bool`, or `Fired` where it has entries.
template <class Rule>
concept Stopping = detail::WalksIfDeclared<Rule> &&
                   requires(const Rule& rule, const detail::RowOf<Rule>& row, std::int32_t token) {
                     requires std::same_as<decltype(rule(row, token)), Fired> ||
                                  std::convertible_to<decltype(rule(row, token)), bool>;
                   };

}  // namespace logitchain::inline v0
