// SPDX-License-Identifier: Apache-2.0
// binary16 and bfloat16 to float and back: exact one way, rounded to nearest even the other way.
#pragma once

#include <cstdint>

#include <logitchain/core/bits.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/types.hpp>

// Integer code without branches: a loop over a row vectorises, and a processor that flushes
// subnormals changes nothing. Every NaN made by narrowing is 0x7fff, as the device's
// conversion makes it.

namespace logitchain::inline v0 {
namespace detail {

/// a if the condition holds, else b, by masks: a conditional here would make g++ move float
/// operations into branches, and leave the loop around them scalar.
LOGITCHAIN_HD constexpr std::uint32_t choose(bool condition, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t mask = 0u - static_cast<std::uint32_t>(condition);
  return (a & mask) | (b & ~mask);
}

}  // namespace detail

/// Exact: subnormals, infinities and NaN included.
LOGITCHAIN_HD inline float widen(bfloat16 x) {
  return float_of(static_cast<std::uint32_t>(x.bits) << 16);
}

/// Exact: subnormals, infinities and NaN (any NaN) included.
LOGITCHAIN_HD inline float widen(half x) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(x.bits));
  return r;
#else
  const std::uint32_t sign = (x.bits & 0x8000u) << 16;
  const std::uint32_t rest = x.bits & 0x7fffu;
  constexpr std::uint32_t REBIAS = (127u - 15u) << 23;
  constexpr std::uint32_t SMALLEST_NORMAL = REBIAS + (1u << 23);
  const std::uint32_t normal = (rest << 13) + REBIAS;
  const std::uint32_t special = normal + REBIAS;
  const std::uint32_t subnormal =
      bits_of(float_of((rest << 13) + SMALLEST_NORMAL) - float_of(SMALLEST_NORMAL));
  const std::uint32_t finite = detail::choose(rest < 0x0400u, subnormal, normal);
  return float_of(sign | detail::choose(rest < 0x7c00u, finite, special));
#endif
}

/// Itself, for code that is written once for all element types.
LOGITCHAIN_HD inline float widen(float x) { return x; }

/// The nearest binary16, ties to even; from 65520 on an infinity; a NaN becomes 0x7fff.
LOGITCHAIN_HD inline half to_half(float x) {
#if defined(__CUDA_ARCH__)
  half r;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r.bits) : "f"(x));
  return r;
#else
  const std::uint32_t bits = bits_of(x);
  const std::uint32_t rest = bits & 0x7fffffffu;
  constexpr std::uint32_t REBIAS = (127u - 15u) << 23;
  const std::uint32_t normal = (rest + 0x0fffu + ((rest >> 13) & 1u) - REBIAS) >> 13;
  // 0.5f has the spacing of binary16's subnormals: the addition rounds.
  const std::uint32_t subnormal = bits_of(float_of(rest) + 0.5f) - bits_of(0.5f);
  const std::uint32_t small = detail::choose(rest < 0x38800000u, subnormal, normal);
  const std::uint32_t finite = detail::choose(rest < 0x47800000u, small, 0x7c00u);
  const std::uint32_t value = finite | ((bits >> 16) & 0x8000u);
  return half{static_cast<std::uint16_t>(detail::choose(rest > 0x7f800000u, 0x7fffu, value))};
#endif
}

/// The nearest bfloat16, ties to even; beyond the largest an infinity; a NaN becomes 0x7fff.
LOGITCHAIN_HD inline bfloat16 to_bfloat16(float x) {
  const std::uint32_t bits = bits_of(x);
  const std::uint32_t value = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return bfloat16{static_cast<std::uint16_t>(is_nan(x) ? 0x7fffu : value)};
}

}  // namespace logitchain::inline v0
