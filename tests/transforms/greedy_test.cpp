// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <logitchain/transforms/greedy.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

TEST(Greedy, PutsZeroOnTheBestAndRemovesTheOthers) {
  rows::Row row({1});
  const bodies::Scores scores{1, 4, -2, 3};
  const auto bound = lc::Greedy{}.bind(row.view(), bodies::numbers_of(scores));
  EXPECT_THAT(bodies::apply_dense(bound, scores),
              ElementsAre(lc::FILTER, 0.0f, lc::FILTER, lc::FILTER));
}

TEST(Greedy, TakesTheLowestIdOfThoseThatTie) {
  rows::Row row({1});
  const bodies::Scores scores{2, 2, 1};
  const auto bound = lc::Greedy{}.bind(row.view(), bodies::numbers_of(scores));
  EXPECT_THAT(bodies::kept(bodies::apply_dense(bound, scores)), ElementsAre(0));
}

TEST(Greedy, TellsThePlannerThatItLeavesOneToken) {
  EXPECT_TRUE(lc::Greedy::collapses);
  EXPECT_EQ(lc::Greedy::numbers, lc::Numbers::maximum);
}

}  // namespace
