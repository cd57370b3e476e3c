// SPDX-License-Identifier: Apache-2.0
// A known answer that tells whether this build and thread compute as the library defines it.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/exponential.hpp>
#include <logitchain/core/logarithm.hpp>
#include <logitchain/core/mass.hpp>

namespace logitchain::inline v0 {

/// The first rule of the arithmetic that does not hold here, or a null pointer if all do: which
/// compiler flag, rounding mode or flush to zero of this thread changes results. About a hundred
/// operations. Inputs go through volatile variables, so that the compiler cannot answer.
inline const char* arithmetic_fault() {
  struct Source {
    volatile float value;
    explicit Source(float x) : value(x) {}
    operator float() const { return value; }  // NOLINT: stands for the number
  };
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

}  // namespace logitchain::inline v0
