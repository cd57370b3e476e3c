// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <logitchain/transforms/eta_cutoff.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

bodies::Ids kept_by(const lc::EtaCutoff& stage, const bodies::Scores& scores) {
  rows::Row row({1});
  const lc::RowNumbers numbers = bodies::numbers_of(scores, stage.rank(row.view()));
  return bodies::kept(bodies::apply_dense(stage.bind(row.view(), numbers), scores));
}

TEST(EtaCutoff, IsEpsilonWhereTheEntropyIsLow) {  // H = 0.2246, sqrt(0.04) exp(-H) = 0.1598 > 0.04
  const bodies::Scores scores{std::log(0.95f), std::log(0.041f), std::log(0.009f)};
  EXPECT_THAT(kept_by(lc::EtaCutoff{0.04}, scores), ElementsAre(0, 1));
}

TEST(EtaCutoff, FallsAsTheEntropyRises) {  // H = 1.1421: eta = sqrt(0.2) exp(-H) = 0.1427 < 0.2
  const bodies::Scores scores{std::log(0.5f), std::log(0.3f), std::log(0.15f), std::log(0.05f)};
  EXPECT_THAT(kept_by(lc::EtaCutoff{0.2}, scores), ElementsAre(0, 1, 2));
  EXPECT_THAT(kept_by(lc::EtaCutoff{0.25}, scores), ElementsAre(0, 1)) << "eta = 0.1596";
}

TEST(EtaCutoff, IgnoresWhatWasRemovedBefore) {
  const bodies::Scores scores{std::log(0.5f), lc::FILTER, std::log(0.3f), std::log(0.15f),
                              std::log(0.05f)};
  EXPECT_THAT(kept_by(lc::EtaCutoff{0.2}, scores), ElementsAre(0, 2, 3));
}

TEST(EtaCutoff, KeepsTheBestAndNoFewerThanMinTokensToKeep) {
  const bodies::Scores flat{0.1f, 0, 0.2f};
  EXPECT_THAT(kept_by(lc::EtaCutoff{0.999}, {9, 0, 1}), ElementsAre(0));
  EXPECT_THAT(kept_by(lc::EtaCutoff{0.999, 2}, {9, 0, 1}), ElementsAre(0, 2));
  EXPECT_THAT(kept_by(lc::EtaCutoff{0.999}, flat), ElementsAre(2)) << "0.3672 > 0.3343 > 0.3322";
}

TEST(EtaCutoff, IsOffAtZero) {
  rows::Row row({1});
  EXPECT_FALSE(lc::EtaCutoff{}.active(row.view()));
  EXPECT_TRUE(lc::EtaCutoff{3e-4}.active(row.view()));
}

TEST(EtaCutoff, LiesBetweenZeroAndBelowOne) {
  EXPECT_TRUE(rows::allows(lc::EtaCutoff{}, "epsilon", 0));
  EXPECT_FALSE(rows::allows(lc::EtaCutoff{}, "epsilon", 1));
  EXPECT_FALSE(rows::allows(lc::EtaCutoff{}, "epsilon", -0.1));
  EXPECT_FALSE(rows::allows(lc::EtaCutoff{}, "min_tokens_to_keep", 0));
}

}  // namespace
