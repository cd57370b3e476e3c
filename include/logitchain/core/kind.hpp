// SPDX-License-Identifier: Apache-2.0
// What a transform may look at: its kind, the numbers of the row it asks for, the budget it spends.
#pragma once

#include <cstdint>
#include <limits>

#include <logitchain/core/config.hpp>

namespace logitchain::inline v0 {

/// The kinds of transform. They say what a stage may look at, which is all that the planner knows.
enum class Kind : std::uint8_t {
  map,       ///< one score, its token, the row's own state
  listed,    ///< a map that touches only the tokens it lists
  force,     ///< where it acts, the row becomes the tokens it lists, with score 0
  cut,       ///< a map that also reads numbers of the row as it stands
  selection  ///< keeps a prefix of the row in some order, spending a budget from the best
};

/// Numbers of a row as it stands, each the result of one reduction. A set, by `|`.
enum class Numbers : std::uint32_t {
  none = 0,
  maximum = 1,    ///< the best score and its lowest token
  total = 2,      ///< the row's mass and its logarithm; implies maximum
  entropy = 4,    ///< implies total
  deviation = 8,  ///< mean and population deviation of the finite scores; implies maximum
  kth = 16        ///< the score of the rank that the stage names
};
LOGITCHAIN_HD constexpr Numbers operator|(Numbers a, Numbers b) {
  return static_cast<Numbers>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
LOGITCHAIN_HD constexpr Numbers operator&(Numbers a, Numbers b) {
  return static_cast<Numbers>(static_cast<std::uint32_t>(a) & static_cast<std::uint32_t>(b));
}
LOGITCHAIN_HD constexpr bool has(Numbers set, Numbers one) {
  return (static_cast<std::uint32_t>(set) & static_cast<std::uint32_t>(one)) != 0;
}

/// What of the state, beyond history and lengths, a stage reads. A set, by `|`.
enum class Components : std::uint32_t {
  none = 0,
  seen = 1,  ///< the row's distinct tokens with counts
  slot = 2   ///< an automaton state of its own, advanced by every token of the row
};
LOGITCHAIN_HD constexpr Components operator|(Components a, Components b) {
  return static_cast<Components>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
LOGITCHAIN_HD constexpr bool has(Components set, Components one) {
  return (static_cast<std::uint32_t>(set) & static_cast<std::uint32_t>(one)) != 0;
}

/// The numbers of a row. Only those that a stage asked for are filled in. They describe a row with
/// a distribution: at least one score above -inf, no NaN, no +inf.
struct RowNumbers {
  float maximum = 0;        ///< the best score
  std::int32_t best = -1;   ///< its lowest token
  float kth = 0;            ///< the score at the asked rank (the rank-th best), -inf past the last
  float log_total = 0;      ///< log of the sum of exp(score - maximum)
  float entropy = 0;        ///< in nats
  float mean = 0;           ///< of the finite scores
  float deviation = 0;      ///< population deviation of the finite scores
  std::uint64_t total = 0;  ///< the sum of all masses, see core/mass.hpp
};

/// What a selection may spend, from the best token on. A token stays while fewer than `count`
/// tokens and less than `mass` mass stand before it; the first `at_least` stay in any case.
struct Spend {
  std::uint64_t count = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t mass = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t at_least = 1;
  bool whole_ties =
      false;  ///< tokens that tie with the last one in the selection's key stay as well
};

}  // namespace logitchain::inline v0
