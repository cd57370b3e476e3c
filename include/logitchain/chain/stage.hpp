// SPDX-License-Identifier: Apache-2.0
// What the planner and the engines read off a stage's type: its traits as plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include <logitchain/chain/diagnostics.hpp>
#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/row_view.hpp>

namespace logitchain::inline v0 {

/// A transform's contract as values. Two stages with equal traits are planned alike: the planner
/// knows no names.
struct StageTraits {
  Kind kind = Kind::map;
  Numbers numbers = Numbers::none;
  bool slot = false;          ///< walks an automaton
  bool seen = false;          ///< reads the list of distinct tokens
  bool by_score = true;       ///< a selection whose order is that of the scores
  bool walks = false;         ///< a selection that looks at its survivors one by one, best first
  bool revives = false;       ///< may give a removed token a score again
  bool monotone = false;      ///< never reverses the order of two scores; -inf comes out as -inf
  bool may_collapse = false;  ///< may leave only the row's best token
  bool collapses = false;     ///< leaves only the row's best token
  bool keeps_best = false;    ///< a filter that the best token always passes unchanged
  bool bans = false;          ///< removes tokens by what they are, not by their rank

  friend constexpr bool operator==(const StageTraits&, const StageTraits&) = default;

  /// True where the stage ends a run of maps: it needs the whole row in front of it.
  constexpr bool shrinks() const { return kind == Kind::cut || kind == Kind::selection; }
};

namespace detail {

/// Numbers with those that they are made from.
constexpr Numbers closure(Numbers numbers) {
  if (has(numbers, Numbers::entropy)) numbers = numbers | Numbers::total;
  if (has(numbers, Numbers::total | Numbers::deviation)) numbers = numbers | Numbers::maximum;
  return numbers;
}

template <class Stage>
constexpr StageTraits traits_of() {
  StageTraits traits;
  traits.kind = kind_of<Stage>();
  traits.numbers = closure(numbers_of<Stage>());
  traits.slot = has(components_of<Stage>(), Components::slot);
  traits.seen = has(components_of<Stage>(), Components::seen);
  if constexpr (requires { Stage::by_score; }) traits.by_score = Stage::by_score;
  if constexpr (requires { Stage::walks; }) traits.walks = Stage::walks;
  if constexpr (requires { Stage::revives; }) traits.revives = Stage::revives;
  if constexpr (requires { Stage::monotone; }) traits.monotone = Stage::monotone;
  if constexpr (requires { Stage::may_collapse; }) traits.may_collapse = Stage::may_collapse;
  if constexpr (requires { Stage::collapses; }) traits.collapses = Stage::collapses;
  if constexpr (requires { Stage::keeps_best; }) traits.keeps_best = Stage::keeps_best;
  if constexpr (requires { Stage::bans; }) traits.bans = Stage::bans;
  // Whatever filters must know whether the row has a distribution at all, so it needs the maximum.
  if (traits.shrinks()) traits.numbers = closure(traits.numbers | Numbers::maximum);
  return traits;
}

/// The stage's name as it is spelled in plans and errors.
template <class Stage>
constexpr std::string_view name_of_stage() {
  if constexpr (requires { Stage::name; }) {
    return Stage::name;
  } else {
    return "your own";
  }
}

/// The stage's row view.
template <class Stage>
LOGITCHAIN_HD RowOf<Stage> row_of(RowView::Fields fields, const AutomatonSlot* slot) {
  fields.slot = slot;
  return RowOf<Stage>(fields);
}

/// False where the stage's off value makes it do nothing for this row.
template <class Stage>
LOGITCHAIN_HD bool is_active(const Stage& stage, const RowOf<Stage>& row) {
  if constexpr (requires { stage.active(row); }) {
    return stage.active(row);
  } else {
    return true;
  }
}

/// True unless the stage says that the row's automaton is in no state of its own.
template <class Stage>
LOGITCHAIN_HD bool is_valid(const Stage& stage, const RowOf<Stage>& row) {
  if constexpr (requires { stage.valid(row); }) {
    return stage.valid(row);
  } else {
    return true;
  }
}

/// What a walking selection's answer comes to: no fewer than none of its survivors, no more than
/// all.
LOGITCHAIN_HD constexpr std::int64_t walked_length(std::int64_t length, std::int64_t survivors) {
  return length < 0 ? 0 : length < survivors ? length : survivors;
}

/// A plain callable, bound to its row.
template <class Stage>
struct BoundCallable {
  const Stage& stage;
  RowView row;
  LOGITCHAIN_HD float operator()(std::int32_t token, float score) const {
    if constexpr (std::is_same_v<decltype(stage(row, token, score)), double>) {
      return to_float(stage(row, token, score));
    } else {
      return static_cast<float>(stage(row, token, score));
    }
  }
};

/// The function (token, score) -> score of a dense map.
template <class Stage>
LOGITCHAIN_HD auto bind_map(const Stage& stage, const RowOf<Stage>& row) {
  if constexpr (BoundMap<Stage>) {
    return stage.bind(row);
  } else {
    return BoundCallable<Stage>{stage, row};
  }
}

/// Calls `visit` for each number, list and table of a stage that names them.
template <class Stage, class Visitor>
LOGITCHAIN_HD void visit_parameters(const Stage& stage, Visitor& visit) {
  if constexpr (requires { stage.parameters(visit); }) {
    stage.parameters(visit);
  } else if constexpr (requires(Stage& changing) { changing.parameters(visit); }) {
    (void)E10_parameters_not_const<Stage>{};
  }
}

}  // namespace detail
}  // namespace logitchain::inline v0
