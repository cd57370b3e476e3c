// SPDX-License-Identifier: Apache-2.0
// The walk of a stop table against a plain search in the text.
#include <logitchain/tables/stop_table.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/build/stop_table.hpp>

namespace {

using namespace logitchain;
using namespace std::string_view_literals;

using Words = std::vector<std::string>;
using Ids = std::vector<std::int64_t>;

static_assert(std::is_trivially_copyable_v<StopTableView>);

struct Match {
  std::int32_t entry = -1;
  std::int64_t begin = 0;
  friend bool operator==(const Match&, const Match&) = default;
};

// One match per generated token.
std::vector<Match> walk(const StopTable& table, const Ids& prompt, const Ids& generated,
                        bool match_from_prompt = true) {
  const StopTableView view = table.view();
  AutomatonSlot slot = view.start(match_from_prompt);
  for (const std::int64_t token : prompt) {
    slot = view.advance(slot, token, false);
    EXPECT_EQ(slot.entry, -1);
    EXPECT_EQ(slot.bytes, 0);
  }
  std::vector<Match> matches;
  for (const std::int64_t token : generated) {
    slot = view.advance(slot, token, true);
    matches.push_back({slot.entry, slot.begin});
  }
  return matches;
}

// Searches the whole text after every token and keeps what ends inside of the newest one.
std::vector<Match> search(const Words& pieces, const Words& strings, const Ids& prompt,
                          const Ids& generated, bool match_from_prompt) {
  std::string text;
  std::int64_t text_begin = 0;
  const auto read = [&](std::int64_t token, bool counts) {
    if (token < 0 || token >= static_cast<std::int64_t>(pieces.size())) {
      text_begin += static_cast<std::int64_t>(text.size());
      text.clear();
      return std::size_t{0};
    }
    const std::string& piece = pieces[static_cast<std::size_t>(token)];
    text += piece;
    if (!counts) text_begin -= static_cast<std::int64_t>(piece.size());
    return piece.size();
  };
  if (match_from_prompt) {
    for (const std::int64_t token : prompt) read(token, false);
  }
  std::vector<Match> matches;
  for (const std::int64_t token : generated) {
    const std::size_t fresh = read(token, true);
    Match best;
    std::size_t best_end = std::string::npos;
    for (std::size_t i = 0; i < strings.size(); ++i) {
      for (auto at = text.find(strings[i]); at != std::string::npos;
           at = text.find(strings[i], at + 1)) {
        const std::size_t end = at + strings[i].size();
        if (end <= text.size() - fresh || end >= best_end) continue;
        best_end = end;
        best = {static_cast<std::int32_t>(i), text_begin + static_cast<std::int64_t>(at)};
      }
    }
    matches.push_back(best);
  }
  return matches;
}

std::string random_text(std::mt19937& random, std::string_view alphabet, std::size_t longest,
                        std::size_t shortest) {
  std::string text;
  for (std::size_t left = shortest + random() % (longest - shortest + 1); left > 0; --left) {
    text += alphabet[random() % alphabet.size()];
  }
  return text;
}

TEST(StopTableView, FindsWhatASearchInTheTextFinds) {
  std::mt19937 random(20240);
  int fired = 0;
  int from_the_prompt = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::string_view alphabet = "ab\0\xE5\xBD"sv.substr(0, 2 + random() % 4);
    Words pieces;
    for (std::size_t left = 1 + random() % 8; left > 0; --left) {
      pieces.push_back(random_text(random, alphabet, 4, 0));
    }
    Words strings;
    for (std::size_t left = 1 + random() % 6; left > 0; --left) {
      strings.push_back(random_text(random, alphabet, 1 + random() % 8, 1));
    }
    const auto some_ids = [&](std::size_t most) {
      Ids ids;
      for (std::size_t left = random() % (most + 1); left > 0; --left) {
        const auto beyond = static_cast<std::int64_t>(pieces.size()) + 1;
        ids.push_back(random() % 20 == 0 ? (random() % 2 == 0 ? beyond : -1)
                                         : static_cast<std::int64_t>(random() % pieces.size()));
      }
      return ids;
    };
    const Ids prompt = some_ids(8);
    const Ids generated = some_ids(16);
    const StopTable table = stop_strings(pieces, strings);
    for (const bool match_from_prompt : {true, false}) {
      const auto right = search(pieces, strings, prompt, generated, match_from_prompt);
      ASSERT_EQ(walk(table, prompt, generated, match_from_prompt), right) << "round " << round;
      for (const Match& match : right) {
        fired += match.entry >= 0;
        from_the_prompt += match.begin < 0;
      }
    }
  }
  EXPECT_GT(fired, 10000);
  EXPECT_GT(from_the_prompt, 200);
}

