// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/core/philox.hpp>
#include <logitchain/state/admission.hpp>

#include "support/state_doubles.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

const FakeEngine engine;
const Needs ALL{true, 1, 1};

StepState small_state(std::int64_t capacity = 10) {
  return StepState(engine, {.rows = 4, .capacity = capacity, .vocab = 16, .seed = 99}, ALL);
}

TEST(Admission, RefusesARequestByIndexMemberAndValue) {
  StepState state = small_state();
  const WalkingStages stages;
  const auto text = [&](std::vector<Request> requests) {
    return text_of_error([&] { begin(state, stages, stages, requests); });
  };
  EXPECT_EQ(text({{.row = 0, .prompt = {1}}, {.row = 4, .prompt = {1}}}),
            "admit: requests[1].row is 4; it must be in [0, 3]");
  EXPECT_EQ(text({{.row = -1, .prompt = {1}}}),
            "admit: requests[0].row is -1; it must be in [0, 3]");
  EXPECT_EQ(text({{.row = std::int64_t{1} << 40, .prompt = {1}}}),
            "admit: requests[0].row is 1099511627776; it must be in [0, 3]");
  EXPECT_EQ(text({{.row = 0, .prompt = {1, 2, -7}}}),
            "admit: requests[0].prompt[2] is -7; it must be in [0, 2147483647]");
  EXPECT_EQ(text({{.row = 0, .prompt = {1}, .generated = {3, std::int64_t{1} << 32}}}),
            "admit: requests[0].generated[1] is 4294967296; it must be in [0, 2147483647]");
  EXPECT_EQ(text({{.row = 0, .prompt = {1, 2, 3, 4, 5, 6}, .generated = {1, 2, 3, 4, 5}}}),
            "admit: requests[0] has 6 prompt and 5 generated tokens; a row of this state holds 10");
  EXPECT_EQ(text({{.row = 0, .prompt = {1}, .budget = -1}}),
            "admit: requests[0].budget is -1; it must be in [0, 9]: the capacity, 10, less the "
            "prompt's 1 tokens");
  EXPECT_EQ(text({{.row = 0, .prompt = {1, 2}, .budget = 9}}),
            "admit: requests[0].budget is 9; it must be in [0, 8]: the capacity, 10, less the "
            "prompt's 2 tokens");
  EXPECT_EQ(text({{.row = 3, .prompt = {1}}, {.row = 1, .prompt = {1}}, {.row = 3, .prompt = {}}}),
            "admit: requests[0] and requests[2] are both for row 3");
  EXPECT_EQ(text({{.row = 3, .prompt = {1}}, {.row = 0, .prompt = {1}}, {.row = 0, .prompt = {}}}),
            "admit: requests[1] and requests[2] are both for row 0");
  for (std::int64_t row = 0; row < 4; ++row) EXPECT_EQ(state.status(row), Status::released);
  EXPECT_EQ(state.admissions(), 0u);

  EXPECT_EQ(text({{.row = 2, .prompt = {1}}}), "");
  const RowImage before = image_of(state, 2);
  EXPECT_EQ(text({{.row = 0, .prompt = {1}}, {.row = 2, .prompt = {5}}}),
            "admit: requests[1] is for row 2, which is still generating; release it first");
  EXPECT_EQ(state.status(0), Status::released);
  EXPECT_EQ(image_of(state, 2), before);
}

TEST(Admission, RefusesARowWithoutASeedWhereTheStateHasNone) {
  StepState state(engine, {.rows = 2, .capacity = 10, .vocab = 16}, {});
  const PlainStages none;
  EXPECT_EQ(text_of_error([&] {
              begin(state, none, none,
                    {{.row = 0, .prompt = {1}, .seed = 5}, {.row = 1, .prompt = {1}}});
            }),
            "admit: requests[1] has no seed and neither has the state; give one of them, seeds are "
            "never made up");
  EXPECT_EQ(state.status(0), Status::released);
}

