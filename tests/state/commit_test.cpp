// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/state/commit.hpp>

#include "support/state_doubles.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

const FakeEngine engine;

StepState small_state(std::int64_t capacity = 12) {
  return StepState(engine, {.rows = 3, .capacity = capacity, .vocab = 16, .seed = 99},
                   {true, 1, 1});
}

TEST(Commit, AppendsToHistoryCountsAndAutomata) {
  StepState state = small_state();
  const WalkingStages stages;
  begin(state, stages, stages, {{.row = 1, .prompt = {9, 4}}});
  EXPECT_EQ(commit_token(state.view(), 1, 4, stages, stages), Status::ok);
  EXPECT_EQ(commit_token(state.view(), 1, 7, stages, stages), Status::ok);
  EXPECT_EQ(commit_token(state.view(), 1, 7, stages, stages), Status::ok);
  const RowImage image = image_of(state, 1);
  EXPECT_EQ(image.history, (std::vector<std::int32_t>{9, 4, 4, 7, 7}));
  EXPECT_EQ(image.generated, 3);
  EXPECT_EQ(image.last_token, 7);
  EXPECT_EQ(image.seen, (std::map<std::int32_t, SeenEntry>{
                            {9, {0, true, 0}}, {4, {1, true, 2}}, {7, {2, false, 4}}}));
  EXPECT_EQ(image.bits, (std::vector<std::int32_t>{4, 7, 9}));
  EXPECT_EQ(std::get<2>(image.slots[0]), 3) << "the automaton was moved once per token";
  EXPECT_EQ(image.slots.size(), 2u);
}

TEST(Commit, TellsWhichCriterionAndEntryEndedTheRow) {
  StepState state = small_state();
  WalkingStages stages;
  stages.eos = 5;
  begin(state, stages, stages, {{.row = 0, .prompt = {1}}});
  EXPECT_EQ(commit_token(state.view(), 0, 5, stages, stages), Status::finished);
  EXPECT_EQ(state.finish(0).criterion, 1);
  EXPECT_EQ(state.finish(0).entry, 4);
  EXPECT_EQ(state.total(0), 2) << "the token that ends a row belongs to it";
  const RowImage before = image_of(state, 0);
  EXPECT_EQ(commit_token(state.view(), 0, 6, stages, stages), Status::finished);
  EXPECT_EQ(image_of(state, 0), before) << "a row that ended is touched by nothing";
}

TEST(Commit, TellsWhereWhatEndedTheRowBegan) {
  StepState state = small_state();
  WalkingStages stages;
  stages.period = 1;
  begin(state, stages, stages, {{.row = 0, .prompt = {1}}});
  EXPECT_EQ(commit_token(state.view(), 0, 5, stages, stages), Status::finished);
  EXPECT_EQ(state.finish(0).entry, 2);
  EXPECT_EQ(state.finish(0).begin, state.view().criterion_slots_of(0)[0].node);
  EXPECT_NE(state.finish(0).begin, 0);
}

TEST(Commit, AsksTheCriteriaBeforeTheBudget) {
  StepState state = small_state();
  WalkingStages stages;
  stages.eos = 5;
  begin(state, stages, stages,
        {{.row = 0, .prompt = {1}, .budget = 2}, {.row = 1, .prompt = {1}, .budget = 2}});
  for (const std::int64_t row : {0, 1}) commit_token(state.view(), row, 3, stages, stages);
  EXPECT_EQ(commit_token(state.view(), 0, 5, stages, stages), Status::finished);
  EXPECT_EQ(commit_token(state.view(), 1, 6, stages, stages), Status::finished);
  EXPECT_EQ(state.finish(0).criterion, 1);
  EXPECT_EQ(state.finish(1).criterion, BUDGET_SPENT);
  EXPECT_EQ(state.finish(1).entry, -1);
}

