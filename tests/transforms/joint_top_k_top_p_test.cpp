// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <logitchain/transforms/joint_top_k_top_p.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

bodies::Ids kept_by(const lc::JointTopKTopP& stage, const bodies::Scores& scores) {
  rows::Row row({1});
  return bodies::select(stage.bind(row.view(), bodies::numbers_of(scores)), scores);
}

TEST(JointTopKTopP, MeasuresTheMassOnTheWholeRow) {  // B04: TopK and then TopP would leave {0}
  const bodies::Scores scores{std::log(0.4f), std::log(0.35f), std::log(0.25f)};
  EXPECT_THAT(kept_by(lc::JointTopKTopP{2, 0.5}, scores), ElementsAre(0, 1));
  EXPECT_THAT(kept_by(lc::JointTopKTopP{1, 0.8}, scores), ElementsAre(0));
  EXPECT_THAT(kept_by(lc::JointTopKTopP{3, 0.3}, scores), ElementsAre(0));
}

TEST(JointTopKTopP, KeepsExactlyKWithTheLowestIds) {
  EXPECT_THAT(kept_by(lc::JointTopKTopP{2, 1}, {5, 3, 3, 3, 1}), ElementsAre(0, 1));
}

TEST(JointTopKTopP, KeepsTheBestWhateverTheMass) {
  EXPECT_THAT(kept_by(lc::JointTopKTopP{4, 0}, {1, 3, 3}), ElementsAre(1));
}

TEST(JointTopKTopP, HasTwoOffValues) {
  rows::Row row({1});
  EXPECT_FALSE(lc::JointTopKTopP{}.active(row.view()));
  EXPECT_TRUE((lc::JointTopKTopP{3, 1}.active(row.view())));
  EXPECT_TRUE((lc::JointTopKTopP{0, 0.5}.active(row.view())));
  EXPECT_THAT(kept_by(lc::JointTopKTopP{3, 1}, {0, 0, 0, 0}), ElementsAre(0, 1, 2));
  EXPECT_THAT(kept_by(lc::JointTopKTopP{0, 0.5}, {0, 0, 0, 0}), ElementsAre(0, 1));
}

TEST(JointTopKTopP, HasTheRangesOfBoth) {
  EXPECT_FALSE(rows::allows(lc::JointTopKTopP{}, "k", -1));
  EXPECT_FALSE(rows::allows(lc::JointTopKTopP{}, "p", 1.5));
  EXPECT_TRUE(rows::allows(lc::JointTopKTopP{}, "k", 0));
  EXPECT_TRUE(rows::allows(lc::JointTopKTopP{}, "p", 1));
}

}  // namespace
