// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include <logitchain/transforms/no_repeat_ngram.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

bodies::Ids banned_by(std::int64_t size, rows::Row& row) {
  const lc::NoRepeatNGram stage{size};
  if (!stage.active(row.view())) return {};
  return bodies::listed(stage.bind(row.view()));
}

TEST(NoRepeatNGram, BansWhatFollowedTheSameTokensBefore) {  // S03
  rows::Row row({1, 2, 3, 1});
  EXPECT_THAT(banned_by(1, row), ElementsAre(1, 2, 3, 1));
  EXPECT_THAT(banned_by(2, row), ElementsAre(2));
  EXPECT_THAT(banned_by(3, row), IsEmpty()) << "3, 1 occurs once";
  EXPECT_THAT(banned_by(4, row), IsEmpty());
}

TEST(NoRepeatNGram, IsOffAtZeroAndForARowThatIsTooShort) {  // S03
  rows::Row row({1, 2, 3, 1});
  EXPECT_FALSE(lc::NoRepeatNGram{}.active(row.view()));
  EXPECT_FALSE(lc::NoRepeatNGram{5}.active(row.view()));
  EXPECT_TRUE(lc::NoRepeatNGram{4}.active(row.view()));
}

TEST(NoRepeatNGram, ReadsEachRowsOwnHistory) {  // S03
  rows::Row one({1, 2, 1});
  rows::Row other({1, 3, 1});
  EXPECT_THAT(banned_by(2, one), ElementsAre(2));
  EXPECT_THAT(banned_by(2, other), ElementsAre(3));
}

TEST(NoRepeatNGram, JoinsPromptAndGenerated) {
  rows::Row row({7, 8}, {9, 7, 8});
  EXPECT_THAT(banned_by(3, row), ElementsAre(9));
}

TEST(NoRepeatNGram, BansEveryContinuation) {
  rows::Row row({5, 1, 5, 2, 5, 5});
  EXPECT_THAT(banned_by(2, row), ElementsAre(1, 2, 5));
}

TEST(NoRepeatNGram, IgnoresPlaceholdersBeyondTheVocabulary) {
  rows::Row within({1000, 4, 1000});
  rows::Row last({4, 1000, 4});
  EXPECT_THAT(banned_by(2, within), IsEmpty());
  EXPECT_THAT(banned_by(2, last), IsEmpty());
  EXPECT_THAT(banned_by(1, last), ElementsAre(4, 4));
}

/// What a search of every window finds.
bodies::Ids banned_by_definition(std::int64_t size, const rows::Tokens& history) {
  bodies::Ids banned;
  const std::int64_t total = static_cast<std::int64_t>(history.size());
  const auto at = [&](std::int64_t i) { return history.begin() + i; };
  for (std::int64_t i = 0; i + size <= total; ++i) {
    if (!std::equal(at(i), at(i + size - 1), at(total - size + 1))) continue;
    banned.push_back(history[static_cast<std::size_t>(i + size - 1)]);
  }
  return banned;
}

TEST(NoRepeatNGram, FindsLongBeginningsWhateverRepeatsInThem) {
  std::mt19937 random(3);
  std::size_t found = 0;
  for (int round = 0; round < 3000; ++round) {
    // A few tokens, or one period with a few faults, so that beginnings nearly agree.
    const std::size_t period = 1 + random() % 24;
    const std::size_t tokens = 1 + random() % 3;
    rows::Tokens unit(period);
    for (std::int32_t& token : unit) token = static_cast<std::int32_t>(random() % tokens);
    rows::Tokens history(20 + random() % 180);
    for (std::size_t i = 0; i < history.size(); ++i) history[i] = unit[i % period];
    for (std::size_t fault = random() % 4; fault > 0; --fault) {
      history[random() % history.size()] = static_cast<std::int32_t>(random() % 4);
    }
    for (const std::int64_t size : {2, 16, 17, 18, 19, 25, 40, 90}) {
      const bodies::Ids expected = banned_by_definition(size, history);
      rows::Row row(history);
      ASSERT_EQ(banned_by(size, row), expected) << "round " << round << ", size " << size;
      if (size > 16) found += expected.size();
    }
  }
  EXPECT_GT(found, 10'000u);
}

TEST(NoRepeatNGram, GivesFilterWhateverTheScoreWas) {
  rows::Row row({1, 2, 1});
  const auto bound = lc::NoRepeatNGram{2}.bind(row.view());
  EXPECT_EQ(bound(0, 3.0f), lc::FILTER);
  EXPECT_EQ(bound(0, bodies::NOT_A_NUMBER), lc::FILTER);
  EXPECT_EQ(bound(0, bodies::INF), lc::FILTER);
}

TEST(NoRepeatNGram, IsACount) {
  EXPECT_TRUE(rows::allows(lc::NoRepeatNGram{}, "size", 0));
  EXPECT_FALSE(rows::allows(lc::NoRepeatNGram{}, "size", -1));
}

}  // namespace
