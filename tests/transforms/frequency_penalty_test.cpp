// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include <logitchain/transforms/frequency_penalty.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

TEST(FrequencyPenalty, SubtractsForEachTimeGenerated) {  // B14: accepted 8, 8, 9, then 6
  rows::Row row({1}, {8, 8, 9, 6});
  const auto bound = lc::FrequencyPenalty{0.5}.bind(row.seen());
  EXPECT_THAT(bodies::apply_listed(bound, bodies::Scores(10, 2.0f)),
              ElementsAre(2, 2, 2, 2, 2, 2, 1.5f, 2, 1, 1.5f));
}

TEST(FrequencyPenalty, DoesNotCountThePrompt) {
  rows::Row row({5, 5, 4}, {5});
  EXPECT_THAT(bodies::listed(lc::FrequencyPenalty{0.5}.bind(row.seen())), ElementsAre(5));
  EXPECT_EQ(
      bodies::apply_listed(lc::FrequencyPenalty{0.5}.bind(row.seen()), bodies::Scores(6, 1.0f))[5],
      0.5f);
}

TEST(FrequencyPenalty,
     KnowsNoPadding) {  // B13: the histories as they are, not as a batch pads them
  rows::Row shorter({1}, {4, 5});
  rows::Row longer({1}, {4, 5, 0, 7, 8});
  const lc::FrequencyPenalty stage{0.5};
  const bodies::Scores scores(10, 1.0f);
  const bodies::Scores one = bodies::apply_listed(stage.bind(shorter.seen()), scores);
  const bodies::Scores other = bodies::apply_listed(stage.bind(longer.seen()), scores);
  EXPECT_EQ(one[0], 1.0f);
  EXPECT_EQ(one[4], 0.5f);
  EXPECT_EQ(one[5], 0.5f);
  EXPECT_EQ(other[0], 0.5f);
}

TEST(FrequencyPenalty, RoundsTheProductBeforeItSubtracts) {
  rows::Row row({1}, {0, 0, 0});
  const float penalty = 0.1f;
  const volatile float product = penalty * 3.0f;
  const float score = 0.3f;
  const float once =
      static_cast<float>(static_cast<double>(score) - 3.0 * static_cast<double>(penalty));
  const float expected = score - product;
  EXPECT_EQ(lc::FrequencyPenalty{0.1}.bind(row.seen())(1, score), expected);
  EXPECT_NE(once, expected) << "the case tells the two apart";
}

TEST(FrequencyPenalty, IsOffAtZeroAndRewardsBelow) {
  rows::Row row({1}, {0});
  EXPECT_FALSE(lc::FrequencyPenalty{}.active(row.view()));
  EXPECT_TRUE(lc::FrequencyPenalty{-0.5}.active(row.view()));
  EXPECT_EQ(lc::FrequencyPenalty{-0.5}.bind(row.seen())(1, 1.0f), 1.5f);
}

TEST(FrequencyPenalty, IsAnyFiniteNumber) {
  EXPECT_TRUE(rows::allows(lc::FrequencyPenalty{}, "penalty", -2));
  EXPECT_FALSE(
      rows::allows(lc::FrequencyPenalty{}, "penalty", std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(
      rows::allows(lc::FrequencyPenalty{}, "penalty", std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace
