// SPDX-License-Identifier: Apache-2.0
// What every file assumes: the version, the host/device mark, the compiler flags that are refused.
#pragma once

/// Library version, `major * 10000 + minor * 100 + patch`. It is part of every fingerprint.
#define LOGITCHAIN_VERSION 100

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error \
    "logitchain: -ffast-math or -ffinite-math-only breaks the rules for infinities, NaN and rounding that the results are defined by; compile without them"
#endif

/// Marks what a kernel may call. Empty for a host compiler.
#if defined(__CUDACC__)
#define LOGITCHAIN_HD __host__ __device__
#else
#define LOGITCHAIN_HD
#endif
