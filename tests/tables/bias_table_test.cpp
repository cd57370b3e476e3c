// SPDX-License-Identifier: Apache-2.0
// The lists of a bias table against the reference's loop over all entries.
#include <logitchain/tables/bias_table.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/build/bias_table.hpp>

namespace {

using namespace logitchain;

using Ids = std::vector<std::int64_t>;
using Sums = std::map<std::int64_t, float>;

constexpr double INF = std::numeric_limits<double>::infinity();

static_assert(std::is_trivially_copyable_v<BiasTableView>);

AutomatonSlot state_of(const BiasTable& table, const Ids& row) {
  AutomatonSlot slot = table.view().start();
  for (const std::int64_t token : row) slot = table.view().advance(slot, token);
  return slot;
}

// Every listed token with its sum; a token listed twice is a failure.
Sums listed(const BiasTable& table, const Ids& row) {
  const BiasTableView view = table.view();
  const std::int32_t node = state_of(table, row).node;
  const auto total = static_cast<std::int64_t>(row.size());
  Sums sums;
  const int count = view.listed(node);
  EXPECT_GE(count, 0);
  for (int i = count - 1; i >= 0; --i) {
    const ListedBias biased = view.entry(node, i, total);
    if (biased.token == ListedBias::SKIP) continue;
    EXPECT_TRUE(sums.emplace(biased.token, biased.bias).second) << "twice: " << biased.token;
  }
  EXPECT_EQ(view.entry(node, count, total).token, ListedBias::INVALID);
  EXPECT_EQ(view.entry(node, -1, total).token, ListedBias::INVALID);
  for (std::int32_t token = 0; token < view.vocab(); ++token) {
    const ListedBias alone = view.of(node, token, total);
    const auto found = sums.find(token);
    if (found == sums.end()) {
      EXPECT_EQ(alone.token, ListedBias::SKIP);
    } else {
      EXPECT_EQ(alone.token, token);
      EXPECT_EQ(std::bit_cast<std::uint32_t>(alone.bias),
                std::bit_cast<std::uint32_t>(found->second));
    }
  }
  return sums;
}

// SequenceBiasLogitsProcessor.__call__ for one row, with "-inf bans" in place of a NaN.
Sums reference(const std::vector<BiasEntry>& entries, const Ids& row) {
  std::vector<std::pair<Ids, double>> dict;
  for (const BiasEntry& entry : entries) {
    auto known = dict.begin();
    while (known != dict.end() && known->first != entry.tokens) ++known;
    if (known == dict.end()) {
      dict.emplace_back(entry.tokens, entry.bias);
    } else {
      known->second = entry.bias;
    }
  }
  Sums sums;
  const auto add = [&sums](std::int64_t token, double bias) {
    float& sum = sums.emplace(token, 0.0F).first->second;
    const auto narrow = static_cast<float>(bias);
    sum = sum == -INF || narrow == -INF ? static_cast<float>(-INF) : sum + narrow;
  };
  for (const auto& [tokens, bias] : dict) {
    if (tokens.size() == 1) add(tokens[0], bias);
  }
  for (const auto& [tokens, bias] : dict) {
    if (tokens.size() == 1 || tokens.size() > row.size()) continue;
    const std::size_t beginning = tokens.size() - 1;
    bool same = true;
    for (std::size_t i = 0; i < beginning; ++i) {
      same = same && tokens[i] == row[row.size() - beginning + i];
    }
    if (same) add(tokens.back(), bias);
  }
  return sums;
}

void expect_same(const Sums& got, const Sums& right) {
  ASSERT_EQ(got.size(), right.size());
  for (auto one = got.begin(), other = right.begin(); one != got.end(); ++one, ++other) {
    ASSERT_EQ(one->first, other->first);
    ASSERT_EQ(std::bit_cast<std::uint32_t>(one->second),
              std::bit_cast<std::uint32_t>(other->second))
        << one->first << ": " << one->second << " and " << other->second;
  }
}

TEST(BiasTableView, ListsWhatTheLoopOfTheReferenceSums) {
  std::mt19937 random(77);
  int several = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::size_t vocab = 1 + random() % 5;
    const auto some_ids = [&](std::size_t least, std::size_t most) {
      Ids ids;
      for (std::size_t left = least + random() % (most - least + 1); left > 0; --left) {
        ids.push_back(static_cast<std::int64_t>(random() % vocab));
      }
      return ids;
    };
    const double values[] = {0.1, -0.3, 1e-8, 1e8, -1e8, 3.4e38, -3.4e38, 0.0, -0.0, INF, -INF, 7};
    std::vector<BiasEntry> entries;
    for (std::size_t left = random() % 24; left > 0; --left) {
      entries.push_back({some_ids(1, 1 + random() % 5), values[random() % 12]});
    }
    const BiasTable table = build_bias_table(entries, static_cast<std::int64_t>(vocab));
    Ids row;
    for (int token = 0; token < 12; ++token) {
      ASSERT_NO_FATAL_FAILURE(expect_same(listed(table, row), reference(entries, row)))
          << "round " << round << ", row of " << row.size();
      several += table.view().listed(state_of(table, row).node) >
                 static_cast<int>(reference(entries, row).size());
      row.push_back(random() % 15 == 0 ? static_cast<std::int64_t>(vocab + random() % 3)
                                       : static_cast<std::int64_t>(random() % vocab));
    }
  }
  EXPECT_GT(several, 5000);
}

