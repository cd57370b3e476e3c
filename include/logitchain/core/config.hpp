// SPDX-License-Identifier: Apache-2.0
// What every file assumes: the language, the version, the host/device mark, the compiler flags that
// are refused.
#pragma once

#if __cplusplus < 202002L
#error "logitchain: C++20 is needed; compile with -std=c++20"
#endif

/// Library version, `major * 10000 + minor * 100 + patch`. It is part of every fingerprint.
#define LOGITCHAIN_VERSION 100

// Flags that a header cannot see: clang's -funsafe-math-optimizations, -fassociative-math,
// -freciprocal-math, -fno-signed-zeros, -fno-honor-nans and -fno-honor-infinities define no macro.
// Where they change results `arithmetic_fault` (core/witness.hpp) tells, and the host engine
// refuses to work. g++ has a macro for all of them. -ffp-contract, -frounding-math,
// -fno-trapping-math and -fno-math-errno change no result. tests/bits holds all of this.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error \
    "logitchain: -ffast-math or -ffinite-math-only breaks the rules for infinities, NaN and rounding that the results are defined by; compile without them"
#elif defined(__GCC_IEC_559) && __GCC_IEC_559 == 0
#error \
    "logitchain: a flag such as -funsafe-math-optimizations, -fassociative-math, -freciprocal-math, -fno-signed-zeros or -fsingle-precision-constant lets the compiler change results; compile without it"
#endif

/// Marks what a kernel may call. Empty for a host compiler.
#if defined(__CUDACC__)
#define LOGITCHAIN_HD __host__ __device__
#else
#define LOGITCHAIN_HD
#endif
