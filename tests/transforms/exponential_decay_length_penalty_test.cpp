// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <logitchain/transforms/exponential_decay_length_penalty.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

/// The score of EOS in a row of three prompt tokens and `length` in all.
float after(const lc::ExponentialDecayLengthPenalty& stage, int length, float score) {
  rows::Row row({1, 1, 1}, rows::Tokens(static_cast<std::size_t>(length - 3), 4));
  if (!stage.active(row.view())) return score;
  return bodies::apply_listed(stage.bind(row.view()), {0, 0, score})[2];
}

TEST(ExponentialDecayLengthPenalty, RaisesANegativeScore) {  // B15
  const lc::ExponentialDecayLengthPenalty stage{2, 1.5, 2};
  EXPECT_EQ(after(stage, 5, -2), -2.0f) << "strictly after the start";
  EXPECT_EQ(after(stage, 6, -2), -1.0f);
  EXPECT_EQ(after(stage, 8, -2), 2.75f);
}

TEST(ExponentialDecayLengthPenalty, RaisesAPositiveScore) {
  const lc::ExponentialDecayLengthPenalty stage{2, 1.5, 2};
  EXPECT_EQ(after(stage, 6, 2), 3.0f);
  EXPECT_EQ(after(stage, 7, 2), 4.5f);
}

TEST(ExponentialDecayLengthPenalty, TakesThePowerInDouble) {
  const lc::ExponentialDecayLengthPenalty stage{0, 1.01, 2};
  double power = 1;
  for (int i = 0; i < 100; ++i) power *= 1.01;
  EXPECT_EQ(after(stage, 103, 1), 1.0f + static_cast<float>(power - 1));
}

TEST(ExponentialDecayLengthPenalty, ClampsWhatOverflows) {
  const lc::ExponentialDecayLengthPenalty stage{0, 10, 2};
  EXPECT_EQ(after(stage, 503, 2), bodies::LARGEST);
  EXPECT_EQ(after(stage, 503, -2), bodies::LARGEST);
  EXPECT_EQ(after(stage, 503, 1e-45f), 1e-45f * bodies::LARGEST);
  EXPECT_EQ(after(lc::ExponentialDecayLengthPenalty{0, 0.5, 2}, 503, -3e38f), -bodies::LARGEST);
}

TEST(ExponentialDecayLengthPenalty, LeavesZeroAndWhatWasRemoved) {
  const lc::ExponentialDecayLengthPenalty stage{0, 10, 2};
  EXPECT_EQ(after(stage, 503, 0), 0.0f);
  EXPECT_EQ(after(stage, 503, lc::FILTER), lc::FILTER);
}

TEST(ExponentialDecayLengthPenalty, LowersBelowAFactorOfOne) {
  EXPECT_EQ(after(lc::ExponentialDecayLengthPenalty{0, 0.5, 2}, 4, 2), 1.0f);
  EXPECT_EQ(after(lc::ExponentialDecayLengthPenalty{0, 0.5, 2}, 4, -2), -3.0f);
}

TEST(ExponentialDecayLengthPenalty, GrowsAnIdThatIsNamedTwiceOnce) {
  const lc::ExponentialDecayLengthPenalty stage{0, 2, {2, 1, 2}};
  rows::Row row({1}, {4});
  EXPECT_THAT(bodies::apply_listed(stage.bind(row.view()), {1, 1, 1}), ElementsAre(1, 2, 2));
  const lc::ExponentialDecayLengthPenalty rising{0, 2, {1, 2, 2}};
  EXPECT_THAT(bodies::apply_listed(rising.bind(row.view()), {1, 1, 1}), ElementsAre(1, 2, 2));
}

TEST(ExponentialDecayLengthPenalty, IsOffAtOneAndUpToItsStart) {
  rows::Row two({1}, {4, 4});
  rows::Row three({1}, {4, 4, 4});
  EXPECT_FALSE((lc::ExponentialDecayLengthPenalty{0, 1, 2}.active(two.view())));
  EXPECT_FALSE((lc::ExponentialDecayLengthPenalty{2, 1.5, 2}.active(two.view())));
  EXPECT_TRUE((lc::ExponentialDecayLengthPenalty{2, 1.5, 2}.active(three.view())));
}

TEST(ExponentialDecayLengthPenalty, HasAFactorAboveZeroAndAStartThatIsACount) {
  const lc::ExponentialDecayLengthPenalty stage;
  EXPECT_TRUE(rows::allows(stage, "factor", 0.5));
  EXPECT_FALSE(rows::allows(stage, "factor", 0));
  EXPECT_FALSE(rows::allows(stage, "factor", -1));
  EXPECT_FALSE(rows::allows(stage, "start", -1));
}

}  // namespace