TEST(BiasTableView, SumsSequencesWithTheSameLastToken) {
  const BiasTable table = build_bias_table({{{1, 5}, 2.0}, {{3, 5}, -1.0}, {{5}, 0.5}}, 10);
  // The pairs need a history of two: a token before the context.
  expect_same(listed(table, {0, 1}), {{5, 2.5F}});
  expect_same(listed(table, {0, 3}), {{5, -0.5F}});
  expect_same(listed(table, {0, 9}), {{5, 0.5F}});
  expect_same(listed(table, {3, 1}), {{5, 2.5F}});
}

TEST(BiasTableView, SkipsAnEntryLongerThanTheHistory) {
  const BiasTable table = build_bias_table({{{1, 5}, 2.0}, {{1, 1, 6}, 3.0}, {{6}, 1.0}}, 10);
  expect_same(listed(table, {}), {{6, 1.0F}});
  expect_same(listed(table, {1}), {{6, 1.0F}});
  expect_same(listed(table, {1, 1}), {{5, 2.0F}, {6, 1.0F}});
  expect_same(listed(table, {0, 1, 1}), {{5, 2.0F}, {6, 4.0F}});
}

TEST(BiasTableView, SumsInTheOrderOfTheEntriesAfterTheSingleToken) {
  // (1 + 1e8) - 1e8 is 0 in float32, (1e8 - 1e8) + 1 is 1: the order shows.
  const std::vector<BiasEntry> rising{{{2, 3, 5}, 1e8}, {{3, 5}, -1e8}, {{5}, 1.0}};
  const std::vector<BiasEntry> falling{{{3, 5}, -1e8}, {{1, 2, 3, 5}, 1.0}, {{2, 3, 5}, 1e8}};
  expect_same(listed(build_bias_table(rising, 10), {9, 1, 2, 3}), {{5, 0.0F}});
  expect_same(listed(build_bias_table(falling, 10), {9, 1, 2, 3}), {{5, 0.0F}});
  const std::vector<BiasEntry> late{{{3, 5}, -1e8}, {{2, 3, 5}, 1e8}, {{1, 2, 3, 5}, 1.0}};
  expect_same(listed(build_bias_table(late, 10), {9, 1, 2, 3}), {{5, 1.0F}});
}

TEST(BiasTableView, TakesTheLastValueAtTheFirstPlaceOfAnEntryGivenTwice) {
  const std::vector<BiasEntry> entries{
      {{3, 5}, 7.0}, {{2, 3, 5}, 1e8}, {{3, 5}, 1.0}, {{1, 2, 3, 5}, -1e8}};
  // 1 + 1e8 - 1e8 is 0; the value of the last at its own place would give 1.
  expect_same(listed(build_bias_table(entries, 10), {9, 1, 2, 3}), {{5, 0.0F}});
  EXPECT_EQ(build_bias_table(entries, 10).count(), 3);
}

TEST(BiasTableView, BansWhereAnyPartOfTheSumIsMinusInfinity) {
  const auto ban = static_cast<float>(-INF);
  for (const auto& [one, other] : {std::pair{INF, -INF}, std::pair{-INF, INF}}) {
    const BiasTable table = build_bias_table({{{4}, one}, {{1, 4}, other}}, 5);
    expect_same(listed(table, {0, 1}), {{4, ban}});
    expect_same(listed(table, {0, 2}), {{4, static_cast<float>(one)}});
  }
}

TEST(BiasTableView, ForgetsAtATokenOutsideOfTheVocabulary) {
  const BiasTable table = build_bias_table({{{1, 2, 3}, 1.0}}, 5);
  expect_same(listed(table, {0, 1, 2}), {{3, 1.0F}});
  for (const std::int64_t outside : {std::int64_t{-1}, std::int64_t{5}, std::int64_t{1} << 40}) {
    expect_same(listed(table, {1, outside, 2}), {});
    expect_same(listed(table, {outside, 1, 2}), {{3, 1.0F}});
  }
  // 2^32 + 1 would be token 1 if it were narrowed first.
  expect_same(listed(table, {0, (std::int64_t{1} << 32) + 1, 2}), {});
}

TEST(BiasTableView, ListsNothingForNoEntries) {
  const BiasTable table = build_bias_table({}, 5);
  EXPECT_EQ(table.count(), 0);
  EXPECT_EQ(table.view().listed(0), 0);
  EXPECT_NE(table.tag(), 0U);
  expect_same(listed(table, {1, 2, 3}), {});
}

}  // namespace
