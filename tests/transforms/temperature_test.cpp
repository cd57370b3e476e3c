// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include <logitchain/transforms/temperature.hpp>

#include "support/rows.hpp"

namespace lc = logitchain;

namespace {

TEST(Temperature, DividesInFloat32) {
  rows::Row row({1});
  const auto bound = lc::Temperature{0.7}.bind(row.view());
  EXPECT_EQ(bound(0, 5.0f), 5.0f / 0.7f);
  EXPECT_EQ(bound(5, -1.1f), -1.1f / 0.7f);
  EXPECT_NE(bound(0, 5.0f), 5.0f * (1.0f / 0.7f)) << "a product with the inverse differs";
}

TEST(Temperature, IsOffAtOne) {
  rows::Row row({1});
  EXPECT_FALSE(lc::Temperature{}.active(row.view()));
  EXPECT_FALSE(lc::Temperature{1}.active(row.view()));
  EXPECT_TRUE(lc::Temperature{0.99}.active(row.view()));
  EXPECT_TRUE(lc::Temperature{0}.active(row.view()));
}

TEST(Temperature, CollapsesWhereItIsZeroAsAFloat) {
  rows::Row row({1});
  for (const double zero : {0.0, -0.0, 1e-60}) {
    const auto bound = lc::Temperature{zero}.bind(row.view());
    EXPECT_TRUE(bound.needs_maximum()) << zero;
    EXPECT_TRUE(bound.collapses(5.0f)) << zero;
    EXPECT_TRUE(bound.collapses(0.0f)) << zero;
  }
}

TEST(Temperature, CollapsesWhereTheBestScoreOverflowsInEitherDirection) {
  rows::Row row({1});
  const auto bound = lc::Temperature{1e-38}.bind(row.view());
  EXPECT_TRUE(bound.needs_maximum());
  EXPECT_TRUE(bound.collapses(5.0f));
  EXPECT_TRUE(bound.collapses(-5.0f));
  EXPECT_FALSE(bound.collapses(1.0f)) << "1e38 is finite";
  EXPECT_FALSE(bound.collapses(0.0f));
}

TEST(Temperature, LetsAnotherScoreOverflowToFilter) {
  rows::Row row({1});
  const auto bound = lc::Temperature{0.5}.bind(row.view());
  EXPECT_FALSE(bound.collapses(3.0f));
  EXPECT_EQ(bound(0, -3e38f), lc::FILTER);
}

TEST(Temperature, AsksForTheMaximumBelowOneOnly) {
  rows::Row row({1});
  EXPECT_TRUE(lc::Temperature{0.999}.bind(row.view()).needs_maximum());
  EXPECT_FALSE(lc::Temperature{1}.bind(row.view()).needs_maximum());
  EXPECT_FALSE(lc::Temperature{1e300}.bind(row.view()).needs_maximum());
}

TEST(Temperature, TakesTheNumberOfItsRow) {
  const std::vector<float> values{1.0f, 2.0f, 0.0f};
  const lc::Temperature stage{lc::per_row(values)};
  rows::Row row({1});
  EXPECT_FALSE(stage.active(row.view()));
  row.fields.row = 1;
  EXPECT_EQ(stage.bind(row.view())(0, 3.0f), 1.5f);
  row.fields.row = 2;
  EXPECT_TRUE(stage.bind(row.view()).collapses(1.0f));
}

TEST(Temperature, IsFiniteAndNotNegative) {
  EXPECT_TRUE(rows::allows(lc::Temperature{}, "value", 0));
  EXPECT_TRUE(rows::allows(lc::Temperature{}, "value", 1e30));
  EXPECT_FALSE(rows::allows(lc::Temperature{}, "value", -1e-9));
  EXPECT_FALSE(rows::allows(lc::Temperature{}, "value", std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(rows::allows(lc::Temperature{}, "value", std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace
