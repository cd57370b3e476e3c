// SPDX-License-Identifier: Apache-2.0
// The library's exp: one polynomial, the same operations and the same bits on host and device.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/bits.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/literal.hpp>

namespace logitchain::inline v0 {
namespace detail {

/// exp(x) = fraction * 2^n, the fraction within [0.70, 1.42]; n is in the low bits of `shifted`.
struct ScaledExponential {
  float fraction;
  std::uint32_t shifted;
};

inline constexpr std::uint32_t EXPONENTIAL_SHIFT =
    bits_of(0x1.8p23f);  ///< adding it rounds to an integer

/// For |x| up to about 10^5.
[[gnu::always_inline]] LOGITCHAIN_HD inline ScaledExponential scaled_exponential(float x) {
  using Shift = Literal<EXPONENTIAL_SHIFT>;
  const float shifted = fused(x, Literal<bits_of(0x1.715476p+0f)>{}, Shift{});
  const float n = sub(shifted, Shift{});
  float r = fused(n, Literal<bits_of(-0x1.62e4p-1f)>{}, x);
  r = fused(n, Literal<bits_of(-0x1.7f7d1cp-20f)>{}, r);
  float p = fused(r, Literal<bits_of(0x1.6ab928p-10f)>{}, Literal<bits_of(0x1.126d64p-7f)>{});
  p = fused(p, r, Literal<bits_of(0x1.55589cp-5f)>{});
  p = fused(p, r, Literal<bits_of(0x1.55540ap-3f)>{});
  p = fused(p, r, Literal<bits_of(0x1.fffffap-2f)>{});
  // The two leading terms by their own sum: a last fused(p, r, 1) would save one operation, but
  // for r < 0 each step of p then sends exp back, and a lower score could have a larger mass.
  return {add(fused(mul(r, r), p, r), Literal<bits_of(1.0f)>{}), bits_of(shifted)};
}

}  // namespace detail

/// exp of a distance from the maximum, the hot path: no branch, vectorises.
/// @param distance at most 0; below -80 (and -inf) it is taken as -80, whose mass is 0.
/// @return exp(distance), from exp(-80) to 1; error below 1.17 ulp; monotone.
[[gnu::always_inline]] LOGITCHAIN_HD inline float exponential_nonpositive(float distance) {
  const float clamped = larger(distance, Literal<bits_of(-80.0f)>{});
  const detail::ScaledExponential e = detail::scaled_exponential(clamped);
  return float_of(bits_of(e.fraction) + (e.shifted << 23));
}

/// exp on the whole line: 0 far below, +inf on overflow, NaN of NaN, subnormal results.
/// Error below 1.17 ulp (of the subnormal spacing, below 2^-126); monotone.
LOGITCHAIN_HD inline float exponential(float x) {
  const float clamped = larger(smaller(x, 89.0f), -104.0f);
  const detail::ScaledExponential e = detail::scaled_exponential(clamped);
  // 2^n in two factors, each a normal float; only the last product rounds.
  const std::int32_t n = static_cast<std::int32_t>(e.shifted - detail::EXPONENTIAL_SHIFT);
  const std::int32_t first = n / 2;
  const std::int32_t second = n - first;
  const float scaled = mul(e.fraction, float_of(static_cast<std::uint32_t>(first + 127) << 23));
  const float value = mul(scaled, float_of(static_cast<std::uint32_t>(second + 127) << 23));
  return is_nan(x) ? x : value;
}

}  // namespace logitchain::inline v0
