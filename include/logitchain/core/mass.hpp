// SPDX-License-Identifier: Apache-2.0
// Probability masses as integers: exp of a distance times 2^44, whose sums are exact in any order.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/exponential.hpp>
#include <logitchain/core/literal.hpp>
#include <logitchain/core/wide_integer.hpp>

namespace logitchain::inline v0 {

/// A mass of 1 is 2^MASS_BITS. 2^18 tokens stay within 2^62, 2^19 within 2^63.
inline constexpr int MASS_BITS = 44;

/// A number of [0, 1] times 2^44, rounded to nearest even, as hi * 2^22 + lo.
/// hi is in [0, 2^22], |lo| at most 2^21: up to 1,023 of each may be summed in 32 bits.
struct MassParts {
  std::uint32_t hi;
  std::int32_t lo;
};

/// The number that two parts, or two sums of parts, stand for.
LOGITCHAIN_HD constexpr std::uint64_t mass_of(MassParts parts) {
  return (static_cast<std::uint64_t>(parts.hi) << 22) +
         static_cast<std::uint64_t>(static_cast<std::int64_t>(parts.lo));
}

/// v times 2^44 in two parts, by adding constants whose last place is the wanted one.
/// @param v in [0, 1]; a product must come from `mul` or `fused`.
[[gnu::always_inline]] LOGITCHAIN_HD inline MassParts mass_parts(float v) {
  constexpr std::uint32_t HIGH = bits_of(3.0f);
  constexpr std::uint32_t LOW = bits_of(0x1.8p-21f);
  const float high = add(v, Literal<HIGH>{});             // spacing 2^-22
  const float rest = sub(v, sub(high, Literal<HIGH>{}));  // exact
  const float low = add(rest, Literal<LOW>{});            // spacing 2^-44
  return {bits_of(high) - HIGH, static_cast<std::int32_t>(bits_of(low) - LOW)};
}

/// v times 2^44, rounded to nearest even.
/// @param v in [0, 1]; a product must come from `mul` or `fused`.
LOGITCHAIN_HD inline std::uint64_t fixed44(float v) { return mass_of(mass_parts(v)); }

/// The mass of a token: exp(distance) * 2^44 rounded to nearest even.
/// @param distance score - maximum: at most 0, or -inf. 0 gives 2^44, below about -31.19 it is 0.
LOGITCHAIN_HD inline std::uint64_t mass(float distance) {
  return fixed44(exponential_nonpositive(distance));
}

/// The float nearest to sum / 2^44, ties to even.
LOGITCHAIN_HD inline float unfixed44(std::uint64_t sum) {
  return mul(static_cast<float>(sum), 0x1p-44f);
}

/// ceil(p * total), exactly; never above total.
/// @param p in [0, 1], any double, subnormals included. Above 1, below 0 or NaN: total.
LOGITCHAIN_HD inline std::uint64_t scaled_ceil(double p, std::uint64_t total) {
  const std::uint64_t bits = bits_of(p);
  if ((bits << 1) == 0 || total == 0) return 0;
  if (bits >= bits_of(1.0)) return total;
  const int exponent = static_cast<int>(bits >> 52);
  const std::uint64_t fraction = bits & 0xfffffffffffffu;
  // p = significand / 2^shift, and significand * total < 2^117.
  const std::uint64_t significand = exponent == 0 ? fraction : fraction | (1ull << 52);
  const int shift = exponent == 0 ? 1074 : 1075 - exponent;
  if (shift > 117) return 1;
  const uint128 product = static_cast<uint128>(significand) * total;
  const uint128 whole = product >> shift;
  const bool exact = (whole << shift) == product;
  return static_cast<std::uint64_t>(whole) + (exact ? 0u : 1u);
}

}  // namespace logitchain::inline v0
