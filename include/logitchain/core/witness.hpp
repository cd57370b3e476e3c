// SPDX-License-Identifier: Apache-2.0
// A known answer that tells whether this build and thread compute as the library defines it.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/exponential.hpp>
#include <logitchain/core/logarithm.hpp>
#include <logitchain/core/mass.hpp>
#include <logitchain/core/types.hpp>

namespace logitchain::inline v0 {
namespace detail {

/// A float that the compiler cannot know.
struct UnknownFloat {
  volatile float value;
  explicit UnknownFloat(float x) : value(x) {}
  // NOLINTNEXTLINE(google-explicit-constructor): stands for the number
  operator float() const { return value; }
};

/// Rewriting that flags allow to clang without a macro. Each form is one that it takes up.
inline const char* rewriting_fault() {
  const float one = UnknownFloat(1.0f), big = UnknownFloat(0x1p+24f), zero = UnknownFloat(0.0f);
  // 2^24 + 1 is a tie, kept at 2^24.
  if (bits_of(sub(add(one, big), big)) != 0u) return "float sums were taken in another order";
  if (bits_of(add(negate(zero), 0.0f)) != 0u || bits_of(sub(0.0f, zero)) != 0u) {
    return "the sign of zero was ignored";
  }
  // 5, 7 and 10 times the rounded 1/3 are not the rounded thirds.
  const float three = UnknownFloat(3.0f), five = UnknownFloat(5.0f);
  float thirds[4] = {five, 10.0f, UnknownFloat(10.0f), 7.0f};
  for (float& x : thirds) x = div(x, three);
  if (bits_of(thirds[0]) != 0x3fd55555u || bits_of(thirds[1]) != 0x40555555u ||
      bits_of(thirds[2]) != 0x40555555u || bits_of(thirds[3]) != 0x40155555u ||
      bits_of(div(five, 3.0f)) != 0x3fd55555u) {
    return "a quotient was made a product with the reciprocal";
  }
  const float nan = UnknownFloat(float_of(0x7fc00000u)), removed = UnknownFloat(FILTER);
  if (is_equal(nan, nan)) return "a NaN was taken as a number";
  float scores[4] = {one, removed, three, five};
  for (float& x : scores) x = is_less(x, three) ? FILTER : x;
  if (!is_equal(removed, FILTER) || bits_of(scores[0]) != bits_of(FILTER)) {
    return "an infinity was taken as a number";
  }
  return nullptr;
}

}  // namespace detail

/// The first rule of the arithmetic that does not hold here, or a null pointer if all do: which
/// compiler flag, rounding mode or flush to zero of this thread changes results. About a hundred
/// operations. Inputs go through volatile variables, so that the compiler cannot answer.
inline const char* arithmetic_fault() {
  using Source = detail::UnknownFloat;
  const Source one(1.0f), three(3.0f), ulp(0x1p-24f), tiny(0x1p-100f), shrink(0x1p-30f);
  const Source a(0x1.000002p+0f), square(0x1.000004p+0f);

  // Nearest even: 1 + 2^-24 is a tie, kept at 1; 1/3 rounds up, -1/3 down.
  if (bits_of(add(one, ulp)) != 0x3f800000u) return "the rounding mode is not to nearest";
  if (bits_of(sub(negate(one), ulp)) != 0xbf800000u) return "the rounding mode is not to nearest";
  if (bits_of(div(one, three)) != 0x3eaaaaabu) return "float division is not correctly rounded";
  if (bits_of(div(one, negate(three))) != 0xbeaaaaabu) {
    return "float division is not correctly rounded";
  }
  if (bits_of(square_root(three)) != 0x3fddb3d7u) return "the square root is not correctly rounded";

  // Each float operation rounds to float: 1 + 2^-24 + 2^-24 is 1, and more in a wider register.
  if (bits_of(add(add(one, ulp), ulp)) != 0x3f800000u) return "float operations keep extra bits";

  // (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46: the last term is seen by an fma alone.
  if (bits_of(sub(mul(a, a), square)) != 0u) return "a product was contracted into an fma";
  const float witness[4] = {a, a, a, a};
  float difference[4];
  for (int i = 0; i < 4; ++i) difference[i] = square - mul(witness[i], witness[i]);
  for (const float d : difference) {
    if (bits_of(d) != 0u) return "a product was contracted into an fma";
  }
  if (bits_of(fused(a, a, negate(square))) != bits_of(0x1p-46f)) return "fma rounds twice";
  const volatile double wide_source = 0x1.0000000000001p+0;
  const double wide = wide_source;
  if (bits_of(sub(mul(wide, wide), 0x1.0000000000002p+0)) != 0u) {
    return "a double product was contracted into an fma";
  }
  if (fused(wide, wide, -0x1.0000000000002p+0) != 0x1p-104) return "double fma rounds twice";

  if (const char* fault = detail::rewriting_fault()) return fault;

  if (bits_of(mul(tiny, shrink)) != 0x00080000u) return "subnormal floats are flushed to zero";
  if (to_double(mul(tiny, shrink)) != 0x1p-130) return "subnormal floats are taken as zero";

  if (bits_of(exponential(negate(one))) != 0x3ebc5ab2u) return "exp differs from its definition";
  if (bits_of(exponential(Source(-87.5f))) != 0x006cb2bcu) return "exp differs from its definition";
  if (bits_of(logarithm(three)) != 0x3f8c9f54u) return "log differs from its definition";
  if (mass(negate(three)) != 875863343104u) return "the mass differs from its definition";
  return nullptr;
}

/// Whether this build and thread compute as the library defines it; see `arithmetic_fault`.
inline bool arithmetic_is_exact() { return arithmetic_fault() == nullptr; }

/// Whether the file that calls this is compiled such that a plain `a * b - c` becomes one fused
/// operation. The library's results are the same either way; a transform of one's own keeps its
/// bits from build to build with `mul`, or without contraction (-ffp-contract=off).
[[gnu::always_inline]] inline bool contracts_products() {
  const float a = detail::UnknownFloat(0x1.000002p+0f);
  const float square = detail::UnknownFloat(0x1.000004p+0f);
  const float difference = a * a - square;  // 2^-46 where it is fused
  return bits_of(difference) != 0u;
}

}  // namespace logitchain::inline v0
