// SPDX-License-Identifier: Apache-2.0
// Token ids that no vocabulary has, wherever an id can be given; histories at their limits.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

constexpr std::int64_t VOCAB = 40;
constexpr std::int64_t MOST = 2147483647;
const auto NONE = chain();
const auto STOP = criterion();

/// Ids that come out as small ones where somebody narrows them, and ids just outside.
const std::vector<std::int64_t> OUTSIDE = {VOCAB,
                                           VOCAB + 1,
                                           MOST,
                                           MOST + 1,
                                           -1,
                                           -MOST - 1,
                                           (std::int64_t{1} << 32) + 1,
                                           std::int64_t{1} << 40,
                                           std::numeric_limits<std::int64_t>::min(),
                                           std::numeric_limits<std::int64_t>::max()};

void expect_refused(const std::string& text, std::int64_t id) {
  EXPECT_NE(text.find(std::to_string(id)), std::string::npos) << "of " << id << ": " << text;
}

TEST(BadInput, E01_BiasIdsOutsideOfTheVocabularyAreRefusedByValueAndRange) {
  EXPECT_EQ(refusal_of([] { (void)sequence_bias({{{151936}, 1.0}}, 151936); }),
            "sequence_bias: entry 0, token 0 is 151936; it must be in [0, 151936), the vocabulary");
  for (const std::int64_t id : OUTSIDE) {
    expect_refused(refusal_of([&] { (void)sequence_bias({{{1}, 1.0}, {{3, id}, 1.0}}, VOCAB); }),
                   id);
    expect_refused(refusal_of([&] { (void)bad_words({{id, 3}}, {}, VOCAB); }), id);
  }
}

TEST(BadInput, E02_NoListOfIdsNarrowsWhatItIsGiven) {
  host_engine engine;
  const auto admission = [&](const auto& chain, const auto& stop) {
    return refusal_of([&] { state_of(engine, chain, stop, VOCAB, {RowStart{}}); });
  };
  for (const std::int64_t id : OUTSIDE) {
    const auto made = [&](auto stage) {
      return refusal_of([&] {
        const std::string refused = admission(chain(stage(id)), STOP);
        if (refused != "accepted") throw invalid_argument(refused);
      });
    };
    expect_refused(made([](std::int64_t i) { return SuppressTokens{i}; }), id);
    expect_refused(made([](std::int64_t i) { return BeginSuppressTokens{{1, i}, 0}; }), id);
    expect_refused(made([](std::int64_t i) { return MinLength{5, {1, i}}; }), id);
    expect_refused(made([](std::int64_t i) { return MinNewTokens{5, i}; }), id);
    expect_refused(made([](std::int64_t i) { return ForcedEOS{i, 5}; }), id);
    expect_refused(made([](std::int64_t i) { return ExponentialDecayLengthPenalty{1, 2, i}; }), id);
    if (id != -1) expect_refused(made([](std::int64_t i) { return ForcedBOS{i}; }), id);
    expect_refused(refusal_of([&] {
                     const auto stop = criterion(EndOfSequence{{2, id}});
                     state_of(engine, NONE, stop, VOCAB, {RowStart{}});
                   }),
                   id);
  }
}

TEST(BadInput, E02_NoHistoryTakesAnIdThatDoesNotFit) {
  host_engine engine;
  StepState state = state_of(engine, NONE, STOP, VOCAB, {RowStart{.prompt = {1}}, RowStart{}});
  release(engine, state, 1);
  const std::vector<unsigned char> before = bytes_of_row(state, 0);
  for (const std::int64_t id : OUTSIDE) {
    if (id >= 0 && id <= MOST) continue;  // placeholders, see E06
    expect_refused(refusal_of([&] {
                     admit(engine, NONE, STOP, state, {.row = 1, .prompt = {1, id}, .seed = 1});
                   }),
                   id);
    expect_refused(refusal_of([&] {
                     admit(engine, NONE, STOP, state,
                           {.row = 1, .prompt = {}, .generated = {id}, .seed = 1});
                   }),
                   id);
  }
  for (const std::int64_t id : OUTSIDE) {
    if (id == -1) continue;  // nothing for this row
    expect_refused(refusal_of([&] {
                     commit(engine, NONE, STOP, state, std::vector<std::int64_t>{3, id},
                            {.items = {}, .each = 1});
                   }),
                   id);
  }
  EXPECT_EQ(bytes_of_row(state, 0), before);
  EXPECT_EQ(state.status(1), Status::released);
}

TEST(BadInput, E05_ARowWithEveryTokenBannedIsRefusedAndDrawsNone) {
  host_engine engine;
  std::vector<std::int32_t> all;
  for (std::int32_t id = 0; id < VOCAB; ++id) all.push_back(id);
  const std::vector<std::int32_t> offsets = {0, -1};
  const auto bans = chain(BeginSuppressTokens{all, per_row(offsets)});
  StepState state = state_of(engine, bans, STOP, VOCAB, {RowStart{}, RowStart{}});
  const std::vector<float> logits(index_of(2 * VOCAB), 1.0f);
  std::vector<std::int32_t> tokens(2);
  step(engine, bans, STOP, state, host_logits(logits.data(), 2, VOCAB), {.tokens = tokens});
  EXPECT_EQ(tokens[0], -1);
  EXPECT_EQ(state.status(0), Status::undefined_distribution);
  EXPECT_GE(tokens[1], 0);
  EXPECT_EQ(refusal_of([] { chain(SuppressTokens{TokenList()}); }), "accepted") << "bans nothing";
}

