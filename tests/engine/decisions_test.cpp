// SPDX-License-Identifier: Apache-2.0
// Where systems disagree, what this library does: the host's part of that table, a test for each
// row.
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

using Ids = std::vector<std::int32_t>;

TEST(NarrowLogits, AreWidenedOnceAndNothingIsRoundedBack) {
  host_engine engine;
  const auto thirds = chain(Temperature{3});
  for (const DType type : {DType::f16, DType::bf16}) {
    LogitsMemory memory(type, 1, 3, 3);
    memory.set_row(0, {1.0f, 2.5f, -7.0f});
    StepState state = state_of(engine, thirds, criterion(), 3, {RowStart{}});
    std::vector<float> scores(3);
    apply(engine, thirds, state, memory.view(), host_scores(scores.data(), 1, 3));
    EXPECT_EQ(scores, (std::vector<float>{1.0f / 3, 2.5f / 3, -7.0f / 3})) << name_of(type);
  }
}

TEST(NarrowScores, AreRoundedWhereTheyAreAskedForInThatType) {
  host_engine engine;
  const auto thirds = chain(Temperature{3}, TopK{2});
  const std::vector<float> logits = {1.0f, 2.5f, -7.0f};
  StepState state = state_of(engine, thirds, criterion(), 3, {RowStart{}});
  std::vector<half> halves(3);
  std::vector<bfloat16> brains(3);
  apply(engine, thirds, state, host_logits(logits.data(), 1, 3),
        host_scores(halves.data(), 1, 3, 3));
  apply(engine, thirds, state, host_logits(logits.data(), 1, 3),
        host_scores(brains.data(), 1, 3, 3));
  EXPECT_EQ(halves[0].bits, to_half(1.0f / 3).bits);
  EXPECT_EQ(halves[1].bits, to_half(2.5f / 3).bits);
  EXPECT_EQ(halves[2].bits, to_half(FILTER).bits);
  EXPECT_EQ(brains[1].bits, to_bfloat16(2.5f / 3).bits);
  EXPECT_EQ(brains[2].bits, to_bfloat16(FILTER).bits);
}

TEST(APaddedHead, IsNeverDrawnFromWhateverItHolds) {
  constexpr std::int64_t VOCAB = 37;
  constexpr std::int64_t WIDTH = 70;
  for (const float beyond : {100.0f, INFINITE, NOT_A_NUMBER}) {
    host_engine engine;
    const auto sampler = chain(Temperature{2}, TopK{5});
    const std::vector<RowStart> starts(20, RowStart{});
    StepState state = state_of(engine, sampler, criterion(), VOCAB, starts);
    std::vector<float> logits(index_of(WIDTH), beyond);
    for (std::int64_t i = 0; i < VOCAB; ++i) logits[index_of(i)] = 0.1f * static_cast<float>(i);
    std::vector<float> scores(index_of(20 * WIDTH), 7.0f);
    const host_logits view(logits.data(), 20, WIDTH, 0);
    apply(engine, sampler, state, view, host_scores(scores.data(), 20, WIDTH));
    EXPECT_EQ(kept({scores.begin(), scores.begin() + WIDTH}),
              (std::vector<int>{32, 33, 34, 35, 36}));
    Ids tokens(20);
    step(engine, sampler, criterion(), state, view, {.tokens = tokens});
    for (const std::int32_t token : tokens) {
      EXPECT_GE(token, 32);
      EXPECT_LT(token, VOCAB);
    }
  }
}

TEST(APromptTokenBeyondTheVocabulary, StaysInTheHistoryAndCountsForNothing) {
  constexpr std::int64_t VOCAB = 10;
  const RowStart with{.prompt = {5, 1000000, 7, 10, 5}};
  const std::vector<float> logits = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  host_engine engine;
  const auto penalised = chain(RepetitionPenalty{2});
  StepState state = state_of(engine, penalised, criterion(), VOCAB, {with});
  EXPECT_EQ(state.total(0), 5);
  EXPECT_EQ(state.history(0)[1], 1000000);
  const std::vector<float> expected = {1, 2, 3, 4, 5, 3, 7, 4, 9, 10};
  EXPECT_EQ(scores_of(penalised, logits, with), expected);
  EXPECT_EQ(scores_of(chain(PromptRepetitionPenalty{0.5}), logits, with), expected);
  // 5, 1000000 is no bigram; 5, 7 is one where they are neighbours.
  EXPECT_EQ(scores_of(chain(NoRepeatNGram{2}), logits, with), logits);
  EXPECT_EQ(kept(scores_of(chain(NoRepeatNGram{1}), logits, with)),
            (std::vector<int>{0, 1, 2, 3, 4, 6, 8, 9}));
}

TEST(APromptTokenBeyondTheVocabulary, ResetsAutomata) {
  constexpr std::int64_t VOCAB = 4;
  const BiasTable bias = sequence_bias({{{1, 2}, 10.0}}, VOCAB);
  const std::vector<float> logits(4, 0.0f);
  EXPECT_EQ(scores_of(chain(SequenceBias{bias}), logits, {.prompt = {0, 1}})[2], 10.0f);
  EXPECT_EQ(scores_of(chain(SequenceBias{bias}), logits, {.prompt = {0, 1, 99}})[2], 0.0f);

  host_engine engine;
  const StopTable table = stop_strings(std::vector<std::string>{"a", "b", "c", "d"}, {"ab"});
  const auto stop = criterion(StopStrings{table});
  StepState state = state_of(engine, chain(), stop, VOCAB,
                             {RowStart{.prompt = {0}}, RowStart{.prompt = {0, 99}}});
  commit(engine, chain(), stop, state, Ids{1, 1});
  EXPECT_EQ(state.status(0), Status::finished);
  EXPECT_EQ(state.status(1), Status::ok);
}

