// SPDX-License-Identifier: Apache-2.0
// What the compiler of stop strings takes, refuses, and how large its tables grow.
#include <logitchain/build/stop_table.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace logitchain;
using namespace std::string_literals;
using namespace std::string_view_literals;

using Words = std::vector<std::string>;

template <class Call>
std::string refusal_of(Call&& call) {
  try {
    call();
  } catch (const invalid_argument& refused) {
    return refused.what();
  }
  return "not refused";
}

// Gives strings by value, as a decoder would.
struct Spelled {
  std::size_t size() const { return 3; }
  std::string bytes(std::int64_t id) const { return std::string(40, static_cast<char>('a' + id)); }
};
static_assert(TokenBytes<Spelled> && !TokenBytesList<Spelled>);
static_assert(TokenBytesList<Words> && !TokenBytes<Words>);
static_assert(TokenBytesList<std::vector<std::string_view>>);
static_assert(!TokenBytes<std::vector<int>> && !TokenBytesList<std::vector<int>>);

std::int32_t entry_after(const StopTable& table, std::initializer_list<std::int64_t> tokens) {
  AutomatonSlot slot = table.view().start(true);
  for (const std::int64_t token : tokens) slot = table.view().advance(slot, token, true);
  return slot.entry;
}

TEST(StopStrings, TakesAnythingThatGivesBytes) {
  const StopTable spelled = stop_strings(Spelled{}, {"ab"});
  EXPECT_EQ(spelled.vocab(), 3);
  EXPECT_EQ(entry_after(spelled, {0, 1}), 0);
  EXPECT_EQ(entry_after(spelled, {0, 2, 1}), -1);
  const std::vector<std::string_view> views{"a", "b"};
  EXPECT_EQ(entry_after(stop_strings(views, Words{"ab"}), {0, 1}), 0);
}

TEST(StopStrings, MatchesBytesThatAreNoText) {
  const StopTable zeros = stop_strings(Words{"a\0"s, "\0b"s}, {"\0\0"sv});
  EXPECT_EQ(entry_after(zeros, {0, 1}), 0);
  EXPECT_EQ(entry_after(zeros, {1, 0}), -1);
  const StopTable broken = stop_strings(Words{"\xFF", "\xC3", "\x80"}, {"\xFF\xC3", "\x80\xFF"});
  EXPECT_EQ(entry_after(broken, {0, 1}), 0);
  EXPECT_EQ(entry_after(broken, {2, 0}), 1);
  EXPECT_EQ(entry_after(broken, {1, 2}), -1);
}

TEST(StopStrings, ReportsTheFirstOfEqualStrings) {
  const StopTable table = stop_strings(Words{"x", "y"}, {"z", "y", "x", "y"});
  EXPECT_EQ(entry_after(table, {1}), 1);
  EXPECT_EQ(table.count(), 4);
  EXPECT_EQ(table.string(3), "y");
  EXPECT_EQ(table.view().lengths()[2], 1);
  EXPECT_EQ(refusal_of([&] { (void)table.string(4); }),
            "StopTable: entry is 4; it must be in [0, count())");
}

TEST(StopStrings, GivesNoBytesToIdsBeyondTheVocabulary) {
  const StopTable table = stop_strings(Words{"a", "b"}, {"ab"}, 64);
  EXPECT_EQ(table.vocab(), 64);
  for (const std::int64_t id : {2, 3, 62, 63}) EXPECT_EQ(entry_after(table, {0, id, 1}), 0) << id;
}

TEST(StopStrings, RefusesNoStringsAndEmptyOnes) {
  const Words pieces{"a"};
  EXPECT_EQ(refusal_of([&] { (void)stop_strings(pieces, Words{}); }),
            "stop_strings: no strings; give at least one");
  EXPECT_EQ(refusal_of([&] { (void)stop_strings(pieces, {"a", "b", ""}); }),
            "stop_strings: strings[2] is empty; an empty string would always match");
}

TEST(StopStrings, RefusesStringsThatAreTooLong) {
  const Words pieces{"a"};
  const std::string longest(MAX_STOP_BYTES, 'x');
  EXPECT_EQ(stop_strings(pieces, Words{longest}).view().lengths()[0], 1 << 20);
  EXPECT_EQ(refusal_of([&] { (void)stop_strings(pieces, Words{"a", longest + "x"}); }),
            "stop_strings: strings[1] has 1048577 bytes; it must have at most 1048576");
  // 2,048 views of one text: 2^31 bytes that nobody holds.
  const std::vector<std::string_view> many(2048, longest);
  EXPECT_EQ(refusal_of([&] { (void)stop_strings(pieces, many); }),
            "stop_strings: more than 2147483646 bytes in strings[0] to strings[2047] together; "
            "split them over several tables");
}

