// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <logitchain/transforms/typical.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

bodies::Ids kept_by(const lc::Typical& stage, const bodies::Scores& scores) {
  rows::Row row({1});
  return bodies::select(stage.bind(row.view(), bodies::numbers_of(scores)), scores);
}

// -log p: 0.6931, 1.2040, 1.8971, 2.9957; H = 1.1421. Nearest first: 1, 0, 2, 3.
const bodies::Scores PROBABILITIES{std::log(0.5f), std::log(0.3f), std::log(0.15f),
                                   std::log(0.05f)};

TEST(Typical, KeepsTheNearestToTheEntropyAndMayRemoveTheBest) {
  EXPECT_THAT(kept_by(lc::Typical{0.29}, PROBABILITIES), ElementsAre(1));
  EXPECT_THAT(kept_by(lc::Typical{0.31}, PROBABILITIES), ElementsAre(0, 1));
  EXPECT_THAT(kept_by(lc::Typical{0.81}, PROBABILITIES), ElementsAre(0, 1, 2));
  EXPECT_THAT(kept_by(lc::Typical{0.99}, PROBABILITIES), ElementsAre(0, 1, 2, 3));
}

TEST(Typical, OrdersByTheDistanceFromTheEntropy) {
  rows::Row row({1});
  const auto bound = lc::Typical{0.5}.bind(row.view(), bodies::numbers_of(PROBABILITIES));
  EXPECT_NEAR(bound.key(PROBABILITIES[0]), -0.4490, 2e-4);
  EXPECT_NEAR(bound.key(PROBABILITIES[1]), -0.0619, 2e-4);
  EXPECT_NEAR(bound.key(PROBABILITIES[3]), -1.8536, 2e-4);
  EXPECT_EQ(bound.key(lc::FILTER), lc::FILTER);
  EXPECT_FALSE(lc::Typical::by_score);
}

TEST(Typical, SubtractsTheMaximumBeforeTheMass) {
  rows::Row row({1});
  lc::RowNumbers numbers;
  numbers.maximum = 0x1p24f;
  numbers.log_total = 1;
  numbers.entropy = 3;
  const auto bound = lc::Typical{0.5}.bind(row.view(), numbers);
  EXPECT_EQ(bound.key(0x1p24f), -2.0f) << "2^24 + 1 is no float";
}

TEST(Typical, KeepsAllThatTieInDistanceWithTheLast) {
  EXPECT_THAT(kept_by(lc::Typical{0.1}, {0, 0, 0, 0}), ElementsAre(0, 1, 2, 3));
}

TEST(Typical, KeepsNoFewerThanMinTokensToKeep) {
  EXPECT_THAT(kept_by(lc::Typical{0.01, 3}, PROBABILITIES), ElementsAre(0, 1, 2));
}

TEST(Typical, IsOffAtOne) {
  rows::Row row({1});
  EXPECT_FALSE(lc::Typical{}.active(row.view()));
  EXPECT_FALSE(lc::Typical{1}.active(row.view()));
  EXPECT_TRUE(lc::Typical{0.95}.active(row.view()));
}

TEST(Typical, LiesAboveZeroAndUpToOne) {
  EXPECT_TRUE(rows::allows(lc::Typical{}, "mass", 1));
  EXPECT_TRUE(rows::allows(lc::Typical{}, "mass", 1e-6));
  EXPECT_FALSE(rows::allows(lc::Typical{}, "mass", 0));
  EXPECT_FALSE(rows::allows(lc::Typical{}, "mass", 1.01));
  EXPECT_FALSE(rows::allows(lc::Typical{}, "min_tokens_to_keep", 0));
}

}  // namespace
