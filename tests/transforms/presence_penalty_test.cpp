// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include <logitchain/transforms/presence_penalty.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

TEST(PresencePenalty, SubtractsOnceForWhatWasGenerated) {
  rows::Row row({3}, {1, 1, 1, 2});
  const auto bound = lc::PresencePenalty{0.75}.bind(row.seen());
  EXPECT_THAT(bodies::apply_listed(bound, {2, 2, 2, 2}), ElementsAre(2, 1.25f, 1.25f, 2));
}

TEST(PresencePenalty, IsOffAtZeroAndRewardsBelow) {
  rows::Row row({1}, {0});
  EXPECT_FALSE(lc::PresencePenalty{}.active(row.view()));
  EXPECT_TRUE(lc::PresencePenalty{-1}.active(row.view()));
  EXPECT_EQ(lc::PresencePenalty{-1}.bind(row.seen())(1, 1.0f), 2.0f);
}

TEST(PresencePenalty, IsAnyFiniteNumber) {
  EXPECT_TRUE(rows::allows(lc::PresencePenalty{}, "penalty", -2));
  EXPECT_FALSE(
      rows::allows(lc::PresencePenalty{}, "penalty", -std::numeric_limits<double>::infinity()));
}

}  // namespace
