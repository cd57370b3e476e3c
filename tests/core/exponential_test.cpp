// SPDX-License-Identifier: Apache-2.0
// Error, order and limits of the library's exp.
#include <logitchain/core/exponential.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace {

using namespace logitchain;

static_assert(std::numeric_limits<long double>::digits >= 64,
              "the reference is expl of at least 64 bits: 2^-39 of a float's last place");

constexpr float INF = std::numeric_limits<float>::infinity();

/// |value - exp(x)| in units of the last place of exp(x), of 2^-149 for subnormals.
double error_in_ulp(float value, float x) {
  const long double exact = std::exp(static_cast<long double>(x));
  int exponent = 0;
  std::frexp(exact, &exponent);
  const long double error = std::fabs(static_cast<long double>(value) - exact);
  return static_cast<double>(std::ldexp(error, 24 - std::max(exponent, -125)));
}

TEST(Exponential, ErrorIsBelowTheStatedBoundOnTheWholeLine) {
  double largest = 0;
  for (std::uint32_t bits = 0x33000000u; bits < 0x42b17218u; bits += 251u) {  // to 88.7228
    largest = std::max(largest, error_in_ulp(exponential(float_of(bits)), float_of(bits)));
  }
  for (std::uint32_t bits = 0xb3000000u; bits < 0xc2d20000u; bits += 251u) {  // to -105
    largest = std::max(largest, error_in_ulp(exponential(float_of(bits)), float_of(bits)));
  }
  EXPECT_LT(largest, 1.17);
  EXPECT_GT(largest, 1.0);  // else the stated bound is out of date
}

TEST(Exponential, TheWorstArgumentsOfTheFullSweepAreWithinTheBound) {
  for (const float x : {-0x1.b60814p+4f, 0x1.196b64p+6f, -0x1.5e5f8p+6f, -0x1.86ee0ap+5f}) {
    EXPECT_LT(error_in_ulp(exponential(x), x), 1.17) << x;
  }
}

TEST(Exponential, TheHotPathGivesTheSameBits) {
  for (std::uint32_t bits = 0x80000000u; bits < bits_of(-80.0f); bits += 1021u) {
    const float x = float_of(bits);
    ASSERT_EQ(bits_of(exponential_nonpositive(x)), bits_of(exponential(x))) << x;
  }
}

TEST(Exponential, TheHotPathClampsAtMinus80) {
  const float least = exponential(-80.0f);
  EXPECT_GT(least, 0.0f);
  for (const float x : {-80.0f, -80.1f, -1e5f, -3.4028235e38f, -INF}) {
    EXPECT_EQ(exponential_nonpositive(x), least) << x;
  }
  EXPECT_EQ(exponential_nonpositive(0.0f), 1.0f);
  EXPECT_EQ(exponential_nonpositive(-0.0f), 1.0f);
  EXPECT_EQ(exponential_nonpositive(-0x1p-149f), 1.0f);
}

// Results are part of the contract: other bits are another ARITHMETIC_REVISION.
TEST(Exponential, BitsAreThoseOfThisRevisionOfTheArithmetic) {
  std::uint64_t digest = 0xcbf29ce484222325u;
  const auto take = [&digest](float x) { digest = (digest ^ bits_of(x)) * 0x100000001b3u; };
  for (std::uint32_t bits = 0; bits < bits_of(89.0f); bits += 2503u) {
    take(exponential(float_of(bits)));
  }
  for (std::uint32_t bits = 0x80000000u; bits < bits_of(-104.0f); bits += 2503u) {
    take(exponential(float_of(bits)));
  }
  EXPECT_EQ(digest, 838399844868691113u);
}

TEST(Exponential, IsMonotoneFromNeighbourToNeighbour) {
  // Where two neighbours were out of order for a Horner scheme that ends in fma(p, r, 1).
  float before = exponential(-0.347f);
  for (std::uint32_t bits = bits_of(-0.347f); bits > bits_of(-0.12f); --bits) {
    const float value = exponential(float_of(bits));
    ASSERT_GE(value, before) << bits;
    before = value;
  }
  // Every place where the power of two changes.
  for (int n = -148; n < 127; ++n) {
    const float edge = (static_cast<float>(n) + 0.5f) * 0x1.62e43p-1f;
    float last = exponential(edge - 0x1p-14f * std::fabs(edge));
    float x = edge - 0x1p-14f * std::fabs(edge);
    for (int i = 0; i < 1024; ++i) {
      x = std::nextafter(x, INF);
      const float value = exponential(x);
      ASSERT_GE(value, last) << x;
      last = value;
    }
  }
  float last = 0.0f;
  for (std::uint32_t bits = 0xc2d20000u; bits > 0x80000000u; bits -= 211u) {
    const float value = exponential(float_of(bits));
    ASSERT_GE(value, last) << bits;
    last = value;
  }
}

TEST(Exponential, LimitsAreTheMathematicalOnes) {
  EXPECT_EQ(exponential(0.0f), 1.0f);
  EXPECT_EQ(exponential(-0.0f), 1.0f);
  EXPECT_EQ(bits_of(exponential(-INF)), 0u);
  EXPECT_EQ(bits_of(exponential(-3.4028235e38f)), 0u);
  EXPECT_EQ(bits_of(exponential(-103.98f)), 0u);
  EXPECT_EQ(exponential(-103.97f), 0x1p-149f);
  EXPECT_EQ(exponential(0x1.62e42ep+6f), 0x1.ffff08p+127f);
  EXPECT_EQ(exponential(0x1.62e430p+6f), INF);
  EXPECT_EQ(exponential(1000.0f), INF);
  EXPECT_EQ(exponential(INF), INF);
  EXPECT_TRUE(is_nan(exponential(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(is_nan(exponential(-std::numeric_limits<float>::quiet_NaN())));
}

}  // namespace
