// SPDX-License-Identifier: Apache-2.0
// The range that a number may lie in: one declaration serves the host's refusal and the row's
// check.
#pragma once

#include <limits>
#include <string>

#include <logitchain/core/config.hpp>
#include <logitchain/core/error.hpp>

namespace logitchain::inline v0 {

/// An interval of numbers. NaN lies in none.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;

  LOGITCHAIN_HD constexpr bool contains(double value) const {
    return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
  }

  /// "in (0, 1]", "finite and >= 0", ... as an error message says it.
  std::string text() const {
    constexpr double INFINITE = std::numeric_limits<double>::infinity();
    if (low == -INFINITE && high == INFINITE) return "finite";
    if (high == INFINITE) return detail::text_of("finite and ", low_open ? "> " : ">= ", low);
    return detail::text_of("in ", low_open ? '(' : '[', low, ", ", high, high_open ? ')' : ']');
  }
};

/// Any finite number.
inline constexpr Range FINITE{-std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::infinity(), true, true};
/// Finite, zero or above.
inline constexpr Range NON_NEGATIVE{0.0, std::numeric_limits<double>::infinity(), false, true};
/// Finite, above zero.
inline constexpr Range POSITIVE{0.0, std::numeric_limits<double>::infinity(), true, true};
/// [0, 1].
inline constexpr Range UNIT{0.0, 1.0, false, false};
/// A count: 0 to 2^31 - 1.
inline constexpr Range COUNT{0.0, 2147483647.0, false, false};
/// A count that is at least one: 1 to 2^31 - 1.
inline constexpr Range COUNT_FROM_ONE{1.0, 2147483647.0, false, false};
/// A count, or -1 for off.
inline constexpr Range COUNT_OR_OFF{-1.0, 2147483647.0, false, false};

}  // namespace logitchain::inline v0
