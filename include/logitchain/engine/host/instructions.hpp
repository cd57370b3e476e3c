// SPDX-License-Identifier: Apache-2.0
// Which instructions the sweeps over a row use. They change speed, never a bit: every operation is
// one correctly rounded operation in each of them.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace logitchain::inline v0 {

/// Instruction sets that sweeps are compiled for, besides what the whole program is compiled for.
enum class Instructions : std::uint8_t {
  baseline,  ///< what the compiler's flags allow
  avx2,      ///< AVX2 and FMA, x86-64 only
  avx512,    ///< AVX-512 F, BW, DQ and VL, x86-64 only
  best       ///< the best that this processor has
};

/// "baseline", "avx2", "avx512" or "best".
constexpr const char* name_of(Instructions instructions) {
  switch (instructions) {
    case Instructions::baseline:
      return "baseline";
    case Instructions::avx2:
      return "avx2";
    case Instructions::avx512:
      return "avx512";
    case Instructions::best:
      return "best";
  }
  return "unknown";
}

namespace detail {

#if defined(__x86_64__) && defined(__GNUC__)

inline bool has_instructions(Instructions instructions) {
  switch (instructions) {
    case Instructions::avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case Instructions::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("fma");
    default:
      return true;
  }
}

// Everything that the body calls is inlined, and so compiled for the target named. g++ vectorises
// these loops from -O3 on, clang from -O2.
#if defined(__clang__)
template <class Body>
__attribute__((flatten)) inline auto call_with_baseline(const Body& body) {
  return body();
}
template <class Body>
__attribute__((flatten, target("avx2,fma"))) inline auto call_with_avx2(const Body& body) {
  return body();
}
template <class Body>
__attribute__((flatten, target("avx512f,avx512bw,avx512dq,avx512vl,fma"))) inline auto
call_with_avx512(const Body& body) {
  return body();
}
#else
template <class Body>
__attribute__((flatten, optimize("O3"))) inline auto call_with_baseline(const Body& body) {
  return body();
}
template <class Body>
__attribute__((flatten, optimize("O3"), target("avx2,fma"))) inline auto call_with_avx2(
    const Body& body) {
  return body();
}
template <class Body>
__attribute__((flatten, optimize("O3"),
               target("avx512f,avx512bw,avx512dq,avx512vl,fma"))) inline auto
call_with_avx512(const Body& body) {
  return body();
}
#endif

/// Runs a sweep, compiled for the instructions named.
template <class Body>
inline auto call_with(Instructions instructions, const Body& body) {
  if (instructions == Instructions::avx512) return call_with_avx512(body);
#if !defined(__AVX2__) || !defined(__FMA__)
  if (instructions == Instructions::avx2) return call_with_avx2(body);
#endif
  return call_with_baseline(body);
}

#else

inline bool has_instructions(Instructions instructions) {
  return instructions == Instructions::baseline || instructions == Instructions::best;
}
template <class Body>
inline auto call_with(Instructions, const Body& body) {
  return body();
}

#endif

/// What `wanted` comes to on this processor.
inline Instructions resolved(Instructions wanted) {
  if (wanted != Instructions::best) return wanted;
  for (const Instructions each : {Instructions::avx512, Instructions::avx2}) {
    if (has_instructions(each)) return each;
  }
  return Instructions::baseline;
}

}  // namespace detail
}  // namespace logitchain::inline v0
