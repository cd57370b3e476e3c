// SPDX-License-Identifier: Apache-2.0
// Which optional components a state must hold for the chains that will use it.
#pragma once

#include <algorithm>
#include <cstdint>

#include <logitchain/core/config.hpp>

namespace logitchain::inline v0 {

/// What chains and criteria need of a state beyond histories; `needs(chain, stop)` makes it, `|`
/// unites those of several chains.
struct Needs {
  bool seen = false;                 ///< the list of distinct tokens with counts
  std::int32_t transform_slots = 0;  ///< automata of the chain
  std::int32_t criterion_slots = 0;  ///< automata of the criterion

  constexpr std::int32_t slots() const { return transform_slots + criterion_slots; }
  friend constexpr bool operator==(const Needs&, const Needs&) = default;

  /// What both sides need.
  friend constexpr Needs operator|(const Needs& a, const Needs& b) {
    return {a.seen || b.seen, std::max(a.transform_slots, b.transform_slots),
            std::max(a.criterion_slots, b.criterion_slots)};
  }
  /// True where a state made for `*this` serves `other`.
  constexpr bool covers(const Needs& other) const { return (*this | other) == *this; }
};

}  // namespace logitchain::inline v0