TEST(Admission, DerivesSeedsFromTheStatesSeedAndTheAdmissionNumber) {
  StepState state = small_state();
  const WalkingStages stages;
  begin(
      state, stages, stages,
      {{.row = 3, .prompt = {1}}, {.row = 0, .prompt = {1}, .seed = 5}, {.row = 1, .prompt = {}}});
  EXPECT_EQ(state.seed(3), draw_number(99, 0, 1));
  EXPECT_EQ(state.seed(0), 5u);
  EXPECT_EQ(state.seed(1), draw_number(99, 2, 1));
  EXPECT_EQ(state.admission(1), 2u);
  EXPECT_NE(state.seed(3), state.seed(1));
  state.view().records[3] = RowRecord{};
  begin(state, stages, stages, {{.row = 3, .prompt = {1}}});
  EXPECT_EQ(state.seed(3), draw_number(99, 3, 1)) << "a slot that is used again gets another seed";
}

TEST(Admission, KeepsIdsBeyondTheVocabularyInTheHistoryAndOutOfTheCounts) {
  StepState state = small_state();
  const WalkingStages stages;
  begin(state, stages, stages, {{.row = 0, .prompt = {3, 16, 3, 2147483647}}});
  EXPECT_EQ(as_vector(state.history(0)), (std::vector<std::int32_t>{3, 16, 3, 2147483647}));
  const RowImage image = image_of(state, 0);
  EXPECT_EQ(image.seen, (std::map<std::int32_t, SeenEntry>{{3, {0, true, 2}}}));
  EXPECT_EQ(image.bits, (std::vector<std::int32_t>{3}));
}

TEST(Admission, ListsDistinctTokensInTheOrderOfTheirFirstAppearance) {
  StepState state = small_state();
  const WalkingStages stages;
  begin(state, stages, stages, {{.row = 1, .prompt = {9, 4, 9}, .generated = {4, 0, 0}}});
  const RowImage image = image_of(state, 1);
  EXPECT_EQ(image.seen_order, (std::vector<std::int32_t>{9, 4, 0}));
  EXPECT_EQ(image.seen, (std::map<std::int32_t, SeenEntry>{
                            {9, {0, true, 2}}, {4, {1, true, 3}}, {0, {2, false, 5}}}));
  EXPECT_EQ(image.bits, (std::vector<std::int32_t>{0, 4, 9}));
}

// Case S01: what was admitted counts, whether or not somebody holds it in a cache.
TEST(Admission, CountsEveryPromptTokenOnceWhateverWasGeneratedBefore) {
  StepState state = small_state();
  const WalkingStages stages;
  begin(state, stages, stages,
        {{.row = 0, .prompt = {3, 5, 5, 9}}, {.row = 1, .prompt = {3, 5, 5, 9}, .generated = {1}}});
  for (const std::int64_t row : {0, 1}) {
    const RowImage image = image_of(state, row);
    EXPECT_EQ(image.seen.at(5), (SeenEntry{0, true, 2}));
    EXPECT_EQ(image.seen.at(3), (SeenEntry{0, true, 0}));
    EXPECT_EQ(image.seen.at(9), (SeenEntry{0, true, 3}));
  }
}

TEST(Admission, ResumesARowAsIfItHadNeverGone) {
  const WalkingStages stages;
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    StepState whole = small_state(40);
    StepState resumed = small_state(40);
    Request request{.row = 2, .prompt = {}, .seed = 3, .budget = 20};
    for (std::uint64_t i = random() % 15; i > 0; --i) {
      request.prompt.push_back(static_cast<std::int64_t>(random() % 20));
    }
    begin(whole, stages, stages, {request});
    const std::uint64_t before = random() % 10;
    for (std::uint64_t i = 0; i < before; ++i) {
      const auto token = static_cast<std::int64_t>(random() % 16);
      ASSERT_EQ(commit_token(whole.view(), 2, token, stages, stages), Status::ok);
      request.generated.push_back(token);
    }
    begin(resumed, stages, stages, {request});
    ASSERT_EQ(image_of(resumed, 2), image_of(whole, 2)) << "round " << round;
    for (int i = 0; i < 12; ++i) {
      const auto token = static_cast<std::int64_t>(random() % 16);
      ASSERT_EQ(commit_token(resumed.view(), 2, token, stages, stages),
                commit_token(whole.view(), 2, token, stages, stages));
      ASSERT_EQ(image_of(resumed, 2), image_of(whole, 2)) << "round " << round;
    }
  }
}

