// SPDX-License-Identifier: Apache-2.0
// One rounding per operation, products that stay products, and the small float formats.
#include <logitchain/core/arithmetic.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/core/witness.hpp>

namespace {

using namespace logitchain;

constexpr float INF = std::numeric_limits<float>::infinity();
constexpr float NOT_A_NUMBER = std::numeric_limits<float>::quiet_NaN();

/// Numbers whose bits are well mixed.
std::uint32_t mixed(std::uint32_t i) {
  std::uint32_t x = i * 0x9e3779b9u;
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  return x ^ (x >> 13);
}

/// A float in [1, 16) or its negative.
float ordinary(std::uint32_t i) {
  const std::uint32_t bits = mixed(i);
  return float_of((bits & 0x807fffffu) | ((127u + (bits >> 29)) << 23));
}

TEST(Arithmetic, ProductsAreRoundedBeforeTheyAreSubtracted) {
  constexpr std::size_t COUNT = 1 << 16;
  std::vector<float> x(COUNT), p(COUNT), got(COUNT);
  for (std::size_t i = 0; i < COUNT; ++i) {
    p[i] = ordinary(static_cast<std::uint32_t>(i));
    x[i] = p[i] * 1.25f;
  }
  const volatile float source = 1.3f;
  const float c = source;
  for (std::size_t i = 0; i < COUNT; ++i) got[i] = x[i] - mul(p[i], c);
  std::size_t contraction_would_differ = 0;
  for (std::size_t i = 0; i < COUNT; ++i) {
    const volatile float product = p[i] * c;
    const volatile float want = x[i] - product;
    ASSERT_EQ(bits_of(want), bits_of(got[i])) << i;
    contraction_would_differ += std::fma(-p[i], c, x[i]) != want ? 1u : 0u;
  }
  EXPECT_GT(contraction_would_differ, COUNT / 4);
}

TEST(Arithmetic, DoubleProductsAreRoundedBeforeTheyAreAdded) {
  constexpr std::size_t COUNT = 1 << 12;
  std::vector<double> x(COUNT), p(COUNT), got(COUNT);
  for (std::size_t i = 0; i < COUNT; ++i) {
    p[i] = 1.0 + 1.0 / (3.0 + static_cast<double>(i));
    x[i] = -p[i] * 1.25;
  }
  const volatile double source = 1.3;
  const double c = source;
  for (std::size_t i = 0; i < COUNT; ++i) got[i] = mul(p[i], c) + x[i];
  std::size_t contraction_would_differ = 0;
  for (std::size_t i = 0; i < COUNT; ++i) {
    const volatile double product = p[i] * c;
    const volatile double want = product + x[i];
    ASSERT_EQ(bits_of(want), bits_of(got[i])) << i;
    contraction_would_differ += std::fma(p[i], c, x[i]) != want ? 1u : 0u;
  }
  EXPECT_GT(contraction_would_differ, COUNT / 4);
}

TEST(Arithmetic, ProductsKeepTheirSignsAndSpecialValues) {
  EXPECT_EQ(bits_of(mul(-0.0f, 3.0f)), bits_of(-0.0f));
  EXPECT_EQ(bits_of(mul(0.0f, 3.0f)), bits_of(0.0f));
  EXPECT_EQ(bits_of(mul(-0.0f, -3.0f)), bits_of(0.0f));
  EXPECT_EQ(bits_of(mul(-0.0, 3.0)), bits_of(-0.0));
  EXPECT_EQ(mul(-INF, 2.0f), -INF);
  EXPECT_TRUE(is_nan(mul(INF, 0.0f)));
  EXPECT_EQ(mul(0x1.8p-149f, 0.5f), 0x1p-149f);  // a tie, to even
  EXPECT_EQ(mul(0x1p-149f, 0.5f), 0.0f);
}

TEST(Arithmetic, FusedRoundsOnce) {
  EXPECT_EQ(fused(0x1.000002p+0f, 0x1.000002p+0f, -0x1.000004p+0f), 0x1p-46f);
  EXPECT_EQ(fused(0x1.0000000000001p+0, 0x1.0000000000001p+0, -0x1.0000000000002p+0), 0x1p-104);
  // Through double and then float this would round twice.
  EXPECT_EQ(fused(0x1.000002p+0f, 0x1p-24f, 1.0f), 0x1.000002p+0f);
}

TEST(Arithmetic, SumsQuotientsAndRootsAreTheNearest) {
  EXPECT_EQ(add(1.0f, 0x1p-24f), 1.0f);
  EXPECT_EQ(add(0x1.000002p+0f, 0x1p-24f), 0x1.000004p+0f);
  EXPECT_EQ(sub(1.0f, 0x1p-25f), 1.0f);
  EXPECT_EQ(div(1.0f, 3.0f), 0x1.555556p-2f);
  EXPECT_EQ(div(1.0, 3.0), 0x1.5555555555555p-2);
  EXPECT_EQ(square_root(2.0f), 0x1.6a09e6p+0f);
  EXPECT_EQ(square_root(2.0), 0x1.6a09e667f3bcdp+0);
  EXPECT_TRUE(is_nan(square_root(-1.0f)));
  EXPECT_EQ(to_float(1.0 + 0x1p-24), 1.0f);
  EXPECT_EQ(to_float(1.0 + 0x1.000001p-24), 0x1.000002p+0f);
  EXPECT_EQ(to_double(0x1p-149f), 0x1p-149);
}

TEST(Arithmetic, ClassesAreDecidedByBits) {
  for (const float x : {NOT_A_NUMBER, -NOT_A_NUMBER, float_of(0x7f800001u)}) {
    EXPECT_TRUE(is_nan(x));
    EXPECT_FALSE(is_inf(x));
    EXPECT_FALSE(is_finite(x));
  }
  for (const float x : {INF, -INF}) {
    EXPECT_FALSE(is_nan(x));
    EXPECT_TRUE(is_inf(x));
    EXPECT_FALSE(is_finite(x));
  }
  for (const float x : {0.0f, -0.0f, 0x1p-149f, -3.4028235e38f}) {
    EXPECT_FALSE(is_nan(x));
    EXPECT_FALSE(is_inf(x));
    EXPECT_TRUE(is_finite(x));
  }
  EXPECT_EQ(bits_of(negate(0.0f)), bits_of(-0.0f));
  EXPECT_EQ(magnitude(-2.5f), 2.5f);
  EXPECT_EQ(bits_of(magnitude(-0.0f)), 0u);
}

TEST(Arithmetic, ComparisonsTakeNaNAsTheStandardDoes) {
  EXPECT_TRUE(is_less(0x1p-149f, 0x1p-148f));
  EXPECT_FALSE(is_less(-0.0f, 0.0f));
  EXPECT_FALSE(is_less(NOT_A_NUMBER, 1.0f));
  EXPECT_FALSE(is_less(1.0f, NOT_A_NUMBER));
  EXPECT_TRUE(is_equal(-0.0f, 0.0f));
  EXPECT_FALSE(is_equal(NOT_A_NUMBER, NOT_A_NUMBER));
  EXPECT_FALSE(is_equal(0x1p-149f, 0.0f));
  EXPECT_EQ(larger(1.0f, 2.0f), 2.0f);
  EXPECT_EQ(larger(2.0f, 1.0f), 2.0f);
  EXPECT_EQ(larger(NOT_A_NUMBER, 1.0f), 1.0f);
  EXPECT_EQ(larger(1.0f, NOT_A_NUMBER), 1.0f);
  EXPECT_EQ(smaller(1.0f, 2.0f), 1.0f);
  EXPECT_EQ(smaller(2.0f, 1.0f), 1.0f);
  EXPECT_EQ(smaller(NOT_A_NUMBER, 1.0f), 1.0f);
  EXPECT_EQ(smaller(1.0f, NOT_A_NUMBER), 1.0f);
}

/// The value of a binary16 by its definition; NaN apart.
float by_definition(std::uint32_t bits) {
  const int exponent = static_cast<int>((bits >> 10) & 31u);
  const double fraction = static_cast<double>(bits & 0x3ffu);
  const double size = exponent == 31  ? static_cast<double>(INF)
                      : exponent == 0 ? std::ldexp(fraction, -24)
                                      : std::ldexp(1024.0 + fraction, exponent - 25);
  return static_cast<float>((bits & 0x8000u) != 0 ? -size : size);
}

TEST(SmallFloat, EveryHalfIsWidenedExactlyAndComesBack) {
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const half x{static_cast<std::uint16_t>(bits)};
    const float wide = widen(x);
    if ((bits & 0x7fffu) > 0x7c00u) {
      ASSERT_TRUE(is_nan(wide)) << bits;
      ASSERT_EQ(to_half(wide).bits, 0x7fffu) << bits;
    } else {
      ASSERT_EQ(bits_of(wide), bits_of(by_definition(bits))) << bits;
      ASSERT_EQ(to_half(wide).bits, bits);
    }
  }
}

