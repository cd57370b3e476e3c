// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <logitchain/criteria/max_new_tokens.hpp>

#include "support/rows.hpp"

namespace lc = logitchain;

namespace {

TEST(MaxNewTokens, FiresOnceEnoughWasGenerated) {
  const lc::MaxNewTokens rule{2};
  rows::Row one({1, 1, 1}, {4});
  rows::Row two({1, 1, 1}, {4, 5});
  rows::Row three({1}, {4, 5, 6});
  EXPECT_FALSE(rule(one.view(), 4));
  EXPECT_TRUE(rule(two.view(), 5));
  EXPECT_TRUE(rule(three.view(), 6));
}

TEST(MaxNewTokens, IsOffAtZero) {
  rows::Row row({1}, {4});
  EXPECT_FALSE(lc::MaxNewTokens{}(row.view(), 4));
  EXPECT_FALSE(lc::MaxNewTokens{0}(row.view(), 4));
}

TEST(MaxNewTokens, TakesTheNumberOfItsRow) {
  const std::vector<std::int32_t> counts{0, 1};
  const lc::MaxNewTokens rule{lc::per_row(counts)};
  rows::Row row({1}, {4});
  EXPECT_FALSE(rule(row.view(), 4));
  row.fields.row = 1;
  EXPECT_TRUE(rule(row.view(), 4));
}

TEST(MaxNewTokens, IsACount) {
  EXPECT_TRUE(rows::allows(lc::MaxNewTokens{}, "count", 0));
  EXPECT_FALSE(rows::allows(lc::MaxNewTokens{}, "count", -1));
}

}  // namespace
