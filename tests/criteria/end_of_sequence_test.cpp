// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <logitchain/criteria/end_of_sequence.hpp>

#include "support/rows.hpp"

namespace lc = logitchain;

namespace {

TEST(EndOfSequence, FiresWithTheEntryOfTheId) {
  const lc::EndOfSequence rule{{7, 2}};
  rows::Row row({1}, {2});
  EXPECT_EQ(rule(row.view(), 7).entry, 0);
  EXPECT_EQ(rule(row.view(), 2).entry, 1);
  EXPECT_TRUE(static_cast<bool>(rule(row.view(), 7)));
}

TEST(EndOfSequence, DoesNotFireAtOtherIds) {
  const lc::EndOfSequence rule{{7, 2}};
  rows::Row row({7}, {3});
  EXPECT_FALSE(static_cast<bool>(rule(row.view(), 3)));
  EXPECT_FALSE(static_cast<bool>(lc::EndOfSequence{}(row.view(), 0)));
}

TEST(EndOfSequence, LooksAtEveryIdOfALongList) {
  const std::vector<std::int32_t> many{10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
  const lc::EndOfSequence rule{many};
  rows::Row row({1}, {19});
  EXPECT_EQ(rule(row.view(), 19).entry, 9);
}

}  // namespace
