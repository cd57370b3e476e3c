// SPDX-License-Identifier: Apache-2.0
// Masses are the rounded exponentials, exact to the unit, and budgets are exact.
#include <logitchain/core/mass.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace logitchain;

constexpr std::uint64_t ONE = 1ull << MASS_BITS;
constexpr float INF = std::numeric_limits<float>::infinity();

/// v * 2^44 rounded to nearest even; the product is exact in double.
std::uint64_t rounded(float v) {
  return static_cast<std::uint64_t>(std::nearbyint(std::ldexp(static_cast<double>(v), MASS_BITS)));
}

TEST(Mass, ConversionRoundsToNearestEvenForEveryKindOfFloat) {
  for (std::uint32_t bits = 0; bits <= 0x3f800000u; bits += 499u) {
    ASSERT_EQ(fixed44(float_of(bits)), rounded(float_of(bits))) << bits;
  }
  // Halves of a unit, and of a unit of the upper part, with neighbours.
  for (std::uint32_t odd = 1; odd < 4096u; odd += 2u) {
    for (const int scale : {-45, -23}) {
      const float tie = std::ldexp(static_cast<float>(odd), scale);
      for (const float v : {std::nextafter(tie, 0.0f), tie, std::nextafter(tie, 1.0f)}) {
        ASSERT_EQ(fixed44(v), rounded(v)) << v;
      }
    }
  }
  EXPECT_EQ(fixed44(0.0f), 0u);
  EXPECT_EQ(fixed44(1.0f), ONE);
  EXPECT_EQ(fixed44(std::nextafter(1.0f, 0.0f)), ONE - (1ull << 20));
}

TEST(Mass, PartsMayBeSummed1023Times) {
  for (const float v : {1.0f, std::nextafter(1.0f, 0.0f), 0x1.ffff8p-24f, 0.7f, 0x1.8p-23f}) {
    const MassParts parts = mass_parts(v);
    EXPECT_LE(parts.hi, 1u << 22);
    EXPECT_LE(std::abs(parts.lo), 1 << 21);
    MassParts sum{0, 0};
    for (int i = 0; i < 1023; ++i) {
      sum.hi += parts.hi;
      sum.lo += parts.lo;
    }
    EXPECT_EQ(mass_of(sum), 1023u * rounded(v)) << v;
  }
}

TEST(Mass, OfADistanceIsItsExponentialWithinTheStatedError) {
  for (std::uint32_t bits = bits_of(-40.0f); bits > 0x80000000u; bits -= 1499u) {
    const float distance = float_of(bits);
    const long double exact = std::ldexp(std::exp(static_cast<long double>(distance)), MASS_BITS);
    int exponent = 0;
    std::frexp(exact, &exponent);
    const long double allowed = 0.5L + std::ldexp(1.17L, exponent - 24);
    ASSERT_LE(std::fabs(static_cast<long double>(mass(distance)) - exact), allowed) << distance;
    ASSERT_EQ(mass(distance), rounded(exponential(distance)));
  }
}

TEST(Mass, IsMonotoneAndReachesZero) {
  std::uint64_t last = 0;
  for (std::uint32_t bits = bits_of(-33.0f); bits > 0x80000000u; bits -= 307u) {
    const std::uint64_t value = mass(float_of(bits));
    ASSERT_GE(value, last) << bits;
    last = value;
  }
  EXPECT_EQ(mass(0.0f), ONE);
  EXPECT_EQ(mass(-0.0f), ONE);
  EXPECT_EQ(mass(-31.19f), 1u);
  EXPECT_EQ(mass(-31.2f), 0u);
  for (const float distance : {-79.0f, -80.0f, -81.0f, -1e30f, -INF}) {
    EXPECT_EQ(mass(distance), 0u) << distance;
  }
}

TEST(Mass, SumsComeBackAsTheNearestFloat) {
  EXPECT_EQ(unfixed44(0), 0.0f);
  EXPECT_EQ(unfixed44(1), 0x1p-44f);
  EXPECT_EQ(unfixed44(ONE), 1.0f);
  EXPECT_EQ(unfixed44((1ull << 24) + 1u), 0x1p-20f);                        // tie to even
  EXPECT_EQ(unfixed44((1ull << 24) + 3u), 0x1.000004p-20f);                 // tie to even
  EXPECT_EQ(unfixed44((1ull << 62) + (1ull << 38) + 1u), 0x1.000002p+18f);  // just above a tie
  EXPECT_EQ(unfixed44((1ull << 62) + (1ull << 38)), 0x1p+18f);
  std::mt19937_64 random(7);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t sum = random() >> (random() & 63u);
    const float want = std::ldexp(static_cast<float>(static_cast<long double>(sum)), -44);
    ASSERT_EQ(unfixed44(sum), want) << sum;
  }
}

