// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <logitchain/transforms/top_k.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

bodies::Ids kept_by(const lc::TopK& stage, const bodies::Scores& scores) {
  rows::Row row({1});
  return bodies::select(stage.bind(row.view(), bodies::numbers_of(scores)), scores);
}

TEST(TopK, KeepsTheHighestScores) {
  EXPECT_THAT(kept_by(lc::TopK{2}, {1, 5, -3, 4, 2}), ElementsAre(1, 3));
}

TEST(TopK, KeepsAllThatTieAtTheEdge) {  // B05
  EXPECT_THAT(kept_by(lc::TopK{2}, {5, 3, 3, 3, 1}), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(kept_by(lc::TopK{1}, {2, 2, 1}), ElementsAre(0, 1));
}

TEST(TopK, KeepsExactlyKWithTheLowestIdsWhereAsked) {  // B05
  EXPECT_THAT(kept_by(lc::TopK{2, 1, lc::Ties::lowest_id}, {5, 3, 3, 3, 1}), ElementsAre(0, 1));
  EXPECT_THAT(kept_by(lc::TopK{1, 1, lc::Ties::lowest_id}, {2, 2, 1}), ElementsAre(0));
}

TEST(TopK, KeepsNoFewerThanMinTokensToKeep) {
  EXPECT_THAT(kept_by(lc::TopK{1, 3}, {1, 5, -3, 4, 2}), ElementsAre(1, 3, 4));
  EXPECT_THAT(kept_by(lc::TopK{2, 1}, {1, 5, -3, 4, 2}), ElementsAre(1, 3));
}

TEST(TopK, KeepsARowThatIsShorterThanK) {
  EXPECT_THAT(kept_by(lc::TopK{2147483647}, {1, 2, 3}), ElementsAre(0, 1, 2));
}

TEST(TopK, IsOffAtZero) {
  rows::Row row({1});
  EXPECT_FALSE(lc::TopK{}.active(row.view()));
  EXPECT_FALSE((lc::TopK{0, 5}.active(row.view())));
  EXPECT_TRUE(lc::TopK{1}.active(row.view()));
}

TEST(TopK, TakesTheNumberOfItsRow) {
  const std::vector<std::int32_t> ks{0, 1, 2};
  const lc::TopK stage{lc::per_row(ks)};
  rows::Row row({1});
  EXPECT_FALSE(stage.active(row.view()));
  row.fields.row = 2;
  EXPECT_EQ(stage.bind(row.view(), {}).spend().count, 2u);
}

TEST(TopK, IsACountThatFits) {
  EXPECT_TRUE(rows::allows(lc::TopK{}, "k", 0));
  EXPECT_TRUE(rows::allows(lc::TopK{}, "k", 2147483647.0));
  EXPECT_FALSE(rows::allows(lc::TopK{}, "k", -1));
  EXPECT_FALSE(rows::allows(lc::TopK{}, "k", 2147483648.0));
  EXPECT_TRUE(rows::allows(lc::TopK{}, "min_tokens_to_keep", 1));
  EXPECT_FALSE(rows::allows(lc::TopK{}, "min_tokens_to_keep", 0));
}

}  // namespace