TEST(BadInput, E06_PlaceholdersInAPromptLeaveNoTraceInAnyRow) {
  host_engine engine;
  const BiasTable table = sequence_bias({{{1, 2}, 5.0}, {{3}, 1.0}}, VOCAB);
  const auto rules =
      chain(RepetitionPenalty{1.5}, FrequencyPenalty{0.25}, NoRepeatNGram{2}, SequenceBias{table});
  const RowStart plain{.prompt = {1, 2, 3, 1}, .seed = 5};
  RowStart with = plain;
  with.prompt = {VOCAB, 1, 2, 3, VOCAB + 31, MOST, 1};
  StepState state = state_of(engine, rules, STOP, VOCAB, {plain, with, plain});
  EXPECT_EQ(state.total(1), 7);
  EXPECT_EQ(state.view().records[1].seen_size, 3);
  const StepState alone = state_of(engine, rules, STOP, VOCAB, {plain, plain, plain});
  expect_same_row(state, 0, alone, 0);
  expect_same_row(state, 2, alone, 2);

  const std::vector<float> logits(index_of(VOCAB), 1.0f);
  EXPECT_EQ(bits(scores_of(rules, logits, with)), bits(scores_of(rules, logits, plain)));
  for (const std::int64_t negative : {std::int64_t{-1}, -MOST - 1}) {
    EXPECT_EQ(refusal_of([&] {
                state_of(engine, rules, STOP, VOCAB, {RowStart{.prompt = {3, negative}}});
              }),
              "admit: requests[0].prompt[1] is " + std::to_string(negative) +
                  "; it must be in [0, 2147483647]");
  }
}

TEST(BadInput, E07_HistoriesMayBeEmptyOrFullAndNoLonger) {
  host_engine engine;
  const auto rules = chain(RepetitionPenalty{1.5}, NoRepeatNGram{2}, ForcedBOS{3});
  StepState state(engine, {.rows = 2, .capacity = 6, .vocab = VOCAB, .seed = 1},
                  needs(rules, STOP));
  admit(engine, rules, STOP, state, {.row = 0, .prompt = {}});
  admit(engine, rules, STOP, state, {.row = 1, .prompt = {1, 2, 3, 4, 5, 6}});
  EXPECT_EQ(state.total(0), 0);
  EXPECT_EQ(state.status(1), Status::finished) << "no room: the budget is spent";
  EXPECT_EQ(state.finish(1).criterion, BUDGET_SPENT);
  const std::vector<float> logits(index_of(VOCAB), 1.0f);
  std::vector<std::int32_t> tokens(2);
  step(engine, rules, STOP, state, host_logits(logits.data(), 2, VOCAB, 0), {.tokens = tokens});
  EXPECT_GE(tokens[0], 0);
  EXPECT_EQ(tokens[1], -1);

  release(engine, state, 1);
  EXPECT_EQ(refusal_of([&] {
              admit(engine, rules, STOP, state, {.row = 1, .prompt = {1, 2, 3, 4, 5, 6, 7}});
            }),
            "admit: requests[0] has 7 prompt and 0 generated tokens; a row of this state holds 6");
  EXPECT_NE(refusal_of([&] {
              admit(engine, rules, STOP, state, {.row = 1, .prompt = {1}, .budget = -1});
            }).find("budget is -1"),
            std::string::npos);
  EXPECT_NE(refusal_of([&] {
              const std::vector<std::int32_t> counts = {-1, 1};
              commit(engine, rules, STOP, state, std::vector<std::int32_t>{1, 2}, counts);
            }).find("counts[0] is -1"),
            std::string::npos);
}

TEST(BadInput, E08_WhatLiesBehindAHistoryIsNeverRead) {
  host_engine engine;
  const BiasTable table = sequence_bias({{{7, 7}, 5.0}}, VOCAB);
  const auto rules =
      chain(RepetitionPenalty{1.5}, NoRepeatNGram{3}, PromptNoRepeatNGram{2}, SequenceBias{table});
  const auto tokens_with = [&](std::int32_t garbage) {
    std::vector<std::int32_t> histories(3 * 50, garbage);
    StepState state(engine, {.rows = 3, .capacity = 20, .vocab = VOCAB, .seed = 3},
                    needs(rules, STOP), {.tokens = histories.data(), .token_stride = 50});
    admit(engine, rules, STOP, state,
          {{.row = 0, .prompt = {7, 7, 7}}, {.row = 1, .prompt = {}}, {.row = 2, .prompt = {7}}});
    std::vector<std::int32_t> all;
    const std::vector<float> logits(index_of(VOCAB), 1.0f);
    std::vector<std::int32_t> tokens(3);
    for (int i = 0; i < 10; ++i) {
      step(engine, rules, STOP, state, host_logits(logits.data(), 3, VOCAB, 0), {.tokens = tokens});
      all.insert(all.end(), tokens.begin(), tokens.end());
    }
    for (std::size_t i = 20; i < 50; ++i) EXPECT_EQ(histories[i], garbage);
    return all;
  };
  const std::vector<std::int32_t> clean = tokens_with(0);
  for (const std::int32_t garbage : {7, 1000000, -1, std::numeric_limits<std::int32_t>::min()}) {
    EXPECT_EQ(tokens_with(garbage), clean) << garbage;
  }
}

}  // namespace