TEST(ScaledCeil, HandWrittenEdges) {
  EXPECT_EQ(scaled_ceil(0.0, ONE), 0u);
  EXPECT_EQ(scaled_ceil(-0.0, ONE), 0u);
  EXPECT_EQ(scaled_ceil(1.0, ONE), ONE);
  EXPECT_EQ(scaled_ceil(1.0, ~0ull), ~0ull);
  EXPECT_EQ(scaled_ceil(0.5, 7), 4u);
  EXPECT_EQ(scaled_ceil(0.5, 8), 4u);
  EXPECT_EQ(scaled_ceil(0.9, 0), 0u);
  EXPECT_EQ(scaled_ceil(1.0 - 0x1p-24, 1ull << 24), (1ull << 24) - 1u);
  EXPECT_EQ(scaled_ceil(1.0 - 0x1p-24, ONE), ONE - (1ull << 20));
  EXPECT_EQ(scaled_ceil(1.0 - 0x1p-53, ~0ull), ~0ull - 2047u);
  EXPECT_EQ(scaled_ceil(1.0 - 0x1p-53, 1u), 1u);
  EXPECT_EQ(scaled_ceil(0x1p-44, ONE), 1u);
  EXPECT_EQ(scaled_ceil(0x1.0000000000001p-44, ONE), 2u);
  EXPECT_EQ(scaled_ceil(0x1p-64, ~0ull), 1u);
  EXPECT_EQ(scaled_ceil(0x1.0000000000001p-64, ~0ull), 2u);
  EXPECT_EQ(scaled_ceil(1e-300, ~0ull), 1u);
  EXPECT_EQ(scaled_ceil(0x1p-1074, ~0ull), 1u);
  EXPECT_EQ(scaled_ceil(0x1.fffffffffffffp-1023, 1u), 1u);
  EXPECT_EQ(scaled_ceil(1.5, 10), 10u);
  EXPECT_EQ(scaled_ceil(std::numeric_limits<double>::quiet_NaN(), 10), 10u);
}

TEST(ScaledCeil, IsTheLeastIntegerNotBelowTheProduct) {
  // p = m / 2^e; the answer c is the only one with (c - 1) 2^e < m total <= c 2^e.
  std::mt19937_64 random(11);
  for (int i = 0; i < 300000; ++i) {
    const int e = 1 + static_cast<int>(random() % 62u);
    std::uint64_t m = random() & ((1ull << std::min(e, 53)) - 1u);
    if (i % 3 == 0) m &= ~0ull << (random() % 50u);
    std::uint64_t total = random() >> (random() % 64u);
    if (i % 5 == 0) total &= ~0ull << (random() % 40u);
    const double p = std::ldexp(static_cast<double>(m), -e);
    const uint128 product = static_cast<uint128>(m) * total;
    const uint128 want =
        (product + ((static_cast<uint128>(1) << e) - 1u)) / (static_cast<uint128>(1) << e);
    ASSERT_EQ(scaled_ceil(p, total), static_cast<std::uint64_t>(want)) << m << " " << e;
    ASSERT_LE(scaled_ceil(p, total), total);
  }
}

TEST(WideInteger, HighHalfOfAProduct) {
  EXPECT_EQ(mulhi(~0ull, ~0ull), ~0ull - 1u);
  EXPECT_EQ(mulhi(1ull << 63, 2), 1u);
  EXPECT_EQ(mulhi(~0ull, 0), 0u);
  // Schoolbook, from 32-bit halves.
  std::mt19937_64 random(3);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t a = random(), b = random();
    const std::uint64_t al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
    const std::uint64_t middle = ah * bl + ((al * bl) >> 32);
    const std::uint64_t other = al * bh + (middle & 0xffffffffu);
    ASSERT_EQ(mulhi(a, b), ah * bh + (middle >> 32) + (other >> 32));
  }
}

}  // namespace
