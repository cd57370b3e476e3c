// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <logitchain/transforms/prompt_repetition_penalty.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

TEST(PromptRepetitionPenalty, AppliesTheInverseToPromptTokens) {
  rows::Row row({0, 1, 1}, {2});
  const auto bound = lc::PromptRepetitionPenalty{1.3}.bind(row.seen());
  const float inverse = static_cast<float>(1 / 1.3);
  EXPECT_THAT(bodies::apply_listed(bound, {2, -2, 4, 5}),
              ElementsAre(2 / inverse, -2 * inverse, 4.0f, 5.0f));
}

TEST(PromptRepetitionPenalty, InvertsInDouble) {
  rows::Row row({0});
  const double penalty =
      1.0000000894069671;  // its float is 1 + 2^-23, whose inverse is another float
  const auto bound = lc::PromptRepetitionPenalty{penalty}.bind(row.seen());
  EXPECT_EQ(bound.inverse, static_cast<float>(1 / penalty));
  EXPECT_NE(bound.inverse, 1 / static_cast<float>(penalty));
}

TEST(PromptRepetitionPenalty, CountsATokenThatWasGeneratedToo) {
  rows::Row row({3}, {3, 4});
  EXPECT_THAT(bodies::listed(lc::PromptRepetitionPenalty{2}.bind(row.seen())), ElementsAre(3));
}

TEST(PromptRepetitionPenalty, IsOffAtOne) {
  rows::Row row({0});
  EXPECT_FALSE(lc::PromptRepetitionPenalty{}.active(row.view()));
  EXPECT_TRUE(lc::PromptRepetitionPenalty{1.1}.active(row.view()));
}

TEST(PromptRepetitionPenalty, IsFiniteAndAboveZero) {
  EXPECT_TRUE(rows::allows(lc::PromptRepetitionPenalty{}, "penalty", 0.5));
  EXPECT_FALSE(rows::allows(lc::PromptRepetitionPenalty{}, "penalty", 0));
  EXPECT_FALSE(rows::allows(lc::PromptRepetitionPenalty{}, "penalty", -2));
}

}  // namespace
