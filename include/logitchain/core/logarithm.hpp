// SPDX-License-Identifier: Apache-2.0
// The library's natural logarithm: one polynomial, the same bits on host and device.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/config.hpp>

namespace logitchain::inline v0 {

/// log(x). Error below 0.95 ulp over all positive floats, subnormals included; monotone.
/// log(1) is +0, log of either zero -inf, of +inf +inf; below zero and of NaN it is NaN.
LOGITCHAIN_HD inline float logarithm(float x) {
  // A subnormal is an integer times 2^-149; the integer is a normal float.
  const std::uint32_t raw = bits_of(x);
  const bool subnormal = raw < 0x00800000u;
  const std::uint32_t bits =
      subnormal ? bits_of(static_cast<float>(static_cast<std::int32_t>(raw & 0x007fffffu))) : raw;

  // x = fraction * 2^n, the fraction within [2/3, 4/3).
  const std::uint32_t above = bits - 0x3f2aaaabu;
  const std::int32_t exponent = static_cast<std::int32_t>(above) >> 23;
  const float f = sub(float_of(bits - (above & 0xff800000u)), 1.0f);
  const float n = static_cast<float>(subnormal ? exponent - 149 : exponent);

  // log(1 + f) = f + f^2 p(f), |relative error| below 2^-27.6 before rounding.
  float p = fused(-0x1.080586p-3f, f, 0x1.1e66b8p-3f);
  p = fused(p, f, -0x1.f31140p-4f);
  p = fused(p, f, 0x1.1ed718p-3f);
  p = fused(p, f, -0x1.559dcap-3f);
  p = fused(p, f, 0x1.99d028p-3f);
  p = fused(p, f, -0x1.fffef0p-3f);
  p = fused(p, f, 0x1.555506p-2f);
  p = fused(p, f, -0.5f);
  float r = fused(mul(f, f), p, f);
  r = fused(n, -0x1.05c610p-29f, r);
  const float value = fused(n, 0x1.62e430p-1f, r);

  constexpr std::uint32_t INFINITE = 0x7f800000u;
  if (raw - 1u < INFINITE - 1u) return value;
  if ((raw << 1) == 0) return float_of(0xff800000u);
  return raw == INFINITE ? x : float_of(0x7fc00000u);
}

}  // namespace logitchain::inline v0
