// SPDX-License-Identifier: Apache-2.0
// One number for the batch, one per row, or one that is read at each step.
#include <logitchain/core/param.hpp>

#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace logitchain;

TEST(Param, HoldsOneNumberForAllRows) {
  const Param<float> share = 0.1;
  EXPECT_FALSE(share.in_memory());
  EXPECT_EQ(share.at(0), 0.1) << "not narrowed";
  EXPECT_EQ(share.at(7), 0.1);
  EXPECT_EQ(Param<std::int32_t>(std::int64_t{1} << 40).at(3), std::int64_t{1} << 40);
}

TEST(Param, ReadsItsNumberPerRowAnew) {
  std::vector<float> shares = {0.5f, 0.25f, 0.75f};
  std::vector<std::int32_t> counts = {5, 6, 7};
  const Param<float> share = per_row(shares);
  const Param<std::int32_t> count = per_row(counts);
  EXPECT_TRUE(share.in_memory());
  for (std::int64_t row = 0; row < 3; ++row) {
    EXPECT_EQ(share.at(row), static_cast<double>(shares[static_cast<std::size_t>(row)]));
    EXPECT_EQ(count.at(row), counts[static_cast<std::size_t>(row)]);
  }
  shares[1] = 1.0f;
  counts[2] = 9;
  EXPECT_EQ(share.at(1), 1.0);
  EXPECT_EQ(count.at(2), 9);
}

TEST(Param, ReadsOneNumberForEveryRowWhereItIsReadEachStep) {
  // What lies behind the number is another's.
  std::vector<float> shares = {0.5f, -1.0f, -1.0f};
  std::vector<std::int32_t> counts = {5, -1, -1};
  const Param<float> share = read_each_step(host_span<float>(shares.data(), 1));
  const Param<std::int32_t> count = read_each_step(host_span<std::int32_t>(counts.data(), 1));
  for (std::int64_t row = 0; row < 3; ++row) {
    EXPECT_EQ(share.at(row), 0.5);
    EXPECT_EQ(count.at(row), 5);
  }
  counts[0] = 8;
  EXPECT_EQ(count.at(2), 8);
}

TEST(Param, TakesAnUnsignedNumberBeyond63BitsAsTheLargest) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(Param<std::int32_t>(most).at(0), std::numeric_limits<std::int64_t>::max());
}

}  // namespace
