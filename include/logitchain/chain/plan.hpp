// SPDX-License-Identifier: Apache-2.0
// The planner: cuts a chain into as few passes over the row as its meaning allows, at compile time.
#pragma once

#include <array>
#include <cstddef>

#include <logitchain/chain/stage.hpp>
#include <logitchain/core/kind.hpp>

namespace logitchain::inline v0 {

/// One pass: a run of maps, then the numbers of the row, then one stage that shrinks it (or the
/// draw).
struct Pass {
  int first_map = 0;  ///< the run is the stages [first_map, first_map + maps)
  int maps = 0;
  int stage = -1;                   ///< the cut or selection that ends the pass; -1: the draw
  Numbers numbers = Numbers::none;  ///< what the end of the pass needs to know of the row
  Numbers shared = Numbers::none;   ///< those of them that the pass before already found
  bool whole_row = true;            ///< runs over the vocabulary; else over survivors only
  bool in_place = false;  ///< removed tokens keep their place, since a later stage may revive them

  friend constexpr bool operator==(const Pass&, const Pass&) = default;
};

/// The plan of a chain of `Stages` transforms; a constexpr value. A chain of n shrinking stages
/// takes at most n + 1 passes, the last of which draws.
template <int Stages>
struct Plan {
  std::array<Pass, static_cast<std::size_t>(Stages) + 1> pass{};
  int passes = 0;
  /// Stages that change no token and no status where they stand; only their parameters are checked.
  std::array<bool, static_cast<std::size_t>(Stages) + 1> dropped{};

  friend constexpr bool operator==(const Plan&, const Plan&) = default;

  constexpr const Pass& operator[](int i) const { return pass[static_cast<std::size_t>(i)]; }
  /// Passes that run over the whole vocabulary.
  constexpr int whole_row_passes() const {
    int count = 0;
    for (int i = 0; i < passes; ++i) count += (*this)[i].whole_row ? 1 : 0;
    return count;
  }
};

namespace detail {

template <int Stages>
using TraitsOf = std::array<StageTraits, static_cast<std::size_t>(Stages)>;

/// A filter that the best token passes is void where only such filters stand between it and a stage
/// that leaves the best token alone: the token, its score and the row's status come out the same.
template <int Stages>
constexpr void drop_void_filters(const TraitsOf<Stages>& traits, Plan<Stages>& plan) {
  bool before_collapse = false;
  for (int i = Stages - 1; i >= 0; --i) {
    const StageTraits& stage = traits[static_cast<std::size_t>(i)];
    if (stage.collapses) {
      before_collapse = true;
    } else if (before_collapse && stage.keeps_best) {
      plan.dropped[static_cast<std::size_t>(i)] = true;
    } else {
      before_collapse = false;
    }
  }
}

template <int Stages>
constexpr bool revived_after(const TraitsOf<Stages>& traits, int stage) {
  for (int i = stage + 1; i < Stages; ++i) {
    if (traits[static_cast<std::size_t>(i)].revives) return true;
  }
  return false;
}

template <int Stages>
constexpr Plan<Stages> make_plan(const TraitsOf<Stages>& traits) {
  Plan<Stages> plan;
  drop_void_filters<Stages>(traits, plan);
  bool whole_row = true;
  Numbers known = Numbers::none;
  int first_map = 0;
  const auto end_pass = [&](int stage, Numbers numbers, bool in_place) {
    const int last = stage < 0 ? Stages : stage;
    Pass pass{first_map, 0, stage, numbers, Numbers::none, whole_row, in_place};
    bool ordered = true;
    for (int i = first_map; i < last; ++i) {
      if (plan.dropped[static_cast<std::size_t>(i)]) continue;
      ++pass.maps;
      ordered = ordered && traits[static_cast<std::size_t>(i)].monotone;
    }
    // A run that holds dropped stages begins behind them.
    while (pass.first_map < last && plan.dropped[static_cast<std::size_t>(pass.first_map)]) {
      ++pass.first_map;
    }
    // Maps make other scores; those that keep the order keep the maximum what it is made of.
    const Numbers left = pass.maps == 0 ? known
                         : ordered      ? known & Numbers::maximum
                                        : Numbers::none;
    pass.shared = numbers & left;
    plan.pass[static_cast<std::size_t>(plan.passes++)] = pass;
    first_map = last + 1;
  };
  for (int i = 0; i < Stages; ++i) {
    const StageTraits& stage = traits[static_cast<std::size_t>(i)];
    if (!stage.shrinks() || plan.dropped[static_cast<std::size_t>(i)]) continue;
    const bool in_place = revived_after<Stages>(traits, i);
    end_pass(i, stage.numbers, in_place);
    // The best token passes such a filter with its score unchanged.
    known = stage.keeps_best ? Numbers::maximum : Numbers::none;
    whole_row = whole_row && in_place;
  }
  end_pass(-1, Numbers::maximum | Numbers::total, false);
  return plan;
}

}  // namespace detail
}  // namespace logitchain::inline v0