TEST(Admission, AsksNoCriterionForWhatWasGeneratedBefore) {
  StepState state = small_state();
  WalkingStages stages;
  stages.eos = 2;
  begin(state, stages, stages, {{.row = 0, .prompt = {1}, .generated = {2, 2}}});
  EXPECT_EQ(state.status(0), Status::ok);
  EXPECT_EQ(commit_token(state.view(), 0, 2, stages, stages), Status::finished);
}

TEST(Admission, EndsARowWhoseBudgetIsSpentAtOnce) {
  StepState state = small_state(4);
  const WalkingStages stages;
  begin(state, stages, stages,
        {{.row = 0, .prompt = {1}, .budget = 0},
         {.row = 1, .prompt = {1}, .generated = {2, 3}, .budget = 2},
         {.row = 2, .prompt = {1, 2, 3, 4}},
         {.row = 3, .prompt = {1}, .generated = {2, 3}, .budget = 1}});
  for (std::int64_t row = 0; row < 4; ++row) {
    EXPECT_EQ(state.status(row), Status::finished) << row;
    EXPECT_FALSE(state.active(row));
    EXPECT_EQ(state.finish(row).criterion, BUDGET_SPENT);
    EXPECT_EQ(state.finish(row).entry, -1);
  }
  EXPECT_EQ(state.total(3), 3);
}

TEST(Admission, TakesTheRoomThatIsLeftAsBudget) {
  StepState state = small_state();
  const WalkingStages stages;
  begin(state, stages, stages, {{.row = 0, .prompt = {1, 2, 3}}, {.row = 1, .prompt = {}}});
  EXPECT_EQ(state.budget(0), 7);
  EXPECT_EQ(state.width(0), 10);
  EXPECT_EQ(state.budget(1), 10);
}

TEST(Admission, EndsARowWhoseTableIsDamagedAndLeavesTheOthers) {
  StepState state = small_state();
  WalkingStages stages;
  stages.damaged_by = 13;
  begin(state, stages, stages,
        {{.row = 0, .prompt = {1, 13}},
         {.row = 1, .prompt = {1}, .generated = {2, 13}},
         {.row = 2, .prompt = {1, 2}}});
  EXPECT_EQ(state.status(0), Status::invalid_table);
  EXPECT_EQ(state.status(1), Status::invalid_table);
  EXPECT_FALSE(state.active(0) || state.active(1));
  EXPECT_EQ(state.status(2), Status::ok);
  const WalkingStages sound;
  StepState other = small_state();
  begin(other, sound, sound,
        {{.row = 0, .prompt = {}}, {.row = 1, .prompt = {}}, {.row = 2, .prompt = {1, 2}}});
  EXPECT_EQ(image_of(state, 2), image_of(other, 2));
}

TEST(Admission, LeavesNothingOfTheRowThatHeldTheSlotBefore) {
  StepState used = small_state();
  StepState fresh = small_state();
  const WalkingStages stages;
  begin(used, stages, stages, {{.row = 1, .prompt = {15, 14, 13, 12}, .generated = {1, 1, 2}}});
  used.view().records[1] = RowRecord{};
  const Request request{.row = 1, .prompt = {3, 14}, .seed = 8};
  begin(used, stages, stages, {request});
  begin(fresh, stages, stages, {request});
  EXPECT_EQ(image_of(used, 1), image_of(fresh, 1));
}

TEST(Admission, ClearsAutomataThatThisChainDoesNotWalk) {
  StepState state(engine, {.rows = 1, .capacity = 10, .vocab = 16, .seed = 1}, {true, 3, 2});
  for (int i = 0; i < 5; ++i) state.view().transform_slots_of(0)[i].node = 77;
  const WalkingStages stages;
  begin(state, stages, stages, {{.row = 0, .prompt = {1}}});
  EXPECT_NE(state.view().transform_slots_of(0)[0].tag, 0u);
  EXPECT_EQ(state.view().transform_slots_of(0)[1].node, 0);
  EXPECT_EQ(state.view().transform_slots_of(0)[2].tag, 0u);
  EXPECT_NE(state.view().criterion_slots_of(0)[0].tag, 0u);
  EXPECT_EQ(state.view().criterion_slots_of(0)[1].node, 0);
}

}  // namespace
