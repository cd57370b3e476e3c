// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <logitchain/transforms/min_new_tokens.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

TEST(MinNewTokens, BansUntilEnoughWasGenerated) {  // B14: EOS allowed from the fifth position on
  const lc::MinNewTokens stage{4, {2}};
  rows::Row none({1, 1, 1, 1, 1});
  rows::Row three({1}, {8, 8, 9});
  rows::Row four({1}, {8, 8, 9, 6});
  EXPECT_TRUE(stage.active(none.view()));
  EXPECT_TRUE(stage.active(three.view()));
  EXPECT_THAT(bodies::listed(stage.bind(three.view())), ElementsAre(2));
  EXPECT_FALSE(stage.active(four.view()));
}

TEST(MinNewTokens, GivesFilterWhateverTheScoreWas) {
  rows::Row row({1});
  const lc::MinNewTokens stage{4, {2, 3}};
  const auto bound = stage.bind(row.view());
  for (const float score : {1.0f, bodies::NOT_A_NUMBER, bodies::INF, lc::FILTER}) {
    EXPECT_EQ(bound(0, score), lc::FILTER);
  }
}

TEST(MinNewTokens, IsOffAtZero) {
  rows::Row row({1});
  const lc::MinNewTokens stage{0, 2};
  EXPECT_FALSE(stage.active(row.view()));
  EXPECT_TRUE(rows::allows(stage, "count", 0));
  EXPECT_FALSE(rows::allows(stage, "count", -1));
}

}  // namespace
