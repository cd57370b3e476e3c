// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <logitchain/transforms/begin_suppress_tokens.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

TEST(BeginSuppressTokens, ActsAtItsOffsetOnly) {
  const lc::BeginSuppressTokens first{{3}};
  const lc::BeginSuppressTokens third{{3}, 2};
  rows::Row none({1, 1});
  rows::Row two({1, 1}, {4, 4});
  rows::Row three({1, 1}, {4, 4, 4});
  EXPECT_TRUE(first.active(none.view()));
  EXPECT_FALSE(first.active(two.view()));
  EXPECT_FALSE(third.active(none.view()));
  EXPECT_TRUE(third.active(two.view()));
  EXPECT_FALSE(third.active(three.view()));
}

TEST(BeginSuppressTokens, BansItsTokens) {
  rows::Row row({1});
  const lc::BeginSuppressTokens stage{{2, 0}};
  EXPECT_THAT(bodies::kept(bodies::apply_listed(stage.bind(row.view()), {1, 2, 3, 4})),
              ElementsAre(1, 3));
}

TEST(BeginSuppressTokens, GivesFilterWhateverTheScoreWas) {
  rows::Row row({1});
  const lc::BeginSuppressTokens stage{{3}};
  const auto bound = stage.bind(row.view());
  for (const float score : {1.0f, bodies::NOT_A_NUMBER, bodies::INF, lc::FILTER}) {
    EXPECT_EQ(bound(0, score), lc::FILTER);
  }
}

TEST(BeginSuppressTokens, IsOffAtMinusOne) {
  const lc::BeginSuppressTokens stage{{3}, -1};
  rows::Row none({1});
  rows::Row one({1}, {2});
  EXPECT_FALSE(stage.active(none.view()));
  EXPECT_FALSE(stage.active(one.view()));
  EXPECT_TRUE(rows::allows(stage, "offset", -1));
  EXPECT_FALSE(rows::allows(stage, "offset", -2));
}

TEST(BeginSuppressTokens, TakesTheNumberOfItsRow) {
  const std::vector<std::int32_t> offsets{-1, 0};
  const lc::BeginSuppressTokens stage{{3}, lc::per_row(offsets)};
  rows::Row row({1});
  EXPECT_FALSE(stage.active(row.view()));
  row.fields.row = 1;
  EXPECT_TRUE(stage.active(row.view()));
}

}  // namespace
