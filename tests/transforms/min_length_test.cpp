// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <logitchain/transforms/min_length.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

TEST(MinLength, BansWhilePromptAndGeneratedAreShorter) {
  const lc::MinLength stage{4, {2}};
  rows::Row shorter({1, 5}, {6});
  rows::Row enough({1, 5}, {6, 7});
  EXPECT_TRUE(stage.active(shorter.view()));
  EXPECT_THAT(bodies::listed(stage.bind(shorter.view())), ElementsAre(2));
  EXPECT_FALSE(stage.active(enough.view()));
}

TEST(MinLength, GivesFilterWhateverTheScoreWas) {
  rows::Row row({1});
  const lc::MinLength stage{4, {2, 3}};
  const auto bound = stage.bind(row.view());
  for (const float score : {1.0f, bodies::NOT_A_NUMBER, bodies::INF, lc::FILTER}) {
    EXPECT_EQ(bound(0, score), lc::FILTER);
  }
}

TEST(MinLength, BansEveryIdOfItsList) {
  rows::Row row({1});
  const lc::MinLength stage{4, {2, 0}};
  EXPECT_THAT(bodies::kept(bodies::apply_listed(stage.bind(row.view()), {1, 1, 1})),
              ElementsAre(1));
}

TEST(MinLength, IsOffAtZero) {
  rows::Row row({1});
  const lc::MinLength stage{0, 2};
  EXPECT_FALSE(stage.active(row.view()));
  EXPECT_TRUE(rows::allows(stage, "length", 0));
  EXPECT_FALSE(rows::allows(stage, "length", -1));
}

}  // namespace
