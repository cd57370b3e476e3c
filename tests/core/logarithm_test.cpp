// SPDX-License-Identifier: Apache-2.0
// Error, order and special values of the library's log.
#include <logitchain/core/logarithm.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace {

using namespace logitchain;

static_assert(std::numeric_limits<long double>::digits >= 64,
              "the reference is logl of at least 64 bits: 2^-39 of a float's last place");

constexpr float INF = std::numeric_limits<float>::infinity();

/// |value - log(x)| in units of the last place of log(x).
double error_in_ulp(float value, float x) {
  const long double exact = std::log(static_cast<long double>(x));
  int exponent = 0;
  std::frexp(exact, &exponent);
  return static_cast<double>(
      std::fabs(std::ldexp(static_cast<long double>(value) - exact, 24 - exponent)));
}

TEST(Logarithm, ErrorIsBelowTheStatedBoundForAllPositiveFloats) {
  double largest = 0;
  for (std::uint32_t bits = 1; bits < 0x7f800000u; bits += 1009u) {
    if (bits == 0x3f800000u) continue;
    largest = std::max(largest, error_in_ulp(logarithm(float_of(bits)), float_of(bits)));
  }
  for (std::uint32_t bits = 0x3f000001u; bits < 0x40000000u; bits += 11u) {
    if (bits == 0x3f800000u) continue;
    largest = std::max(largest, error_in_ulp(logarithm(float_of(bits)), float_of(bits)));
  }
  largest = std::max(largest, error_in_ulp(logarithm(0x1.42c0ep-1f), 0x1.42c0ep-1f));
  EXPECT_LT(largest, 0.95);
  EXPECT_GT(largest, 0.9);  // else the stated bound is out of date
}

// Results are part of the contract: other bits are another ARITHMETIC_REVISION.
TEST(Logarithm, BitsAreThoseOfThisRevisionOfTheArithmetic) {
  std::uint64_t digest = 0xcbf29ce484222325u;
  for (std::uint32_t bits = 0; bits < 0x7f800000u; bits += 2503u) {
    digest = (digest ^ bits_of(logarithm(float_of(bits)))) * 0x100000001b3u;
  }
  EXPECT_EQ(digest, 4074115748070158316u);
}

TEST(Logarithm, IsMonotone) {
  float last = -INF;
  for (std::uint32_t bits = 1; bits < 0x7f800000u; bits += 701u) {
    const float value = logarithm(float_of(bits));
    ASSERT_GE(value, last) << bits;
    last = value;
  }
  last = logarithm(float_of(0x3f7f0000u));
  for (std::uint32_t bits = 0x3f7f0000u; bits < 0x3f810000u; ++bits) {
    const float value = logarithm(float_of(bits));
    ASSERT_GE(value, last) << bits;
    last = value;
  }
}

TEST(Logarithm, NeighboursOfTheReductionsEdgesAreInOrder) {
  for (std::uint32_t exponent = 1; exponent < 254u; ++exponent) {
    for (const std::uint32_t mantissa : {0x2aaaabu, 0x7fffffu, 0u}) {
      const std::uint32_t edge = (exponent << 23) | mantissa;
      for (std::uint32_t bits = edge - 200u; bits < edge + 200u; ++bits) {
        ASSERT_LE(logarithm(float_of(bits)), logarithm(float_of(bits + 1u))) << bits;
      }
    }
  }
}

TEST(Logarithm, SpecialValuesAreTheMathematicalOnes) {
  EXPECT_EQ(bits_of(logarithm(1.0f)), 0u);
  EXPECT_EQ(logarithm(0.0f), -INF);
  EXPECT_EQ(logarithm(-0.0f), -INF);
  EXPECT_EQ(logarithm(INF), INF);
  for (const float x : {-1.0f, -0x1p-149f, -3.4028235e38f, -INF}) {
    EXPECT_TRUE(is_nan(logarithm(x))) << x;
  }
  EXPECT_TRUE(is_nan(logarithm(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(is_nan(logarithm(-std::numeric_limits<float>::quiet_NaN())));
  EXPECT_EQ(logarithm(2.0f), 0x1.62e43p-1f);
  EXPECT_EQ(logarithm(0x1p-149f), static_cast<float>(-149.0L * 0.693147180559945309417232L));
}

}  // namespace