TEST(SmallFloat, NarrowingToHalfTakesTheNearestAndTiesToEven) {
  for (std::uint32_t bits = 0; bits < 0x7bffu; ++bits) {
    const float low = by_definition(bits);
    const float high = by_definition(bits + 1);
    const float middle = 0.5f * (low + high);
    const std::uint32_t even = bits + (bits & 1u);
    ASSERT_EQ(to_half(middle).bits, even) << bits;
    ASSERT_EQ(to_half(float_of(bits_of(middle) - 1u)).bits, bits);
    ASSERT_EQ(to_half(float_of(bits_of(middle) + 1u)).bits, bits + 1u);
    ASSERT_EQ(to_half(-middle).bits, even | 0x8000u);
  }
}

TEST(SmallFloat, HalvesOverflowFrom65520OnAndUnderflowToZero) {
  EXPECT_EQ(to_half(65519.996f).bits, 0x7bffu);
  EXPECT_EQ(to_half(65520.0f).bits, 0x7c00u);
  EXPECT_EQ(to_half(65536.0f).bits, 0x7c00u);
  EXPECT_EQ(to_half(-3.4028235e38f).bits, 0xfc00u);
  EXPECT_EQ(to_half(-INF).bits, 0xfc00u);
  EXPECT_EQ(to_half(0x1p-25f).bits, 0u);
  EXPECT_EQ(to_half(0x1.000002p-25f).bits, 1u);
  EXPECT_EQ(to_half(-0x1p-149f).bits, 0x8000u);
  EXPECT_EQ(to_half(-NOT_A_NUMBER).bits, 0x7fffu);
}

