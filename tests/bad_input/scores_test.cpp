// SPDX-License-Identifier: Apache-2.0
// Logits that are no numbers, infinite, equal, subnormal or too large for their type.
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

const auto STOP = criterion();
constexpr float SUBNORMAL = 1e-41f;

/// One step of rows of logits: tokens, and statuses as text.
struct Outcome {
  std::vector<std::int32_t> tokens;
  std::vector<Status> statuses;
};

template <class ChainType>
Outcome outcome(const ChainType& chain, const std::vector<std::vector<float>>& rows) {
  host_engine engine;
  const auto vocab = static_cast<std::int64_t>(rows[0].size());
  std::vector<RowStart> starts;
  for (std::size_t i = 0; i < rows.size(); ++i) starts.push_back({.prompt = {1}, .seed = 9 + i});
  StepState state = state_of(engine, chain, STOP, vocab, starts);
  const std::vector<float> logits = joined(rows);
  Outcome found{std::vector<std::int32_t>(rows.size()), {}};
  step(engine, chain, STOP, state, host_logits(logits.data(), state.rows(), vocab),
       {.tokens = found.tokens});
  for (std::int64_t row = 0; row < state.rows(); ++row) {
    found.statuses.push_back(state.status(row));
  }
  return found;
}

TEST(BadInput, E09_ANaNAnywhereEndsItsRowAloneInTheFirstAndLastRowToo) {
  constexpr std::size_t VOCAB = 1300;
  std::vector<float> good(VOCAB);
  for (std::size_t i = 0; i < VOCAB; ++i) good[i] = 0.001f * static_cast<float>(i * 7 % VOCAB);
  const auto sampler = chain(Temperature{0.8}, TopK{40}, TopP{0.9});
  const Outcome without = outcome(sampler, {good, good, good});
  for (const std::size_t column : {std::size_t{0}, VOCAB / 2, VOCAB - 1}) {
    for (const std::size_t row : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
      std::vector<std::vector<float>> rows(3, good);
      rows[row][column] = NOT_A_NUMBER;
      const Outcome found = outcome(sampler, rows);
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(found.tokens[i], i == row ? -1 : without.tokens[i]);
        EXPECT_EQ(found.statuses[i], i == row ? Status::undefined_distribution : Status::ok);
      }
    }
  }
}

TEST(BadInput, E11_OneOrTwoInfiniteLogitsAreRefusedUnlessRepaired) {
  const std::vector<float> one = {1, INFINITE, 2};
  const std::vector<float> two = {1, INFINITE, INFINITE};
  const Outcome plain = outcome(chain(), {one, two});
  EXPECT_EQ(plain.tokens, (std::vector<std::int32_t>{-1, -1}));
  EXPECT_EQ(plain.statuses, std::vector<Status>(2, Status::undefined_distribution));
  const Outcome greedy = outcome(chain(Greedy{}), {one, two});
  EXPECT_EQ(greedy.tokens, (std::vector<std::int32_t>{-1, -1}));
  const Outcome repaired = outcome(chain(RemoveInvalidValues{}, Greedy{}), {one, two});
  EXPECT_EQ(repaired.tokens, (std::vector<std::int32_t>{1, 1})) << "the lowest id of two";
  for (const float score : scores_of(chain(RemoveInvalidValues{}, Renormalize{}), two)) {
    EXPECT_FALSE(is_nan(score));
  }
}

TEST(BadInput, E12_ARowWithNothingLeftDrawsMinusOneWhateverTheChain) {
  const std::vector<float> nothing(9, FILTER);
  const std::vector<float> good(9, 1.0f);
  const auto expect_refused = [&](const auto& sampler) {
    const Outcome found = outcome(sampler, {nothing, good});
    EXPECT_EQ(found.tokens[0], -1);
    EXPECT_EQ(found.statuses[0], Status::undefined_distribution);
    EXPECT_GE(found.tokens[1], 0);
    EXPECT_EQ(found.statuses[1], Status::ok);
  };
  expect_refused(chain());
  expect_refused(chain(Greedy{}));
  expect_refused(chain(Temperature{0.5}, TopK{3}, TopP{0.5}));
  expect_refused(chain(Typical{0.5}, Renormalize{}));
  expect_refused(chain(RepetitionPenalty{2}, FrequencyPenalty{1}, MinP{0.1}));
  // What is forced is alive again: the stage says so, and it is the only one but the repair.
  EXPECT_EQ(outcome(chain(ForcedBOS{4}), {nothing, good}).tokens,
            (std::vector<std::int32_t>{4, 4}));
}