TEST(Commit, FillsARowToItsCapacityAndNoFurther) {
  StepState state = small_state(4);
  const WalkingStages stages;
  begin(state, stages, stages, {{.row = 0, .prompt = {1}}, {.row = 1, .prompt = {15}}});
  const RowImage neighbour = image_of(state, 1);
  EXPECT_EQ(commit_token(state.view(), 0, 2, stages, stages), Status::ok);
  EXPECT_EQ(commit_token(state.view(), 0, 2, stages, stages), Status::ok);
  EXPECT_EQ(commit_token(state.view(), 0, 2, stages, stages), Status::finished);
  EXPECT_EQ(state.total(0), 4);
  // A record that claims more budget than there is room is a fault, not a write into the next row.
  RowRecord& record = state.view().records[0];
  record.budget = 100;
  record.status = Status::ok;
  record.active = 1;
  EXPECT_EQ(commit_token(state.view(), 0, 2, stages, stages), Status::capacity);
  EXPECT_FALSE(state.active(0));
  EXPECT_EQ(state.total(0), 4);
  EXPECT_EQ(image_of(state, 1), neighbour);
}

TEST(Commit, CommitsNothingForAnIdOutsideOfTheVocabulary) {
  const WalkingStages stages;
  for (const std::int64_t id :
       {std::int64_t{16}, std::int64_t{-2}, std::int64_t{1} << 32, (std::int64_t{1} << 32) + 3}) {
    StepState state = small_state();
    begin(state, stages, stages, {{.row = 0, .prompt = {1}}});
    RowImage wanted = image_of(state, 0);
    wanted.status = Status::invalid_parameter;
    wanted.active = false;
    EXPECT_EQ(commit_token(state.view(), 0, id, stages, stages), Status::invalid_parameter) << id;
    EXPECT_EQ(image_of(state, 0), wanted) << id;
  }
}

TEST(Commit, SkipsMinusOne) {
  StepState state = small_state();
  const WalkingStages stages;
  begin(state, stages, stages, {{.row = 0, .prompt = {1}}});
  const RowImage before = image_of(state, 0);
  EXPECT_EQ(commit_token(state.view(), 0, -1, stages, stages), Status::ok);
  EXPECT_EQ(image_of(state, 0), before);
}

TEST(Commit, LeavesAReleasedRowAlone) {
  StepState state = small_state();
  const WalkingStages stages;
  EXPECT_EQ(commit_token(state.view(), 2, 3, stages, stages), Status::released);
  const std::int64_t tokens[] = {3, 99};
  EXPECT_EQ(commit_tokens(state.view(), 2, tokens, 2, stages, stages), 0);
  EXPECT_EQ(image_of(state, 2), RowImage{});
}

TEST(Commit, CommitsNothingWhereATableIsDamaged) {
  WalkingStages stages;
  for (const std::int64_t token : {13, 4}) {
    StepState state = small_state();
    stages.damaged_by = -1;
    begin(state, stages, stages, {{.row = 0, .prompt = {9, 4}, .generated = {4, 8}}});
    RowImage wanted = image_of(state, 0);
    wanted.status = Status::invalid_table;
    wanted.active = false;
    stages.damaged_by = token;  // 13 is new to the row, 4 is known
    EXPECT_EQ(commit_token(state.view(), 0, token, stages, stages), Status::invalid_table);
    RowImage after = image_of(state, 0);
    after.slots = wanted.slots;  // the automata of such a row are of no use any more
    EXPECT_EQ(after, wanted) << token;
  }
}

TEST(Commit, TakesSeveralTokensAsOneByOne) {
  std::mt19937_64 random(3);
  WalkingStages stages;
  stages.eos = 5;
  stages.period = 13;
  for (int round = 0; round < 300; ++round) {
    StepState together = small_state();
    StepState single = small_state();
    Request request{.row = 1, .prompt = {1, static_cast<std::int64_t>(random() % 16)}};
    request.budget = static_cast<std::int64_t>(random() % 11);
    begin(together, stages, stages, {request});
    begin(single, stages, stages, {request});
    std::vector<std::int32_t> tokens;
    for (std::uint64_t i = random() % 12; i > 0; --i) {
      tokens.push_back(static_cast<std::int32_t>(random() % 17) - 1);
    }
    const std::int64_t taken =
        commit_tokens(together.view(), 1, tokens.data(), static_cast<std::int64_t>(tokens.size()),
                      stages, stages);
    for (const std::int32_t token : tokens) {
      if (commit_token(single.view(), 1, token, stages, stages) != Status::ok) break;
    }
    ASSERT_EQ(image_of(together, 1), image_of(single, 1)) << "round " << round;
    ASSERT_EQ(taken, together.position(1));
  }
}

