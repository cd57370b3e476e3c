// SPDX-License-Identifier: Apache-2.0
#include <logitchain/tables/table_ref.hpp>

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace logitchain;

/// A view that is told by its number.
struct View {
  int number = 0;
};

TEST(TableRef, IsOneTableForAllRows) {
  const TableRef<View> one = View{7};
  ASSERT_NE(one.of(0), nullptr);
  EXPECT_EQ(one.of(0)->number, 7);
  EXPECT_EQ(one.of(5)->number, 7);
  EXPECT_TRUE(one.valid(5));
  EXPECT_EQ(TableRef<View>().of(0), nullptr);
}

TEST(TableRef, IsTheTableOfARowByItsIndexAndMinusOneIsOff) {
  const std::vector<View> views = {{4}, {5}};
  const std::vector<std::int32_t> indices = {1, 0, -1, 2, -2};
  const TableRef<View> ref(views, per_row(indices));
  EXPECT_EQ(ref.of(0)->number, 5);
  EXPECT_EQ(ref.of(1)->number, 4);
  EXPECT_EQ(ref.of(2), nullptr);
  for (std::int64_t row = 0; row < 5; ++row) EXPECT_EQ(ref.valid(row), row < 3) << row;
}

}  // namespace
