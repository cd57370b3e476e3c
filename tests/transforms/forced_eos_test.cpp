// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <logitchain/transforms/forced_eos.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;

namespace {

TEST(ForcedEOS, ActsOneBeforeTheGivenEnd) {
  const lc::ForcedEOS stage{{2}, 4};
  rows::Row two({1, 5});
  rows::Row three({1, 5}, {6});
  rows::Row four({1, 5}, {6, 7});
  EXPECT_FALSE(stage.active(two.view()));
  EXPECT_TRUE(stage.active(three.view()));
  EXPECT_FALSE(stage.active(four.view()));
}

TEST(ForcedEOS, TakesTheRowsOwnPromptAndBudgetWithoutAnEnd) {
  const lc::ForcedEOS stage{{2}};
  rows::Row row({1, 5}, {6});
  row.fields.budget = 2;
  EXPECT_TRUE(stage.active(row.view()));
  row.fields.budget = 3;
  EXPECT_FALSE(stage.active(row.view()));
}

TEST(ForcedEOS, AllowsEveryIdOfItsList) {
  const lc::ForcedEOS stage{{2, 9}, 4};
  rows::Row row({1, 5}, {6});
  EXPECT_THAT(bodies::listed(stage.bind(row.view())), ElementsAre(2, 9));
}

TEST(ForcedEOS, IsOffWithoutIds) {
  const lc::ForcedEOS stage{{}, 4};
  rows::Row row({1, 5}, {6});
  EXPECT_FALSE(stage.active(row.view()));
}

TEST(ForcedEOS, HasALengthThatIsACount) {
  EXPECT_TRUE(rows::allows(lc::ForcedEOS{}, "max_length", 0));
  EXPECT_FALSE(rows::allows(lc::ForcedEOS{}, "max_length", -1));
}

}  // namespace
