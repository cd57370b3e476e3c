// SPDX-License-Identifier: Apache-2.0
// What the oracle is lent by the library, exp and log, is within the stated bounds of MPFR's; and
// what both do by themselves is the same.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "oracle/arithmetic.hpp"
#include "oracle/bounds.hpp"
#include "oracle/chains/comparison.hpp"

namespace {

using namespace oracle_test;

constexpr double EXPONENTIAL = static_cast<double>(oracle::EXPONENTIAL_ULPS);
constexpr double LOGARITHM = static_cast<double>(oracle::LOGARITHM_ULPS);

TEST(LentFunctions, ExponentialIsWithinItsBoundOfTheTrueOne) {
  const oracle::Functions library = library_functions();
  double largest = 0;
  for (std::uint32_t bits = 0x80000000u; bits <= bits_of(-80.0f); bits += 2503u) {
    const float x = float_of(bits);
    largest = std::max(largest,
                       oracle::error_in_ulps(library.exponential(x), oracle::exact_exponential(x)));
  }
  for (float x = -80; x < -0x1p-8f; x = std::nextafter(x * (1 - 0x1p-17f), 0.0f)) {
    largest = std::max(largest,
                       oracle::error_in_ulps(library.exponential(x), oracle::exact_exponential(x)));
  }
  EXPECT_LT(largest, EXPONENTIAL);
  EXPECT_GT(largest, 0.9);
  EXPECT_EQ(library.exponential(0), 1);
}

TEST(LentFunctions, LogarithmIsWithinItsBoundOfTheTrueOne) {
  const oracle::Functions library = library_functions();
  double largest = 0;
  for (std::uint32_t bits = 1; bits < 0x7f800000u; bits += 4999u) {
    const float x = float_of(bits);
    largest =
        std::max(largest, oracle::error_in_ulps(library.logarithm(x), oracle::exact_logarithm(x)));
  }
  for (std::uint32_t bits = bits_of(0.7f); bits < bits_of(1.5f); bits += 101u) {
    const float x = float_of(bits);
    largest =
        std::max(largest, oracle::error_in_ulps(library.logarithm(x), oracle::exact_logarithm(x)));
  }
  EXPECT_LT(largest, LOGARITHM);
  EXPECT_GT(largest, 0.7);
}

TEST(LentFunctions, MassesAreWithinTheBoundThatFollows) {
  for (std::uint32_t bits = bits_of(-1e-8f); bits <= bits_of(-40.0f); bits += 997u) {
    const float x = float_of(bits);
    const long double exact = std::ldexp(oracle::exact_exponential(x), 44);
    int exponent = 0;
    (void)std::frexp(exact, &exponent);
    const long double bound = EXPONENTIAL * std::ldexp(1.0L, exponent - 24) + 0.5L;
    ASSERT_LE(std::fabs(static_cast<long double>(mass(x)) - exact), bound) << x;
    ASSERT_EQ(mass(x), oracle::units(library_functions().exponential(x))) << x;
  }
}

TEST(LentFunctions, AreTheOnlyOnesThatMayDifferFromTheNearestFloat) {
  const oracle::Functions exact = oracle::correctly_rounded();
  Random random(11);
  for (int i = 0; i < 20'000; ++i) {
    const float x = static_cast<float>(random.real(-40, 0));
    ASSERT_LE(oracle::error_in_ulps(exact.exponential(x), oracle::exact_exponential(x)), 0.5001);
    const float y = static_cast<float>(std::exp(random.real(-80, 80)));
    ASSERT_LE(oracle::error_in_ulps(exact.logarithm(y), oracle::exact_logarithm(y)), 0.5001);
  }
}

TEST(ElementTypes, AreStoredAsTheOracleStoresThem) {
  Random random(12);
  for (int i = 0; i < 300'000; ++i) {
    const float x = float_of(static_cast<std::uint32_t>(random.next()));
    if (is_nan(x)) continue;
    ASSERT_EQ(bits_of(widen(to_half(x))), oracle::bits(oracle::stored(x, oracle::Element::f16)))
        << x;
    ASSERT_EQ(bits_of(widen(to_bfloat16(x))),
              oracle::bits(oracle::stored(x, oracle::Element::bf16)))
        << x;
    const float small =
        static_cast<float>(random.real(-70000, 70000) * std::exp(random.real(-25, 0)));
    ASSERT_EQ(bits_of(widen(to_half(small))),
              oracle::bits(oracle::stored(small, oracle::Element::f16)))
        << small;
  }
}

}  // namespace
