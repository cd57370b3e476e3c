// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <logitchain/transforms/remove_invalid_values.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;

namespace {

TEST(RemoveInvalidValues, ReplacesWhatIsNotFinite) {
  rows::Row row({1});
  const auto bound = lc::RemoveInvalidValues{}.bind(row.view());
  EXPECT_EQ(bound(0, bodies::NOT_A_NUMBER), 0.0f);
  EXPECT_EQ(bound(0, -bodies::NOT_A_NUMBER), 0.0f);
  EXPECT_EQ(bound(0, bodies::INF), bodies::LARGEST);
  EXPECT_EQ(bound(0, -bodies::INF), -bodies::LARGEST);
}

TEST(RemoveInvalidValues, LeavesFiniteScores) {
  rows::Row row({1});
  const auto bound = lc::RemoveInvalidValues{}.bind(row.view());
  for (const float score : {0.0f, 1.5f, -7.0f, bodies::LARGEST, -bodies::LARGEST, 1e-45f}) {
    EXPECT_EQ(bound(3, score), score);
  }
}

TEST(RemoveInvalidValues, TellsThePlannerThatItRevives) {
  EXPECT_TRUE(lc::RemoveInvalidValues::revives);
}

}  // namespace
