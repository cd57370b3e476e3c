// SPDX-License-Identifier: Apache-2.0
// Constants of float arithmetic that stand in an instruction's own text.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/bits.hpp>
#include <logitchain/core/config.hpp>

namespace logitchain::inline v0 {

// An operand of inline PTX is a register, which nvcc may load anew for each use.

/// The float of these bits, as a type.
template <std::uint32_t Bits>
struct Literal {
  static constexpr char digit(int i) { return "0123456789ABCDEF"[Bits >> (28 - 4 * i) & 15u]; }
  static constexpr char PTX[] = {'0',      'f',      digit(0), digit(1), digit(2), digit(3),
                                 digit(4), digit(5), digit(6), digit(7), '\0'};
};

/// a + b, of a constant. As for all of them here: what core/arithmetic.hpp says of its functions.
template <std::uint32_t B>
[[gnu::always_inline]] LOGITCHAIN_HD inline float add(float a, Literal<B>) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("add.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "C"(Literal<B>::PTX));
  return r;
#else
  return add(a, float_of(B));
#endif
}
/// a - b, of a constant.
template <std::uint32_t B>
[[gnu::always_inline]] LOGITCHAIN_HD inline float sub(float a, Literal<B>) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("sub.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "C"(Literal<B>::PTX));
  return r;
#else
  return sub(a, float_of(B));
#endif
}
/// The larger of a number and a constant; the constant if the number is a NaN.
template <std::uint32_t B>
[[gnu::always_inline]] LOGITCHAIN_HD inline float larger(float a, Literal<B>) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("max.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "C"(Literal<B>::PTX));
  return r;
#else
  // A comparison that vectorises: the constant is no NaN.
  return a > float_of(B) ? a : float_of(B);
#endif
}
/// a * b + c with one rounding, of one constant.
template <std::uint32_t C>
[[gnu::always_inline]] LOGITCHAIN_HD inline float fused(float a, float b, Literal<C>) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "C"(Literal<C>::PTX));
  return r;
#else
  return fused(a, b, float_of(C));
#endif
}
template <std::uint32_t B>
[[gnu::always_inline]] LOGITCHAIN_HD inline float fused(float a, Literal<B>, float c) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "C"(Literal<B>::PTX), "f"(c));
  return r;
#else
  return fused(a, float_of(B), c);
#endif
}
/// a * b + c with one rounding, of two constants.
template <std::uint32_t B, std::uint32_t C>
[[gnu::always_inline]] LOGITCHAIN_HD inline float fused(float a, Literal<B>, Literal<C>) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "C"(Literal<B>::PTX), "C"(Literal<C>::PTX));
  return r;
#else
  return fused(a, float_of(B), float_of(C));
#endif
}

}  // namespace logitchain::inline v0
