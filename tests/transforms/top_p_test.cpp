// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <logitchain/transforms/top_p.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

bodies::Ids kept_by(const lc::TopP& stage, const bodies::Scores& scores) {
  rows::Row row({1});
  return bodies::select(stage.bind(row.view(), bodies::numbers_of(scores)), scores);
}

TEST(TopP, KeepsNothingBeyondTheMass) {  // B03: probabilities .25, .5, .125, .125
  const float half = std::log(2.0f);
  const bodies::Scores scores{half, 2 * half, 0, 0};
  EXPECT_THAT(kept_by(lc::TopP{0.76}, scores), ElementsAre(0, 1, 2));
  EXPECT_THAT(kept_by(lc::TopP{0.74}, scores), ElementsAre(0, 1));
  EXPECT_THAT(kept_by(lc::TopP{0.6}, scores), ElementsAre(0, 1));
  EXPECT_THAT(kept_by(lc::TopP{0.49}, scores), ElementsAre(1));
}

TEST(TopP, DropsATokenWithExactlyTheMassInFrontOfIt) {
  EXPECT_THAT(kept_by(lc::TopP{0.5}, {0, 0, 0, 0}), ElementsAre(0, 1));
  EXPECT_THAT(kept_by(lc::TopP{0.75}, {0, 0, 0, 0}), ElementsAre(0, 1, 2));
}

TEST(TopP, KeepsAllTokensJustBelowOne) {  // B02
  const bodies::Scores equal(12, 0.5f);
  EXPECT_EQ(kept_by(lc::TopP{1 - 0x1p-24}, equal).size(), 12u);
  EXPECT_THAT(kept_by(lc::TopP{0.9}, {5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), ElementsAre(0));
}

TEST(TopP, KeepsTheBestWhateverTheMass) {
  EXPECT_THAT(kept_by(lc::TopP{0}, {1, 3, 3, 2}), ElementsAre(1));
  EXPECT_THAT(kept_by(lc::TopP{1e-60}, {1, 3, 3, 2}), ElementsAre(1));
}

TEST(TopP, KeepsNoFewerThanMinTokensToKeep) {
  EXPECT_THAT(kept_by(lc::TopP{0, 3}, {1, 3, 3, 2}), ElementsAre(1, 2, 3));
  EXPECT_THAT(kept_by(lc::TopP{0.1, 9}, {1, 3}), ElementsAre(0, 1));
}

TEST(TopP, IsOffAtOne) {
  rows::Row row({1});
  EXPECT_FALSE(lc::TopP{}.active(row.view()));
  EXPECT_FALSE(lc::TopP{1}.active(row.view()));
  EXPECT_FALSE(lc::TopP{1 - 1e-12}.active(row.view())) << "1 as a float";
  EXPECT_TRUE(lc::TopP{1 - 0x1p-24}.active(row.view()));
  EXPECT_TRUE(lc::TopP{0}.active(row.view()));
}

TEST(TopP, DoesTheSameWithANumberOfTheBatchAndOneOfTheRow) {
  const std::vector<float> ps{0.9f};
  rows::Row row({1});
  const lc::RowNumbers numbers = bodies::numbers_of({1, 2, 3, 4, 5});
  const lc::Spend one = lc::TopP{0.9}.bind(row.view(), numbers).spend();
  const lc::Spend other = lc::TopP{lc::per_row(ps)}.bind(row.view(), numbers).spend();
  EXPECT_EQ(one.mass, other.mass);
  EXPECT_GT(one.mass, 0u);
}

TEST(TopP, LiesBetweenZeroAndOne) {
  EXPECT_TRUE(rows::allows(lc::TopP{}, "p", 0));
  EXPECT_TRUE(rows::allows(lc::TopP{}, "p", 1));
  EXPECT_FALSE(rows::allows(lc::TopP{}, "p", 1.0000001));
  EXPECT_FALSE(rows::allows(lc::TopP{}, "p", -0.1));
  EXPECT_FALSE(rows::allows(lc::TopP{}, "p", std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(rows::allows(lc::TopP{}, "min_tokens_to_keep", 0));
}

}  // namespace
