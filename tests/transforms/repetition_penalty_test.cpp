// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include <logitchain/transforms/repetition_penalty.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

TEST(RepetitionPenalty, DividesPositiveAndMultipliesNegativeScores) {
  rows::Row row({0, 1}, {2});
  const auto bound = lc::RepetitionPenalty{1.3}.bind(row.seen());
  EXPECT_THAT(bodies::apply_listed(bound, {2, -2, 0, 5}),
              ElementsAre(2 / 1.3f, -2 * 1.3f, 0.0f, 5.0f));
}

TEST(RepetitionPenalty, CountsATokenOnceHoweverOftenItOccurs) {  // B12
  rows::Row row({7, 7}, {7, 2, 0});
  const auto bound = lc::RepetitionPenalty{1.2}.bind(row.seen());
  const bodies::Scores out = bodies::apply_listed(bound, {0, 9, -1, 9, 9, 3, 9, 2});
  EXPECT_FLOAT_EQ(out[7], 1.666667f);
  EXPECT_FLOAT_EQ(out[2], -1.2f);
  EXPECT_EQ(out[0], 0.0f);
  EXPECT_EQ(out[5], 3.0f) << "not seen";
  EXPECT_EQ(bodies::apply_listed(bound, bodies::Scores(8, lc::FILTER))[7], lc::FILTER);
}

TEST(RepetitionPenalty, CountsThePromptAsWellAsTheGenerated) {  // S01
  rows::Row row({3, 5, 5, 9});
  const auto bound = lc::RepetitionPenalty{1.1}.bind(row.seen());
  EXPECT_FLOAT_EQ(bodies::apply_listed(bound, bodies::Scores(10, 2.0f))[5], 1.818182f);
}

TEST(RepetitionPenalty, LeavesWhatOccursOnlyInTheIgnoredBeginning) {
  rows::Row row({4, 6, 4}, {8});
  EXPECT_THAT(bodies::listed(lc::RepetitionPenalty{2, 0}.bind(row.seen())), ElementsAre(4, 6, 8));
  EXPECT_THAT(bodies::listed(lc::RepetitionPenalty{2, 2}.bind(row.seen())), ElementsAre(4, 8));
  EXPECT_THAT(bodies::listed(lc::RepetitionPenalty{2, 3}.bind(row.seen())), ElementsAre(8));
  EXPECT_THAT(bodies::listed(lc::RepetitionPenalty{2, 9}.bind(row.seen())), IsEmpty());
}

TEST(RepetitionPenalty, IgnoresPlaceholdersBeyondTheVocabulary) {
  rows::Row row({4, 1000, 6});
  EXPECT_THAT(bodies::listed(lc::RepetitionPenalty{2}.bind(row.seen())), ElementsAre(4, 6));
}

TEST(RepetitionPenalty, TakesTheNumberOfItsRow) {
  const std::vector<float> penalties{1.0f, 2.0f};
  const lc::RepetitionPenalty stage{lc::per_row(penalties)};
  rows::Row row({0});
  EXPECT_FALSE(stage.active(row.view()));
  row.fields.row = 1;
  EXPECT_TRUE(stage.active(row.view()));
  EXPECT_EQ(stage.bind(row.seen())(0, 3.0f), 1.5f);
}

TEST(RepetitionPenalty, IsOffAtOneAndRewardsBelow) {
  rows::Row row({0});
  EXPECT_FALSE(lc::RepetitionPenalty{}.active(row.view()));
  EXPECT_FALSE(lc::RepetitionPenalty{1}.active(row.view()));
  EXPECT_TRUE(lc::RepetitionPenalty{0.5}.active(row.view()));
  EXPECT_EQ(lc::RepetitionPenalty{0.5}.bind(row.seen())(0, 3.0f), 6.0f);
}

TEST(RepetitionPenalty, IsFiniteAndAboveZero) {
  EXPECT_TRUE(rows::allows(lc::RepetitionPenalty{}, "penalty", 0.01));
  EXPECT_FALSE(rows::allows(lc::RepetitionPenalty{}, "penalty", 0));
  EXPECT_FALSE(rows::allows(lc::RepetitionPenalty{}, "penalty", -1));
  EXPECT_FALSE(rows::allows(lc::RepetitionPenalty{}, "prompt_ignore_length", -1));
}

}  // namespace