TEST(SmallFloat, EveryBfloat16ComesBackAndTiesGoToEven) {
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const bfloat16 x{static_cast<std::uint16_t>(bits)};
    const float wide = widen(x);
    ASSERT_EQ(bits_of(wide), bits << 16);
    if ((bits & 0x7fffu) > 0x7f80u) {
      ASSERT_TRUE(is_nan(wide));
      ASSERT_EQ(to_bfloat16(wide).bits, 0x7fffu);
      continue;
    }
    ASSERT_EQ(to_bfloat16(wide).bits, bits);
    if ((bits & 0x7fffu) == 0x7f80u) continue;
    ASSERT_EQ(to_bfloat16(float_of((bits << 16) | 0x7fffu)).bits, bits);
    ASSERT_EQ(to_bfloat16(float_of((bits << 16) | 0x8000u)).bits, bits + (bits & 1u));
    ASSERT_EQ(to_bfloat16(float_of((bits << 16) | 0x8001u)).bits, bits + 1u);
  }
  EXPECT_EQ(to_bfloat16(3.4028235e38f).bits, 0x7f80u);
  EXPECT_EQ(to_bfloat16(float_of(0x7fffffffu)).bits, 0x7fffu);
  EXPECT_EQ(to_bfloat16(float_of(0xffffffffu)).bits, 0x7fffu);
  EXPECT_EQ(to_bfloat16(float_of(0x7f800001u)).bits, 0x7fffu);
}

}  // namespace