TEST(BadInput, E13_EqualLogitsAcrossTheEdgeAreAllKeptOrTheLowestIds) {
  const std::vector<float> equal(1000, 0.25f);
  EXPECT_EQ(kept(scores_in_every_batch(chain(TopK{.k = 3, .ties = Ties::lowest_id}), equal)),
            (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(kept(scores_in_every_batch(chain(TopK{3}), equal)).size(), 1000u);
  EXPECT_EQ(kept(scores_in_every_batch(chain(Greedy{}), equal)), std::vector<int>{0});
  std::vector<float> edge(1000, 0.25f);
  edge[700] = edge[10] = 0.5f;
  EXPECT_EQ(kept(scores_in_every_batch(chain(TopK{.k = 3, .ties = Ties::lowest_id}), edge)),
            (std::vector<int>{0, 10, 700}));
}

TEST(BadInput, E14_ZerosOfBothSignsAreEqual) {
  const std::vector<float> zeros = {-1.0f, -0.0f, 0.0f, -0.0f, 0.0f};
  EXPECT_EQ(kept(scores_of(chain(Greedy{}), zeros)), std::vector<int>{1});
  EXPECT_EQ(kept(scores_of(chain(TopK{1}), zeros)), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(kept(scores_of(chain(TopK{.k = 2, .ties = Ties::lowest_id}), zeros)),
            (std::vector<int>{1, 2}));
  EXPECT_EQ(kept(scores_of(chain(MinP{1}), zeros)), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(outcome(chain(), {zeros}).tokens,
            outcome(chain(), {{-1.0f, 0.0f, 0.0f, 0.0f, 0.0f}}).tokens);
}

TEST(BadInput, E15_SubnormalAndLargestLogitsAreComputedInFloat) {
  EXPECT_EQ(kept(scores_of(chain(TopK{1}), {0.0f, SUBNORMAL, -SUBNORMAL})), std::vector<int>{1});
  EXPECT_EQ(scores_of(chain(Temperature{0.5}), {SUBNORMAL, 0.0f})[0], SUBNORMAL / 0.5f);
  EXPECT_EQ(scores_of(chain(RepetitionPenalty{2}), {1.0f, -SUBNORMAL}, {.prompt = {1}})[1],
            -2 * SUBNORMAL);

  host_engine engine;
  const auto penalty = chain(RepetitionPenalty{1.5}, FrequencyPenalty{-1});
  const auto scores_at = [&](DType type, const std::vector<float>& logits) {
    LogitsMemory memory(type, 1, 3, 3, 1);
    memory.set_row(0, logits);
    StepState state = state_of(engine, penalty, STOP, 3, {{.prompt = {0, 1}, .generated = {1}}});
    std::vector<float> scores(3);
    apply(engine, penalty, state, memory.view(), host_scores(scores.data(), 1, 3));
    return scores;
  };
  EXPECT_EQ(scores_at(DType::f16, {65504, -65504, 65504}),
            (std::vector<float>{65504 / 1.5f, -65504 * 1.5f + 1, 65504}));
  const float huge = widen(to_bfloat16(3e38f));
  EXPECT_EQ(scores_at(DType::bf16, {huge, -huge, huge}),
            (std::vector<float>{huge / 1.5f, FILTER, huge}));
}

TEST(BadInput, E15_APenaltyThatOverflowsTheBestScoreHasTheRowRefused) {
  host_engine engine;
  const auto reward = chain(RepetitionPenalty{0.1});
  StepState state = state_of(engine, reward, STOP, 2, {{.prompt = {0}}, {.prompt = {0}}});
  const std::vector<float> logits = {3e38f, 1.0f, 3e37f, 1.0f};
  std::vector<std::int32_t> tokens(2);
  step(engine, reward, STOP, state, host_logits(logits.data(), 2, 2), {.tokens = tokens});
  EXPECT_EQ(tokens, (std::vector<std::int32_t>{-1, 0}));
  EXPECT_EQ(state.status(0), Status::undefined_distribution);
}

TEST(BadInput, E16_NoTemperatureMakesTokenZeroWinThatIsNotTheBest) {
  const std::vector<float> logits = {-100.0f, 2.0f, 65504.0f, 1.0f};
  for (const double value : {0.0, 1e-320, 1e-45, 1e-38,
                             static_cast<double>(std::numeric_limits<float>::min()), 0.0003}) {
    EXPECT_EQ(outcome(chain(Temperature{value}), {logits}).tokens[0], 2) << value;
  }
  const Outcome flat = outcome(chain(Temperature{1e38}), {logits});
  EXPECT_EQ(flat.statuses[0], Status::ok);
  for (const double value :
       {-1.0, static_cast<double>(INFINITE), static_cast<double>(NOT_A_NUMBER)}) {
    EXPECT_EQ(refusal_of([&] { chain(Temperature{value}); }).find("Temperature: value is "), 0u);
  }
}

}  // namespace
