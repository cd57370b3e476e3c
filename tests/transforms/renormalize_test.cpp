// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <logitchain/transforms/renormalize.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;

namespace {

TEST(Renormalize, GivesLogProbabilities) {
  rows::Row row({1});
  const bodies::Scores scores{2, 1, 0.5f, lc::FILTER};
  const auto bound = lc::Renormalize{}.bind(row.view(), bodies::numbers_of(scores));
  const double log_sum = std::log(std::exp(2.0) + std::exp(1.0) + std::exp(0.5));
  EXPECT_NEAR(bound(0, 2), 2 - log_sum, 2e-7);
  EXPECT_NEAR(bound(1, 1), 1 - log_sum, 4e-7);
  EXPECT_NEAR(bound(2, 0.5f), 0.5 - log_sum, 4e-7);
  EXPECT_EQ(bound(3, lc::FILTER), lc::FILTER);
}

TEST(Renormalize, SubtractsTheMaximumFirst) {
  rows::Row row({1});
  lc::RowNumbers numbers;
  numbers.maximum = 1e8f;
  numbers.log_total = 0.25f;
  EXPECT_EQ(lc::Renormalize{}.bind(row.view(), numbers)(0, 1e8f), -0.25f);
}

TEST(Renormalize, GivesOneSignOfZero) {
  rows::Row row({1});
  lc::RowNumbers numbers;
  numbers.maximum = 0.0f;
  numbers.log_total = 0.0f;
  const auto bound = lc::Renormalize{}.bind(row.view(), numbers);
  EXPECT_EQ(lc::bits_of(bound(0, 0.0f)), 0u);
  EXPECT_EQ(lc::bits_of(bound(0, -0.0f)), 0u);
}

}  // namespace
