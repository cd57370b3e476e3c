// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <logitchain/criteria/max_length.hpp>

#include "support/rows.hpp"

namespace lc = logitchain;

namespace {

TEST(MaxLength, FiresOncePromptAndGeneratedReachIt) {
  const lc::MaxLength rule{4};
  rows::Row three({1, 1}, {4});
  rows::Row four({1, 1}, {4, 5});
  rows::Row five({1, 1, 1, 1}, {4});
  EXPECT_FALSE(rule(three.view(), 4));
  EXPECT_TRUE(rule(four.view(), 5));
  EXPECT_TRUE(rule(five.view(), 4));
}

TEST(MaxLength, IsOffAtZero) {
  rows::Row row({1}, {4});
  EXPECT_FALSE(lc::MaxLength{}(row.view(), 4));
  EXPECT_FALSE(lc::MaxLength{0}(row.view(), 4));
}

TEST(MaxLength, IsACount) {
  EXPECT_TRUE(rows::allows(lc::MaxLength{}, "length", 0));
  EXPECT_FALSE(rows::allows(lc::MaxLength{}, "length", -1));
}

}  // namespace
