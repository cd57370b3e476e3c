// SPDX-License-Identifier: Apache-2.0
// The order of scores and of tokens with equal scores.
#include <logitchain/core/order.hpp>

#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace logitchain;

constexpr float INF = std::numeric_limits<float>::infinity();

/// Ascending, every edge of the format; the two zeros side by side.
const std::vector<float> ASCENDING = {-INF,       -3.4028235e38f,    -1.0000001f,      -1.0f,
                                      -0x1p-126f, -0x1.fffffcp-127f, -0x1p-149f,       -0.0f,
                                      0.0f,       0x1p-149f,         0x1.fffffcp-127f, 0x1p-126f,
                                      1.0f,       1.0000001f,        3.4028235e38f,    INF};

TEST(Order, KeysCompareAsTheScoresDo) {
  for (const float a : ASCENDING) {
    for (const float b : ASCENDING) {
      EXPECT_EQ(order_key(a) < order_key(b), a < b) << a << " " << b;
      EXPECT_EQ(order_key(a) == order_key(b), a == b) << a << " " << b;
    }
  }
}

TEST(Order, MinusInfinityIsTheLowestKey) {
  for (const float a : ASCENDING) EXPECT_GE(order_key(a), order_key(-INF));
  EXPECT_EQ(order_key(-INF), 0x007fffffu);
  EXPECT_EQ(order_key(INF), 0xff800000u);
}

TEST(Order, KeysGiveTheScoreBackAndZeroIsPositive) {
  for (const float a : ASCENDING) {
    const float back = score_of_key(order_key(a));
    EXPECT_EQ(bits_of(back), a == 0.0f ? 0u : bits_of(a)) << a;
  }
  for (std::uint32_t bits = 1; bits < 0x7f800000u; bits += 65521u) {
    ASSERT_EQ(bits_of(score_of_key(order_key(float_of(bits)))), bits);
    const std::uint32_t negative = bits | 0x80000000u;
    ASSERT_EQ(bits_of(score_of_key(order_key(float_of(negative)))), negative);
  }
}

TEST(Order, KeysAscendFromNeighbourToNeighbour) {
  for (std::uint32_t bits = 0; bits < 0x7f800000u; bits += 4099u) {
    ASSERT_EQ(order_key(float_of(bits + 1u)), order_key(float_of(bits)) + 1u);
    const std::uint32_t negative = (bits + 1u) | 0x80000000u;
    ASSERT_LT(order_key(float_of(negative)), order_key(float_of(negative - 1u)));
  }
}

TEST(Order, TheHigherScoreIsBetterThenTheLowerToken) {
  EXPECT_TRUE(better(2.0f, 9, 1.0f, 3));
  EXPECT_FALSE(better(1.0f, 3, 2.0f, 9));
  EXPECT_TRUE(better(1.0f, 3, 1.0f, 4));
  EXPECT_FALSE(better(1.0f, 4, 1.0f, 3));
  EXPECT_FALSE(better(1.0f, 4, 1.0f, 4));
  EXPECT_TRUE(better(-0.0f, 3, 0.0f, 4));
  EXPECT_FALSE(better(0.0f, 4, -0.0f, 3));
  EXPECT_TRUE(better(-3.4028235e38f, 9, -INF, 0));
  EXPECT_TRUE(better(-INF, 0, -INF, 1));
}

}  // namespace
