// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <logitchain/transforms/forced_bos.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

TEST(ForcedBOS, ActsWhereTheRowIsOneTokenLong) {
  const lc::ForcedBOS stage{7};
  rows::Row empty({});
  rows::Row one({4});
  rows::Row generated({}, {4});
  rows::Row two({4}, {5});
  EXPECT_FALSE(stage.active(empty.view()));
  EXPECT_TRUE(stage.active(one.view()));
  EXPECT_TRUE(stage.active(generated.view()));
  EXPECT_FALSE(stage.active(two.view()));
}

TEST(ForcedBOS, AllowsItsTokenAlone) {
  const lc::ForcedBOS stage{7};
  rows::Row row({4});
  EXPECT_THAT(bodies::listed(stage.bind(row.view())), ElementsAre(7));
}

TEST(ForcedBOS, IsOffAtMinusOne) {
  rows::Row row({4});
  EXPECT_FALSE(lc::ForcedBOS{}.active(row.view()));
  EXPECT_FALSE(lc::ForcedBOS{-1}.active(row.view()));
  EXPECT_TRUE(lc::ForcedBOS{0}.active(row.view()));
  EXPECT_TRUE(rows::allows(lc::ForcedBOS{}, "token", -1));
  EXPECT_FALSE(rows::allows(lc::ForcedBOS{}, "token", -2));
}

TEST(ForcedBOS, TakesTheTokenOfItsRow) {
  const std::vector<std::int32_t> tokens{-1, 9};
  const lc::ForcedBOS stage{lc::per_row(tokens)};
  rows::Row row({4});
  EXPECT_FALSE(stage.active(row.view()));
  row.fields.row = 1;
  EXPECT_THAT(bodies::listed(stage.bind(row.view())), ElementsAre(9));
}

}  // namespace