TEST(StopStrings, RefusesAVocabularyThatDoesNotHoldThePieces) {
  const Words pieces{"a", "b", "c"};
  EXPECT_EQ(refusal_of([&] { (void)stop_strings(pieces, {"a"}, 2); }),
            "stop_strings: vocab_size is 2; it must be in [3, 1048575], not below the number of "
            "pieces");
  EXPECT_NE(refusal_of([&] { (void)stop_strings(pieces, {"a"}, -5); }).find("vocab_size is -5"),
            std::string::npos);
  EXPECT_NE(refusal_of([&] {
              (void)stop_strings(pieces, {"a"}, std::int64_t{1} << 40);
            }).find("vocab_size is 1099511627776"),
            std::string::npos);
  EXPECT_NE(refusal_of([&] { (void)stop_strings(Words{}, {"a"}); }).find("vocab_size is 0"),
            std::string::npos);
}

TEST(StopStrings, NamesItsContentByATag) {
  const Words pieces{"a", "b"};
  const StopTable table = stop_strings(pieces, {"ab"});
  EXPECT_NE(table.tag(), 0U);
  EXPECT_EQ(table.tag(), stop_strings(pieces, {"ab"}).tag());
  EXPECT_NE(table.tag(), stop_strings(pieces, {"aa"}).tag());
  EXPECT_NE(table.tag(), stop_strings(pieces, {"ab"}, 3).tag());
  EXPECT_NE(table.tag(), stop_strings(Words{"a", "c"}, {"ab"}).tag());
}

TEST(StopStrings, KeepsItsStorageWhileACopyLives) {
  StopTableView view;
  std::optional<StopTable> copy;
  {
    const StopTable table = stop_strings(Words{"a"}, {"aa"});
    copy = table;
    view = copy->view();
  }
  AutomatonSlot slot = view.advance(view.start(true), 0, true);
  slot = view.advance(slot, 0, true);
  EXPECT_EQ(slot.entry, 0);
}

// A byte that counts how often it is looked at.
struct CountedByte {
  std::uint8_t value = 0;
  inline static std::int64_t looks = 0;
  friend bool operator<(CountedByte a, CountedByte b) { return ++looks, a.value < b.value; }
  friend bool operator==(CountedByte a, CountedByte b) { return ++looks, a.value == b.value; }
};

struct Cost {
  std::int64_t bytes;
  std::int64_t looks;
  std::int64_t nodes;
};

Cost cost_of(const Words& strings) {
  Cost cost{};
  std::vector<std::vector<CountedByte>> texts;
  std::vector<std::span<const CountedByte>> patterns;
  for (const std::string& text : strings) {
    texts.emplace_back();
    for (const char byte : text) texts.back().push_back({static_cast<std::uint8_t>(byte)});
    cost.bytes += static_cast<std::int64_t>(text.size());
  }
  for (const auto& text : texts) patterns.emplace_back(text);
  CountedByte::looks = 0;
  cost.nodes = logitchain::detail::build_trie<CountedByte>(patterns).nodes();
  cost.looks = CountedByte::looks;
  return cost;
}

Words many_strings(int count, std::string_view alphabet) {
  std::mt19937 random(5);
  Words strings;
  for (int i = 0; i < count; ++i) {
    strings.emplace_back();
    for (int left = 20; left > 0; --left) strings.back() += alphabet[random() % alphabet.size()];
  }
  return strings;
}

TEST(StopStrings, CompilesTenThousandStringsInLinearWork) {
  for (const std::string_view alphabet : {"ab"sv, "abcdefghijklmnop"sv}) {
    const Cost half = cost_of(many_strings(5000, alphabet));
    const Cost whole = cost_of(many_strings(10000, alphabet));
    EXPECT_LT(whole.looks, half.looks * 5 / 2);
    EXPECT_LE(whole.nodes, whole.bytes + 1);
  }
  // Suffixes that fail at every byte: the walk over failure links stays amortised.
  const auto runs = [](std::size_t length) {
    Words strings{std::string(length, 'a')};
    for (std::size_t i = 0; i < 200; ++i)
      strings.push_back(std::string(length, 'a') + "b" + std::to_string(i));
    return strings;
  };
  EXPECT_LT(cost_of(runs(2000)).looks, cost_of(runs(1000)).looks * 5 / 2);
}

TEST(StopStrings, TakesAFewBytesPerByteOfAString) {
  const StopTable table = stop_strings(Words{"a"}, many_strings(10000, "abcdefghijklmnop"));
  const StopTableShape& shape = table.shape();
  EXPECT_EQ(static_cast<std::int64_t>(table.storage().size()), shape.storage_bytes());
  EXPECT_LE(shape.nodes, 200001);
  EXPECT_LE(shape.storage_bytes(), 13 * std::int64_t{shape.nodes} + 4 * 10000 + 64);
}

}  // namespace
