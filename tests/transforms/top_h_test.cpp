// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <logitchain/transforms/top_h.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

bodies::Ids kept_by(const lc::TopH& stage, const bodies::Scores& scores) {
  rows::Row row({1});
  return bodies::select(stage.bind(row.view(), bodies::numbers_of(scores)), scores);
}

TEST(TopH, KeepsWhileTheEntropySoFarIsWithinItsFraction) {
  // Terms -p log p: 0.3466, 0.3612, 0.2846, 0.1498; H = 1.1421.
  const bodies::Scores scores{std::log(0.5f), std::log(0.3f), std::log(0.15f), std::log(0.05f)};
  EXPECT_THAT(kept_by(lc::TopH{0.61}, scores), ElementsAre(0)) << "0.7078 > 0.6967";
  EXPECT_THAT(kept_by(lc::TopH{0.63}, scores), ElementsAre(0, 1)) << "0.7078 <= 0.7195";
  EXPECT_THAT(kept_by(lc::TopH{0.86}, scores), ElementsAre(0, 1)) << "0.9923 > 0.9822";
  EXPECT_THAT(kept_by(lc::TopH{0.88}, scores), ElementsAre(0, 1, 2)) << "0.9923 <= 1.0051";
  EXPECT_THAT(kept_by(lc::TopH{1}, scores), ElementsAre(0, 1, 2, 3));
}

TEST(TopH, KeepsATokenExactlyAtTheFraction) {
  EXPECT_THAT(kept_by(lc::TopH{0.5}, {0, 0, 0, 0}), ElementsAre(0, 1));
  EXPECT_THAT(kept_by(lc::TopH{0.75}, {0, 0, 0, 0}), ElementsAre(0, 1, 2));
}

TEST(TopH, KeepsTheBestWhateverItsEntropy) {
  EXPECT_THAT(kept_by(lc::TopH{0.01}, {0, 0, 0, 0}), ElementsAre(0));
  EXPECT_THAT(kept_by(lc::TopH{0.5}, {3}), ElementsAre(0));
}

TEST(TopH, EndsAtATokenWithoutMass) {
  EXPECT_THAT(kept_by(lc::TopH{1}, {0, -40, -40}), ElementsAre(0));
  EXPECT_THAT(kept_by(lc::TopH{1}, {0, lc::FILTER, -1}), ElementsAre(0, 2));
  for (const float far : {lc::FILTER, -3e38f, -100.0f}) {
    EXPECT_THAT(kept_by(lc::TopH{0.5}, {0, 0, 0, 0, far}), ElementsAre(0, 1)) << far;
  }
}

TEST(TopH, LooksAtItsCandidatesOnly) {
  EXPECT_THAT(kept_by(lc::TopH{1, 3}, {0, 1, 0, 0, 0}), ElementsAre(0, 1, 2));
  const bodies::Scores flat(300, 0.0f);
  EXPECT_EQ(kept_by(lc::TopH{1}, flat).size(), 100u);
  EXPECT_EQ(kept_by(lc::TopH{0.5}, flat).size(), 50u);
  EXPECT_EQ(kept_by(lc::TopH{1, 1000}, flat).size(), 300u);
}

TEST(TopH, IsOffAtZeroOnly) {
  rows::Row row({1});
  EXPECT_FALSE(lc::TopH{}.active(row.view()));
  EXPECT_TRUE(lc::TopH{1}.active(row.view()));
}

TEST(TopH, LiesBetweenZeroAndOne) {
  EXPECT_TRUE(rows::allows(lc::TopH{}, "fraction", 0));
  EXPECT_TRUE(rows::allows(lc::TopH{}, "fraction", 1));
  EXPECT_FALSE(rows::allows(lc::TopH{}, "fraction", 1.1));
  EXPECT_FALSE(rows::allows(lc::TopH{}, "fraction", -0.1));
  EXPECT_FALSE(rows::allows(lc::TopH{}, "candidates", 0));
}

}  // namespace
