// SPDX-License-Identifier: Apache-2.0
// Stop strings that are no text, too many, or end inside of a token.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;
using namespace std::string_view_literals;

using Words = std::vector<std::string>;
using Ids = std::vector<std::int32_t>;

/// How a row ends that generates these tokens one by one.
struct Ending {
  std::int64_t generated;
  Finish finish;
};

Ending ending_of(const StopTable& table, const Ids& tokens, const RowStart& start = {}) {
  host_engine engine;
  const auto none = chain();
  const auto stop = criterion(StopStrings{table});
  StepState state = state_of(engine, none, stop, table.vocab(), {start});
  for (const std::int32_t token : tokens) commit(engine, none, stop, state, Ids{token});
  return {state.position(0), state.finish(0)};
}

TEST(BadInput, E39_StringsThatCanNeverOrAlwaysMatchAreTakenOrRefusedByName) {
  const Words pieces = {"a", "b", ""};
  EXPECT_EQ(refusal_of([&] { (void)stop_strings(pieces, {"a", ""}); }),
            "stop_strings: strings[1] is empty; an empty string would always match");
  EXPECT_EQ(refusal_of([&] { (void)stop_strings(pieces, Words{}); }),
            "stop_strings: no strings; give at least one");
  const std::string endless(100000, 'z');
  EXPECT_EQ(ending_of(stop_strings(pieces, {endless}), {0, 1, 2, 0}).finish.criterion,
            NOT_FINISHED);
  EXPECT_EQ(ending_of(stop_strings(pieces, {"b"}), {0, 2, 1, 0}).generated, 3);
  const Ending self = ending_of(stop_strings(pieces, {"aaaa"}), {0, 0, 1, 0, 0, 0, 2, 0, 0});
  EXPECT_EQ(self.generated, 8);
  EXPECT_EQ(self.finish.begin, 3);
  const Ending prefix = ending_of(stop_strings(pieces, {"abab", "ab", "ab"}), {0, 1, 0, 1});
  EXPECT_EQ(prefix.generated, 2);
  EXPECT_EQ(prefix.finish.entry, 1) << "of equal strings the first";
}

TEST(BadInput, E39_TenThousandStringsCostATokenItsOwnBytes) {
  // 10,000 near misses of one another: the text runs along all of them and completes none.
  Words strings;
  for (int i = 0; i < 10000; ++i) {
    strings.push_back(std::string(40, 'a') + std::to_string(i) + "!");
  }
  const StopTable table = stop_strings(Words{"a", "aaaa", "1"}, strings);
  // A rescan of the text at each of 200,000 tokens would take hours and hit the test's time limit.
  AutomatonSlot slot = table.view().start(true);
  for (std::int64_t i = 0; i < 200000; ++i) {
    slot = table.view().advance(slot, i % 50 == 49 ? 2 : 1, true);
    ASSERT_EQ(slot.entry, -1);
  }
  EXPECT_EQ(slot.bytes, 200000 / 50 * (49 * 4 + 1));
}

TEST(BadInput, E40_BytesThatAreNoTextMatchAsBytes) {
  const Words pieces = {"x",
                        "\xe2\x82",
                        "\xac",
                        "\xff\xfe",
                        std::string("\0y", 2),
                        "\xef\xbb\xbf",
                        std::string("\0", 1)};
  // A euro sign whose bytes come in two tokens; bytes that no character has; zeros; a mark.
  EXPECT_EQ(ending_of(stop_strings(pieces, {"\xe2\x82\xac"}), {0, 1, 2}).finish.begin, 1);
  EXPECT_EQ(ending_of(stop_strings(pieces, {"\x82\xac"}), {0, 1, 2}).finish.begin, 2)
      << "half a character is a string as well";
  EXPECT_EQ(ending_of(stop_strings(pieces, {"\xff\xfe"}), {3}).finish.begin, 0);
  EXPECT_EQ(ending_of(stop_strings(pieces, {"\0y"sv}), {0, 6, 4, 0}).generated, 3);
  EXPECT_EQ(ending_of(stop_strings(pieces, {"\0"sv}), {0, 6}).generated, 2);
  EXPECT_EQ(ending_of(stop_strings(pieces, {"x"}), {5, 0}).finish.begin, 3) << "no mark is skipped";
}

TEST(BadInput, E41_AStringCompletedWithinATokenTellsWhereItBegins) {
  const Words pieces = {"Hello wo", "rld and more", "ST", "OP and STOP"};
  const Ending inside = ending_of(stop_strings(pieces, {"world"}), {0, 1});
  EXPECT_EQ(inside.generated, 2);
  EXPECT_EQ(inside.finish.begin, 6);
  const Ending first = ending_of(stop_strings(pieces, {"STOP"}), {2, 3});
  EXPECT_EQ(first.finish.begin, 0) << "the first of two in one token";
  const Ending early = ending_of(stop_strings(pieces, {"STOP"}), {3}, {.prompt = {2}});
  EXPECT_EQ(early.finish.begin, -2) << "it begins in the prompt";
}

TEST(BadInput, E42_ATokenWithoutBytesNeitherEndsNorBreaksAString) {
  const Words pieces = {"ST", "OP", "", "x"};  // token 2 is special: it is spelled <STOP> elsewhere
  const StopTable table = stop_strings(pieces, {"STOP"});
  EXPECT_EQ(ending_of(table, {2, 3, 2}).finish.criterion, NOT_FINISHED);
  const Ending through = ending_of(table, {0, 2, 2, 1});
  EXPECT_EQ(through.generated, 4);
  EXPECT_EQ(through.finish.begin, 0);
}

}  // namespace
