// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <logitchain/transforms/suppress_tokens.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

TEST(SuppressTokens, BansItsTokens) {
  rows::Row row({1});
  const lc::SuppressTokens stage{{3, 0, 3}};
  EXPECT_THAT(bodies::apply_listed(stage.bind(row.view()), {1, 2, 3, 4}),
              ElementsAre(lc::FILTER, 2, 3, lc::FILTER));
}

TEST(SuppressTokens, GivesFilterWhateverTheScoreWas) {
  rows::Row row({1});
  const lc::SuppressTokens stage{{3}};
  const auto bound = stage.bind(row.view());
  for (const float score : {1.0f, bodies::NOT_A_NUMBER, bodies::INF, lc::FILTER}) {
    EXPECT_EQ(bound(0, score), lc::FILTER);
  }
}

TEST(SuppressTokens, HoldsALongListAsAView) {
  const std::vector<std::int64_t> many{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  rows::Row row({1});
  const lc::SuppressTokens stage{many};
  EXPECT_THAT(bodies::listed(stage.bind(row.view())), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST(SuppressTokens, BansNothingWithoutTokens) {
  rows::Row row({1});
  const lc::SuppressTokens stage;
  EXPECT_THAT(bodies::listed(stage.bind(row.view())), IsEmpty());
}

}  // namespace
