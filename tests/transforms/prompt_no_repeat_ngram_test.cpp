// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include <logitchain/transforms/prompt_no_repeat_ngram.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

bodies::Ids banned_by(std::int64_t size, rows::Row& row) {
  const lc::PromptNoRepeatNGram stage{size};
  if (!stage.active(row.view())) return {};
  return bodies::listed(stage.bind(row.view()));
}

TEST(PromptNoRepeatNGram, BansWhatThePromptHolds) {
  rows::Row row({1, 2, 3, 4}, {9, 1, 2});
  EXPECT_THAT(banned_by(1, row), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(banned_by(2, row), ElementsAre(3));
  EXPECT_THAT(banned_by(3, row), ElementsAre(3));
  EXPECT_THAT(banned_by(4, row), IsEmpty());
}

TEST(PromptNoRepeatNGram, DoesNotLookAtGeneratedNGrams) {
  rows::Row row({1, 2, 3}, {5, 6, 5});
  EXPECT_THAT(banned_by(2, row), IsEmpty());
  rows::Row across({1, 2}, {3, 2});
  EXPECT_THAT(banned_by(2, across), IsEmpty()) << "2, 3 crosses the prompt's end";
}

TEST(PromptNoRepeatNGram, ReadsItsLastTokensFromThePromptAtTheStart) {
  rows::Row row({1, 2, 3, 1});
  EXPECT_THAT(banned_by(2, row), ElementsAre(2));
}

TEST(PromptNoRepeatNGram, IsOffAtZeroAndForAPromptThatIsTooShort) {
  rows::Row row({1, 2}, {3, 4, 5});
  EXPECT_FALSE(lc::PromptNoRepeatNGram{}.active(row.view()));
  EXPECT_TRUE(lc::PromptNoRepeatNGram{2}.active(row.view()));
  EXPECT_FALSE(lc::PromptNoRepeatNGram{3}.active(row.view()));
}

TEST(PromptNoRepeatNGram, IsACount) {
  EXPECT_TRUE(rows::allows(lc::PromptNoRepeatNGram{}, "size", 0));
  EXPECT_FALSE(rows::allows(lc::PromptNoRepeatNGram{}, "size", -1));
}

}  // namespace