TEST(ANegativeId, IsRefusedInAPrompt) {
  host_engine engine;
  EXPECT_EQ(
      refusal_of([&] { state_of(engine, chain(), criterion(), 8, {RowStart{.prompt = {1, -1}}}); }),
      "admit: requests[0].prompt[1] is -1; it must be in [0, 2147483647]");
}

TEST(TwoCriteriaInOneStep, TheFirstInOrderNamesTheReason) {
  host_engine engine;
  const std::vector<std::string> pieces = {"a", "b", "c", ""};
  const StopTable table = stop_strings(pieces, {"c", "bc"});
  const auto ended_by = [&](const auto& stop) {
    StepState state = state_of(engine, chain(), stop, 4, {RowStart{.prompt = {0}}});
    commit(engine, chain(), stop, state, Ids{1, 2, 0}, Ids{3});
    EXPECT_EQ(state.position(0), 2);
    return std::pair(state.finish(0).criterion, state.finish(0).entry);
  };
  using Reason = std::pair<std::int16_t, std::int32_t>;
  EXPECT_EQ(ended_by(criterion(StopStrings{table}, EndOfSequence{{3, 2}}, MaxNewTokens{2})).first,
            0);
  EXPECT_EQ(ended_by(criterion(EndOfSequence{{3, 2}}, StopStrings{table}, MaxNewTokens{2})),
            (Reason{0, 1}));
  EXPECT_EQ(ended_by(criterion(MaxNewTokens{2}, EndOfSequence{{3, 2}}, StopStrings{table})),
            (Reason{0, 0}));
  EXPECT_EQ(ended_by(criterion(MaxNewTokens{9}, EndOfSequence{{3, 2}}, StopStrings{table})),
            (Reason{1, 1}));
}

TEST(SeveralTokensInOneCommit, AreTakenUpToTheFirstThatStops) {
  host_engine engine;
  const auto counted = chain(FrequencyPenalty{1});
  const auto stop = criterion(EndOfSequence{7}, MaxNewTokens{5});
  StepState state = state_of(engine, counted, stop, 8,
                             {RowStart{}, RowStart{}, RowStart{}, RowStart{.budget = 2}});
  std::vector<StepResult> results(4);
  const Ids tokens = {1, 2,  7, 3,  4, 4,  //
                      1, -1, 2, -1, 3, 3,  //
                      1, 2,  3, 4,  5, 6,  //
                      1, 2,  3, 4,  5, 6};
  const Ids counts = {6, 5, 6, 6};
  commit(engine, counted, stop, state, tokens, {.counts = counts, .results = results});
  EXPECT_EQ(texts_of(results), (std::vector<std::string>{
                                   "token 7, generated 3, finished, criterion 0, entry 0",
                                   "token 3, generated 3, ok, criterion -1, entry -1",
                                   "token 5, generated 5, finished, criterion 1, entry 0",
                                   "token 2, generated 2, finished, criterion 32767, entry -1"}));
  EXPECT_EQ(state.view().records[0].seen_size, 3);  // what was dropped was not counted
}

TEST(ARowWithoutASeed, IsRefusedOrTakesOneFromTheStateAndItsAdmission) {
  host_engine engine;
  const auto none = chain();
  const auto stop = criterion();
  StepState bare(engine, {.rows = 2, .capacity = 8, .vocab = 8}, needs(none, stop));
  EXPECT_EQ(refusal_of([&] { admit(engine, none, stop, bare, {.row = 0, .prompt = {1}}); }),
            "admit: requests[0] has no seed and neither has the state; give one of them, seeds are "
            "never made up");
  EXPECT_EQ(bare.status(0), Status::released);

  StepState seeded(engine, {.rows = 2, .capacity = 8, .vocab = 8, .seed = 5}, needs(none, stop));
  admit(engine, none, stop, seeded, {.row = 1, .prompt = {1}});
  admit(engine, none, stop, seeded, {.row = 0, .prompt = {1}});
  EXPECT_EQ(seeded.seed(1), draw_number(5, 0, PURPOSE_SEED));
  EXPECT_EQ(seeded.seed(0), draw_number(5, 1, PURPOSE_SEED));
  release(engine, seeded, 1);
  admit(engine, none, stop, seeded, {.row = 1, .prompt = {1}});
  EXPECT_EQ(seeded.seed(1), draw_number(5, 2, PURPOSE_SEED));
}

TEST(NGramBans, ReadTheRowsWholeHistory) {
  RowStart start;
  for (int i = 0; i < 50; ++i) start.prompt.push_back(i % 10);  // 0 1 2 ... 9 0 1 ...
  start.generated = {3, 4};
  const std::vector<float> logits(12, 1.0f);
  EXPECT_EQ(kept(scores_of(chain(NoRepeatNGram{3}), logits, start)),
            (std::vector<int>{0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11}));
}

TEST(ASpentBudget, EndsARowWithNoCriterionAskedForIt) {
  host_engine engine;
  const auto stop = criterion(EndOfSequence{3});
  StepState state = state_of(engine, chain(), stop, 8, {RowStart{.prompt = {1}, .budget = 2}});
  commit(engine, chain(), stop, state, Ids{4, 5, 3}, Ids{3});
  EXPECT_EQ(state.finish(0).criterion, BUDGET_SPENT);
  EXPECT_EQ(state.position(0), 2);
}

}  // namespace