TEST(Commit, DropsWhatFollowsTheFirstStop) {
  StepState state = small_state();
  WalkingStages stages;
  stages.eos = 5;
  begin(state, stages, stages, {{.row = 0, .prompt = {1}}});
  const std::int64_t tokens[] = {2, 5, 3, 5};
  EXPECT_EQ(commit_tokens(state.view(), 0, tokens, 4, stages, stages), 2);
  EXPECT_EQ(as_vector(state.generated(0)), (std::vector<std::int32_t>{2, 5}));
  EXPECT_EQ(image_of(state, 0).seen.count(3), 0u);
}

TEST(Commit, RefusesAllOfSeveralTokensForOneBadId) {
  StepState state = small_state();
  const WalkingStages stages;
  begin(state, stages, stages, {{.row = 0, .prompt = {1}}});
  const std::int64_t tokens[] = {2, 3, (std::int64_t{1} << 32) + 2};
  EXPECT_EQ(commit_tokens(state.view(), 0, tokens, 3, stages, stages), 0);
  EXPECT_EQ(state.status(0), Status::invalid_parameter);
  EXPECT_EQ(state.total(0), 1);

  begin(state, stages, stages, {{.row = 1, .prompt = {1}}});
  const std::int64_t behind[] = {2, state.shape().vocab};
  EXPECT_EQ(commit_tokens(state.view(), 1, behind, 2, stages, stages), 0);
  EXPECT_EQ(state.total(1), 1);
}

// Case B14: every accepted token of a speculative step enters the counts.
TEST(Commit, CountsEveryAcceptedToken) {
  StepState state = small_state();
  const WalkingStages stages;
  begin(state, stages, stages, {{.row = 0, .prompt = {1}}});
  const std::int32_t first[] = {8, 8, 9};
  const std::int32_t second[] = {6};
  EXPECT_EQ(commit_tokens(state.view(), 0, first, 3, stages, stages), 3);
  EXPECT_EQ(commit_tokens(state.view(), 0, second, 1, stages, stages), 1);
  const RowImage image = image_of(state, 0);
  EXPECT_EQ(image.seen.at(8), (SeenEntry{2, false, 2}));
  EXPECT_EQ(image.seen.at(9), (SeenEntry{1, false, 3}));
  EXPECT_EQ(image.seen.at(6), (SeenEntry{1, false, 4}));
  EXPECT_EQ(state.position(0), 4) << "minimum lengths end with the 5th position";
}

TEST(Commit, CountsUpToTwoToThe31AndStaysThere) {
  StepState state = small_state();
  const SeenStages stages;
  begin(state, stages, stages, {{.row = 0, .prompt = {3}, .generated = {3}}});
  SeenToken& entry = state.view().seen_of(0)[0];
  entry.counts = SeenToken::IN_PROMPT | 0x7ffffffeu;
  commit_token(state.view(), 0, 3, stages, stages);
  EXPECT_EQ(entry.generated(), 2147483647);
  commit_token(state.view(), 0, 3, stages, stages);
  EXPECT_EQ(entry.generated(), 2147483647);
  EXPECT_TRUE(entry.in_prompt());
}

TEST(Commit, GivesTheSameWhereTheEngineLookedTheTokenUp) {
  StepState serial = small_state();
  StepState looked_up = small_state();
  const WalkingStages stages;
  const Request request{.row = 0, .prompt = {3, 1}};
  begin(serial, stages, stages, {request});
  begin(looked_up, stages, stages, {request});
  for (const std::int32_t token : {1, 7, 7, 3, 12, 7}) {
    commit_token(serial.view(), 0, token, stages, stages);
    const std::int32_t known = detail::find_seen(looked_up.view(), 0, token);
    commit_token_at(looked_up.view(), 0, token, known, stages, stages);
  }
  EXPECT_EQ(image_of(serial, 0), image_of(looked_up, 0));
}

TEST(Commit, NeedsNoListOfDistinctTokens) {
  StepState state(engine, {.rows = 1, .capacity = 4, .vocab = 4, .seed = 0}, {});
  PlainStages stages;
  stages.eos = 2;
  begin(state, stages, stages, {{.row = 0, .prompt = {3}}});
  EXPECT_EQ(commit_token(state.view(), 0, 3, stages, stages), Status::ok);
  EXPECT_EQ(commit_token(state.view(), 0, 2, stages, stages), Status::finished);
  EXPECT_EQ(as_vector(state.history(0)), (std::vector<std::int32_t>{3, 3, 2}));
}

}  // namespace
