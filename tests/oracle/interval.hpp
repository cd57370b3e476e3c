// SPDX-License-Identifier: Apache-2.0
// Intervals that hold what an implementation within the stated error bounds may compute.
#pragma once

#include <algorithm>
#include <cmath>

namespace oracle {

/// All values from low to high. Ends are kept with 64 bits, and moved outwards by each operation
/// by more than what 64 bits lose.
struct Interval {
  long double low = 0;
  long double high = 0;

  static Interval of(long double x) { return {x, x}; }
  long double size() const { return std::max(std::fabs(low), std::fabs(high)); }
  /// Moved outwards by a share of the larger end, and by an amount.
  Interval widened(long double relative, long double absolute = 0) const {
    const long double by = size() * (relative + 0x1p-60L) + absolute;
    return {low - by, high + by};
  }
  /// What a float32, or a double, nearest to a value of the interval may be.
  Interval to_float() const { return widened(0x1p-24L, 0x1p-150L); }
  Interval to_double() const { return widened(0x1p-53L, 0x1p-1000L); }
};

inline Interval operator+(Interval a, Interval b) {
  return Interval{a.low + b.low, a.high + b.high}.widened(0);
}
inline Interval operator-(Interval a, Interval b) {
  return Interval{a.low - b.high, a.high - b.low}.widened(0);
}
/// Of a factor that is not negative.
inline Interval operator*(long double factor, Interval a) {
  return Interval{factor * a.low, factor * a.high}.widened(0);
}
/// Of intervals that are not negative, the second above 0.
inline Interval operator/(Interval a, Interval b) {
  return Interval{std::max(a.low, 0.0L) / b.high, a.high / b.low}.widened(0);
}
inline Interval smaller(Interval a, Interval b) {
  return {std::min(a.low, b.low), std::min(a.high, b.high)};
}
inline Interval magnitude(Interval a) {
  if (a.low >= 0) return a;
  if (a.high <= 0) return {-a.high, -a.low};
  return {0, a.size()};
}

}  // namespace oracle
