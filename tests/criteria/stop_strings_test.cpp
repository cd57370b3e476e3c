// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <logitchain/build/stop_table.hpp>
#include <logitchain/criteria/stop_strings.hpp>

#include "support/rows.hpp"

namespace lc = logitchain;

namespace {

const std::vector<std::string> PIECES{"Observation:\n", "Obser", "x", "vation:", " b", "STOP"};

const lc::StopTable& observation() {
  static const lc::StopTable table =
      lc::stop_strings(PIECES, std::vector<std::string>{"STOP", "Observation:"});
  return table;
}

lc::Fired answer(const lc::StopStrings& rule, rows::Row& row) {
  const std::int32_t newest = row.view().history(row.view().total() - 1);
  return rule(row.walked(rule), newest);
}

TEST(StopStrings, FiresWithTheEntryAndWhereItBegins) {
  const lc::StopStrings rule{observation()};
  rows::Row row({2}, {4, 1, 3});
  const lc::Fired fired = answer(rule, row);
  EXPECT_EQ(fired.entry, 1);
  EXPECT_EQ(fired.begin, 2);
}

TEST(StopStrings, FiresWithinTheNewestTokenOnly) {
  const lc::StopStrings rule{observation()};
  rows::Row at({2}, {5});
  rows::Row past({2}, {5, 2});
  rows::Row prompt({5}, {2});
  EXPECT_TRUE(static_cast<bool>(answer(rule, at)));
  EXPECT_FALSE(static_cast<bool>(answer(rule, past)));
  EXPECT_FALSE(static_cast<bool>(answer(rule, prompt)));
}

TEST(StopStrings, MayBeginInThePrompt) {  // S04
  const lc::StopStrings rule{observation()};
  rows::Row x({0, 1}, {2});
  rows::Row rest({0, 1}, {3});
  EXPECT_FALSE(static_cast<bool>(answer(rule, x)));
  const lc::Fired fired = answer(rule, rest);
  EXPECT_EQ(fired.entry, 1);
  EXPECT_EQ(fired.begin, -5);
}

TEST(StopStrings, MatchesGeneratedTextAloneWhereAsked) {  // S04
  const lc::StopStrings rule{observation(), false};
  rows::Row rest({0, 1}, {3});
  rows::Row generated({0, 1}, {1, 3});
  EXPECT_FALSE(static_cast<bool>(answer(rule, rest)));
  EXPECT_EQ(answer(rule, generated).entry, 1);
  EXPECT_EQ(answer(rule, generated).begin, 0);
}

TEST(StopStrings, RefusesAStateOfAnotherTable) {
  const lc::StopTable table = lc::stop_strings(PIECES, std::vector<std::string>{"x"});
  const lc::StopStrings one{observation()};
  const lc::StopStrings two{table};
  rows::Row row({2}, {4});
  const lc::AutomatonSlot state = row.walked(one).slot();
  EXPECT_TRUE(one.valid(row.slot(state)));
  EXPECT_FALSE(two.valid(row.slot(state)));
  EXPECT_LT(two.advance(row.slot(state), state, 2, true).node, 0);
  EXPECT_FALSE(one.valid(row.slot({}))) << "a state that belongs to no table";
}

TEST(StopStrings, RefusesADamagedNode) {
  const lc::StopStrings rule{observation()};
  rows::Row row({2}, {4});
  lc::AutomatonSlot state = row.walked(rule).slot();
  state.node = -1;
  EXPECT_FALSE(rule.valid(row.slot(state)));
  EXPECT_LT(rule.advance(row.slot(state), state, 2, true).node, 0);
}

TEST(StopStrings, TakesTheTableOfItsRow) {
  const lc::StopTable other = lc::stop_strings(PIECES, std::vector<std::string>{"x"});
  const std::vector<lc::StopTableView> views{observation().view(), other.view()};
  const std::vector<std::int32_t> index{1, 0, -1};
  const lc::StopStrings rule{{lc::host_span<const lc::StopTableView>(views), lc::per_row(index)}};
  rows::Row first({4}, {2});
  EXPECT_EQ(answer(rule, first).entry, 0);
  rows::Row second({4}, {2});
  second.fields.row = 1;
  EXPECT_FALSE(static_cast<bool>(answer(rule, second)));
  rows::Row third({4}, {2});
  third.fields.row = 2;
  EXPECT_FALSE(static_cast<bool>(answer(rule, third)));
  EXPECT_TRUE(rule.valid(third.walked(rule)));
}

TEST(StopStrings, TellsOfItsModeAmongItsParameters) {
  EXPECT_TRUE(rows::allows(lc::StopStrings{observation()}, "match_from_prompt", 1));
}

}  // namespace
