// SPDX-License-Identifier: Apache-2.0
// A number and its bits, and what is decided by bits alone: NaN, infinity, sign.
#pragma once

#include <cstdint>

#include <logitchain/core/config.hpp>

namespace logitchain::inline v0 {

/// The bits of a float.
[[gnu::always_inline]] LOGITCHAIN_HD constexpr std::uint32_t bits_of(float x) {
  return __builtin_bit_cast(std::uint32_t, x);
}
/// The bits of a double.
[[gnu::always_inline]] LOGITCHAIN_HD constexpr std::uint64_t bits_of(double x) {
  return __builtin_bit_cast(std::uint64_t, x);
}
/// The float of these bits.
[[gnu::always_inline]] LOGITCHAIN_HD constexpr float float_of(std::uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}
/// The double of these bits.
LOGITCHAIN_HD constexpr double double_of(std::uint64_t bits) {
  return __builtin_bit_cast(double, bits);
}

/// By bits: neither a compiler flag nor a flush to zero changes the answer.
LOGITCHAIN_HD constexpr bool is_nan(float x) { return (bits_of(x) & 0x7fffffffu) > 0x7f800000u; }
/// Either infinity.
LOGITCHAIN_HD constexpr bool is_inf(float x) { return (bits_of(x) & 0x7fffffffu) == 0x7f800000u; }
/// Neither NaN nor an infinity.
LOGITCHAIN_HD constexpr bool is_finite(float x) { return (bits_of(x) & 0x7fffffffu) < 0x7f800000u; }
/// -x by its sign bit.
LOGITCHAIN_HD constexpr float negate(float x) { return float_of(bits_of(x) ^ 0x80000000u); }
/// |x| by its sign bit.
LOGITCHAIN_HD constexpr float magnitude(float x) { return float_of(bits_of(x) & 0x7fffffffu); }

}  // namespace logitchain::inline v0
