// SPDX-License-Identifier: Apache-2.0
// The operations every result is made of: one rounding each, the same bits on host and device.
#pragma once

#include <cstdint>

#include <logitchain/core/bits.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/small_float.hpp>

// Why not plain operators everywhere:
// - A compiler may contract `a * b + c` into one fma, across inlined functions, and change the
//   bits. A product that is added to or subtracted from something is written `mul(a, b)`.
// - nvcc's --use_fast_math flushes subnormals in every operator, comparison, negation and
//   intrinsic of float, and no macro tells. Inline PTX is left alone. Host code may use plain
//   operators; code that also runs in kernels uses these.

namespace logitchain::inline v0 {

/// a * b + c with one rounding.
[[gnu::always_inline]] LOGITCHAIN_HD inline float fused(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
  return r;
#else
  return __builtin_fmaf(a, b, c);
#endif
}
/// a * b + c with one rounding.
[[gnu::always_inline]] LOGITCHAIN_HD inline double fused(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  return __fma_rn(a, b, c);
#else
  return __builtin_fma(a, b, c);
#endif
}

/// a * b, rounded before anything else is done with it.
[[gnu::always_inline]] LOGITCHAIN_HD inline float mul(float a, float b) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("mul.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
#elif defined(__clang__) && (defined(__x86_64__) || defined(__FMA__) || defined(__ARM_FEATURE_FMA))
  // Clang folds fma(a, b, -0) back into a product, which -ffp-contract=fast then contracts. A
  // -0 that it cannot see stops that, and is hoisted out of loops, which still vectorise.
  std::uint32_t minus_zero = 0x80000000u;
  asm("" : "+r"(minus_zero));
  return __builtin_fmaf(a, b, float_of(minus_zero));
#elif defined(__x86_64__) || defined(__FMA__) || defined(__FMA4__) || \
    defined(__ARM_FEATURE_FMA) || defined(__FP_FAST_FMAF)
  return __builtin_fmaf(a, b, -0.0f);
#else
  return a * b;
#endif
}
/// a * b, rounded before anything else is done with it.
[[gnu::always_inline]] LOGITCHAIN_HD inline double mul(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#elif defined(__clang__) && (defined(__x86_64__) || defined(__FMA__) || defined(__ARM_FEATURE_FMA))
  std::uint64_t minus_zero = 0x8000000000000000u;
  asm("" : "+r"(minus_zero));
  return __builtin_fma(a, b, double_of(minus_zero));
#elif defined(__x86_64__) || defined(__FMA__) || defined(__FMA4__) || \
    defined(__ARM_FEATURE_FMA) || defined(__FP_FAST_FMA)
  return __builtin_fma(a, b, -0.0);
#else
  return a * b;
#endif
}

/// a + b. An operand that is a product must come from `mul`.
[[gnu::always_inline]] LOGITCHAIN_HD inline float add(float a, float b) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("add.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
#else
  return a + b;
#endif
}
/// a + b. An operand that is a product must come from `mul`.
[[gnu::always_inline]] LOGITCHAIN_HD inline double add(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dadd_rn(a, b);
#else
  return a + b;
#endif
}

/// a - b. An operand that is a product must come from `mul`.
[[gnu::always_inline]] LOGITCHAIN_HD inline float sub(float a, float b) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("sub.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
#else
  return a - b;
#endif
}
/// a - b. An operand that is a product must come from `mul`.
[[gnu::always_inline]] LOGITCHAIN_HD inline double sub(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dsub_rn(a, b);
#else
  return a - b;
#endif
}

/// a / b, correctly rounded.
[[gnu::always_inline]] LOGITCHAIN_HD inline float div(float a, float b) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("div.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
#else
  return a / b;
#endif
}
/// a / b, correctly rounded.
[[gnu::always_inline]] LOGITCHAIN_HD inline double div(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __ddiv_rn(a, b);
#else
  return a / b;
#endif
}

/// The correctly rounded square root; NaN below zero.
LOGITCHAIN_HD inline float square_root(float x) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#else
  return __builtin_sqrtf(x);
#endif
}
/// The correctly rounded square root; NaN below zero.
LOGITCHAIN_HD inline double square_root(double x) {
#if defined(__CUDA_ARCH__)
  return __dsqrt_rn(x);
#else
  return __builtin_sqrt(x);
#endif
}

/// a < b, as IEEE has it: false with a NaN, -0 and +0 equal.
LOGITCHAIN_HD inline bool is_less(float a, float b) {
#if defined(__CUDA_ARCH__)
  std::uint32_t r;
  asm("{ .reg .pred p; setp.lt.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
  return r != 0;
#else
  return a < b;
#endif
}
/// a == b, as IEEE has it: false with a NaN, -0 and +0 equal.
LOGITCHAIN_HD inline bool is_equal(float a, float b) {
#if defined(__CUDA_ARCH__)
  std::uint32_t r;
  asm("{ .reg .pred p; setp.eq.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
  return r != 0;
#else
  return a == b;
#endif
}

/// The larger of two numbers; the other one if one is a NaN. Of -0 and +0, either.
[[gnu::always_inline]] LOGITCHAIN_HD inline float larger(float a, float b) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("max.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
#else
  return a > b || is_nan(b) ? a : b;
#endif
}
/// The smaller of two numbers; the other one if one is a NaN. Of -0 and +0, either.
[[gnu::always_inline]] LOGITCHAIN_HD inline float smaller(float a, float b) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("min.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
#else
  return a < b || is_nan(b) ? a : b;
#endif
}

/// The nearest float of a double, ties to even.
LOGITCHAIN_HD inline float to_float(double x) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(r) : "d"(x));
  return r;
#else
  return static_cast<float>(x);
#endif
}
/// Exact.
LOGITCHAIN_HD inline double to_double(float x) {
#if defined(__CUDA_ARCH__)
  double r;
  asm("cvt.f64.f32 %0, %1;" : "=d"(r) : "f"(x));
  return r;
#else
  return static_cast<double>(x);
#endif
}

}  // namespace logitchain::inline v0