TEST(StopTableView, FindsAStringSplitInsideOfACharacter) {
  const Words pieces{"", "\xE5\xA5", "\xBD", "\xE5\xA5\xBD", "a"};
  const StopTable table = stop_strings(pieces, {"\xE5\xA5\xBD"});
  const Match none;
  EXPECT_EQ(walk(table, {}, {4, 1, 2}), (std::vector<Match>{none, none, {0, 1}}));
  EXPECT_EQ(walk(table, {}, {4, 3}), (std::vector<Match>{none, {0, 1}}));
  EXPECT_EQ(walk(table, {}, {4, 1, 4}), (std::vector<Match>{none, none, none}));
  EXPECT_EQ(walk(table, {}, {2}), (std::vector<Match>{none}));
}

TEST(StopTableView, CountsFromTheGeneratedTextWhereAMatchBeginsInThePrompt) {
  const Words pieces{"Observation:\n", "Obser", "x", "vation:"};
  const StopTable table = stop_strings(pieces, {"Observation:"});
  EXPECT_EQ(walk(table, {0, 1}, {2}, true), (std::vector<Match>{{}}));
  EXPECT_EQ(walk(table, {0, 1}, {3}, true), (std::vector<Match>{{0, -5}}));
  EXPECT_EQ(walk(table, {0, 1}, {3}, false), (std::vector<Match>{{}}));
  EXPECT_EQ(walk(table, {0, 1}, {1, 3}, false), (std::vector<Match>{{}, {0, 0}}));
}

TEST(StopTableView, FindsEveryOverlapOfAStringWithItselfOnce) {
  const StopTable table = stop_strings(Words{"a", "aaaaa", "b"}, {"aaaa"});
  const Match none;
  EXPECT_EQ(walk(table, {}, {0, 0, 0, 0, 0, 2, 0}),
            (std::vector<Match>{none, none, none, {0, 0}, {0, 1}, none, none}));
  EXPECT_EQ(walk(table, {}, {0, 1}), (std::vector<Match>{none, {0, 0}}));
}

TEST(StopTableView, TakesTheEarliestEndAndThenTheLowestEntry) {
  const StopTable table = stop_strings(Words{"xabcd"}, {"abcd", "bc", "abc", "bc"});
  EXPECT_EQ(walk(table, {}, {0}), (std::vector<Match>{{1, 2}}));
  const StopTable inside = stop_strings(Words{"a", "b"}, {"ab", "b"});
  EXPECT_EQ(walk(inside, {}, {0, 1, 1}), (std::vector<Match>{{}, {0, 0}, {1, 2}}));
}

TEST(StopTableView, StopsAtAPrefixOfALongerStringAndGoesOnToTheLonger) {
  const StopTable table = stop_strings(Words{"a", "b"}, {"aab", "aa"});
  EXPECT_EQ(walk(table, {}, {0, 0, 1}), (std::vector<Match>{{}, {1, 0}, {0, 0}}));
}

TEST(StopTableView, PassesOverTokensWithoutBytes) {
  const StopTable table = stop_strings(Words{"a", "", "b"}, {"ab"}, 5);
  EXPECT_EQ(walk(table, {}, {0, 1, 4, 2, 1}), (std::vector<Match>{{}, {}, {}, {0, 0}, {}}));
}

TEST(StopTableView, ForgetsAtATokenOutsideOfTheVocabulary) {
  const StopTable table = stop_strings(Words{"a", "b"}, {"ab"});
  for (const std::int64_t outside : {std::int64_t{-1}, std::int64_t{2}, std::int64_t{1} << 40}) {
    EXPECT_EQ(walk(table, {}, {0, outside, 1}), (std::vector<Match>{{}, {}, {}}));
    EXPECT_EQ(walk(table, {0, outside}, {1}), (std::vector<Match>{{}}));
  }
}

TEST(StopTableView, CountsOnlyGeneratedBytes) {
  const StopTable table = stop_strings(Words{"abc", "d"}, {"zzz"});
  const StopTableView view = table.view();
  AutomatonSlot slot = view.start(true);
  EXPECT_EQ(slot.tag, table.tag());
  EXPECT_NE(slot.tag, 0U);
  slot = view.advance(slot, 0, false);
  EXPECT_EQ(slot.bytes, 0);
  slot = view.advance(slot, 0, true);
  slot = view.advance(slot, 1, true);
  EXPECT_EQ(slot.bytes, 4);
  EXPECT_EQ(slot.tag, table.tag());
}

}  // namespace
