// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <logitchain/transforms/epsilon_cutoff.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

bodies::Ids kept_by(const lc::EpsilonCutoff& stage, const bodies::Scores& scores) {
  rows::Row row({1});
  const lc::RowNumbers numbers = bodies::numbers_of(scores, stage.rank(row.view()));
  return bodies::kept(bodies::apply_dense(stage.bind(row.view(), numbers), scores));
}

const bodies::Scores PROBABILITIES{std::log(0.5f), std::log(0.3f), std::log(0.15f),
                                   std::log(0.05f)};

TEST(EpsilonCutoff, RemovesWhatIsLessProbable) {
  EXPECT_THAT(kept_by(lc::EpsilonCutoff{0.04}, PROBABILITIES), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(kept_by(lc::EpsilonCutoff{0.1}, PROBABILITIES), ElementsAre(0, 1, 2));
  EXPECT_THAT(kept_by(lc::EpsilonCutoff{0.2}, PROBABILITIES), ElementsAre(0, 1));
}

TEST(EpsilonCutoff, DoesNotDependOnAShiftOfTheScores) {
  bodies::Scores shifted = PROBABILITIES;
  for (float& score : shifted) score += 16;
  EXPECT_THAT(kept_by(lc::EpsilonCutoff{0.1}, shifted), ElementsAre(0, 1, 2));
}

TEST(EpsilonCutoff, KeepsTheBestAndItsTiesWhereNothingIsProbableEnough) {
  EXPECT_THAT(kept_by(lc::EpsilonCutoff{0.9}, {1, 3, 3}), ElementsAre(1, 2));
}

TEST(EpsilonCutoff, KeepsNoFewerThanMinTokensToKeep) {
  EXPECT_THAT(kept_by(lc::EpsilonCutoff{0.9, 2}, PROBABILITIES), ElementsAre(0, 1));
}

TEST(EpsilonCutoff, IsOffAtZero) {
  rows::Row row({1});
  EXPECT_FALSE(lc::EpsilonCutoff{}.active(row.view()));
  EXPECT_TRUE(lc::EpsilonCutoff{1e-4}.active(row.view()));
}

TEST(EpsilonCutoff, LiesBetweenZeroAndBelowOne) {
  EXPECT_TRUE(rows::allows(lc::EpsilonCutoff{}, "epsilon", 0));
  EXPECT_TRUE(rows::allows(lc::EpsilonCutoff{}, "epsilon", 0.999));
  EXPECT_FALSE(rows::allows(lc::EpsilonCutoff{}, "epsilon", 1));
  EXPECT_FALSE(rows::allows(lc::EpsilonCutoff{}, "epsilon", -1e-9));
  EXPECT_FALSE(rows::allows(lc::EpsilonCutoff{}, "min_tokens_to_keep", 0));
}

}  // namespace
