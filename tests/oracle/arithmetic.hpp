// SPDX-License-Identifier: Apache-2.0
// The oracle's own arithmetic: float32 with one rounding per statement, masses as exact integers.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace oracle {

inline constexpr float REMOVED = -std::numeric_limits<float>::infinity();
inline constexpr float LARGEST = std::numeric_limits<float>::max();

inline std::uint32_t bits(float x) {
  std::uint32_t found;
  std::memcpy(&found, &x, sizeof found);
  return found;
}
inline float from_bits(std::uint32_t x) {
  float found;
  std::memcpy(&found, &x, sizeof found);
  return found;
}

// A volatile holds a rounded value that no compiler may fuse with what follows.
inline float product(float a, float b) {
  const volatile float rounded = a * b;
  return rounded;
}
inline float quotient(float a, float b) {
  const volatile float rounded = a / b;
  return rounded;
}
inline float sum(float a, float b) {
  const volatile float rounded = a + b;
  return rounded;
}
inline float difference(float a, float b) {
  const volatile float rounded = a - b;
  return rounded;
}
inline double product(double a, double b) {
  const volatile double rounded = a * b;
  return rounded;
}

/// x * 2^44 to the nearest integer, ties to even; x in [0, 1], so that the product is exact.
inline std::uint64_t units(float x) {
  return static_cast<std::uint64_t>(std::nearbyint(std::ldexp(static_cast<double>(x), 44)));
}

/// The float nearest to an integer of units.
inline float from_units(std::uint64_t sum_of_units) {
  return std::ldexp(static_cast<float>(sum_of_units), -44);
}

/// Element types of logits.
enum class Element { f32, f16, bf16 };

/// x as an element of that type holds it: nearest, ties to even, overflow to infinity.
inline float stored(float x, Element type) {
  if (type == Element::f32 || !std::isfinite(x) || x == 0) return x;
  const int digits = type == Element::f16 ? 10 : 7;
  const int lowest = type == Element::f16 ? -14 : -126;
  const int exponent = std::ilogb(x) > lowest ? std::ilogb(x) : lowest;
  const double quantum = std::ldexp(1.0, exponent - digits);
  const double nearest = std::nearbyint(static_cast<double>(x) / quantum) * quantum;
  const double largest =
      type == Element::f16 ? 65504.0 : std::ldexp(2.0 - std::ldexp(1.0, -7), 127);
  if (std::fabs(nearest) > largest) return std::copysign(-REMOVED, x);
  return static_cast<float>(std::copysign(nearest, static_cast<double>(x)));
}

}  // namespace oracle
