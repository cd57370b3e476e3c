// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <logitchain/transforms/min_p.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

bodies::Ids kept_by(const lc::MinP& stage, const bodies::Scores& scores) {
  rows::Row row({1});
  const lc::RowNumbers numbers = bodies::numbers_of(scores, stage.rank(row.view()));
  return bodies::kept(bodies::apply_dense(stage.bind(row.view(), numbers), scores));
}

TEST(MinP, RemovesWhatIsBelowItsShareOfTheBest) {
  const bodies::Scores scores{std::log(0.5f), std::log(0.3f), std::log(0.15f), std::log(0.05f)};
  EXPECT_THAT(kept_by(lc::MinP{0.2}, scores), ElementsAre(0, 1, 2));
  EXPECT_THAT(kept_by(lc::MinP{0.5}, scores), ElementsAre(0, 1));
  EXPECT_THAT(kept_by(lc::MinP{0.7}, scores), ElementsAre(0));
}

TEST(MinP, KeepsAScoreExactlyAtTheLimit) {
  const float limit = lc::logarithm(0.25f);
  EXPECT_THAT(kept_by(lc::MinP{0.25}, {0, limit, std::nextafter(limit, -2.0f)}), ElementsAre(0, 1));
}

TEST(MinP, KeepsAllThatTieAsTheBest) {
  EXPECT_THAT(kept_by(lc::MinP{1}, {2, 7, 7, 6.99999f}), ElementsAre(1, 2));
}

TEST(MinP, KeepsNoFewerThanMinTokensToKeep) {
  EXPECT_THAT(kept_by(lc::MinP{1, 3}, {9, 1, 4, 3}), ElementsAre(0, 2, 3));
  EXPECT_THAT(kept_by(lc::MinP{1, 9}, {9, 1}), ElementsAre(0, 1)) << "more than the row has";
  EXPECT_THAT(kept_by(lc::MinP{1, 2}, {9, 1, 1}), ElementsAre(0, 1, 2)) << "ties with the second";
}

TEST(MinP, LeavesScoresAsTheyAre) {
  rows::Row row({1});
  const auto bound = lc::MinP{0.5}.bind(row.view(), bodies::numbers_of({1.25f, 1}));
  EXPECT_EQ(bound(1, 1.0f), 1.0f);
}

TEST(MinP, IsOffAtZero) {
  rows::Row row({1});
  EXPECT_FALSE(lc::MinP{}.active(row.view()));
  EXPECT_TRUE(lc::MinP{0.05}.active(row.view()));
  EXPECT_THAT(kept_by(lc::MinP{1e-60}, {0, -3e38f}), ElementsAre(0, 1)) << "0 as a float";
}

TEST(MinP, LiesBetweenZeroAndOne) {
  EXPECT_TRUE(rows::allows(lc::MinP{}, "p", 0));
  EXPECT_TRUE(rows::allows(lc::MinP{}, "p", 1));
  EXPECT_FALSE(rows::allows(lc::MinP{}, "p", 1.1));
  EXPECT_FALSE(rows::allows(lc::MinP{}, "p", -0.1));
  EXPECT_FALSE(rows::allows(lc::MinP{}, "min_tokens_to_keep", 0));
}

}  // namespace
