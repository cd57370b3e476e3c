// SPDX-License-Identifier: Apache-2.0
// Every number that a stage has, one per row: each row has the scores that it has alone, with its
// number given for the batch.
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

constexpr std::int64_t VOCAB = 1200;
constexpr std::size_t ROWS = 4;

/// Rows whose prompts and generated tokens differ in length and share tokens.
std::vector<RowStart> starts() {
  return {{.prompt = {1}, .budget = 2},
          {.prompt = {1, 2, 3, 1, 2}, .generated = {3}, .seed = 2, .budget = 9},
          {.prompt = {4, 5}, .generated = {4, 5, 4}, .seed = 3, .budget = 4},
          {.prompt = {6, 7, 6}, .generated = {7, 7}, .seed = 4}};
}

/// `make` gives the stage from one parameter; `numbers` are those of the rows.
template <class T, class Make>
void expect_each_row_its_own(const char* what, const std::vector<T>& numbers, Make make) {
  host_engine engine;
  std::mt19937 random(17);
  std::vector<float> logits = random_row(random, VOCAB);
  for (std::int32_t token = 0; token < 9; ++token) logits[index_of(token)] += 9.0f;
  const auto rows = chain(make(Param<T>(per_row(numbers))));
  StepState state = state_of(engine, rows, criterion(), VOCAB, starts());
  std::vector<float> scores = joined(std::vector<std::vector<float>>(ROWS, logits));
  apply(engine, rows, state, host_logits(scores.data(), ROWS, VOCAB),
        host_scores(scores.data(), ROWS, VOCAB));
  std::vector<std::vector<std::uint32_t>> of_rows;
  for (std::size_t row = 0; row < ROWS; ++row) {
    const auto alone = chain(make(Param<T>(numbers[row])));
    const float* const at = scores.data() + row * logits.size();
    of_rows.push_back(bits({at, at + logits.size()}));
    EXPECT_EQ(of_rows[row], bits(scores_of(alone, logits, starts()[row])))
        << what << ", row " << row;
  }
  bool same = true;
  for (const auto& row : of_rows) same = same && row == of_rows[0];
  EXPECT_FALSE(same) << what << ": rows with other numbers must have other scores";
}

using Real = Param<float>;
using Whole = Param<std::int32_t>;

TEST(ANumberPerRow, IsTheRowsOwnInEveryScaleAndFilter) {
  expect_each_row_its_own<float>("Temperature", {0.0f, 0.5f, 1.0f, 3.0f},
                                 [](Real n) { return Temperature{n}; });
  expect_each_row_its_own<std::int32_t>("TopK.k", {0, 3, 700, 2000},
                                        [](Whole n) { return TopK{n}; });
  expect_each_row_its_own<std::int32_t>("TopK.min", {1, 3, 7, 9},
                                        [](Whole n) { return TopK{2, n}; });
  expect_each_row_its_own<float>("TopP.p", {0.0f, 0.3f, 0.999f, 1.0f},
                                 [](Real n) { return TopP{n}; });
  expect_each_row_its_own<std::int32_t>("TopP.min", {1, 30, 7, 2},
                                        [](Whole n) { return TopP{0.01, n}; });
  expect_each_row_its_own<std::int32_t>("Joint.k", {0, 3, 50, 2},
                                        [](Whole n) { return JointTopKTopP{n, 0.9}; });
  expect_each_row_its_own<float>("Joint.p", {1.0f, 0.0f, 0.5f, 0.99f},
                                 [](Real n) { return JointTopKTopP{40, n}; });
  expect_each_row_its_own<float>("MinP.p", {0.0f, 0.5f, 1.0f, 0.01f},
                                 [](Real n) { return MinP{n}; });
  expect_each_row_its_own<std::int32_t>("MinP.min", {1, 30, 7, 2},
                                        [](Whole n) { return MinP{1, n}; });
  expect_each_row_its_own<float>("Typical.mass", {1.0f, 0.2f, 0.9f, 0.5f},
                                 [](Real n) { return Typical{n}; });
  expect_each_row_its_own<std::int32_t>("Typical.min", {1, 30, 7, 2},
                                        [](Whole n) { return Typical{0.01, n}; });
  expect_each_row_its_own<float>("Epsilon", {0.0f, 0.1f, 0.5f, 1e-6f},
                                 [](Real n) { return EpsilonCutoff{n}; });
  expect_each_row_its_own<std::int32_t>("Epsilon.min", {1, 30, 7, 2},
                                        [](Whole n) { return EpsilonCutoff{0.9, n}; });
  expect_each_row_its_own<float>("Eta", {0.0f, 0.1f, 0.5f, 1e-6f},
                                 [](Real n) { return EtaCutoff{n}; });
  expect_each_row_its_own<std::int32_t>("Eta.min", {1, 30, 7, 2},
                                        [](Whole n) { return EtaCutoff{0.9, n}; });
  expect_each_row_its_own<float>("TopH.fraction", {0.0f, 0.1f, 0.5f, 1.0f},
                                 [](Real n) { return TopH{n}; });
  expect_each_row_its_own<std::int32_t>("TopH.candidates", {1, 3, 50, 900},
                                        [](Whole n) { return TopH{1, n}; });
  expect_each_row_its_own<float>("TopNSigma", {0.0f, 0.1f, 1.0f, 2.0f},
                                 [](Real n) { return TopNSigma{n}; });
}

TEST(ANumberPerRow, IsTheRowsOwnInEveryPenalty) {
  expect_each_row_its_own<float>("Repetition", {1.0f, 1.5f, 0.5f, 3.0f},
                                 [](Real n) { return RepetitionPenalty{n}; });
  expect_each_row_its_own<std::int32_t>("Repetition.ignored", {0, 5, 2, 4},
                                        [](Whole n) { return RepetitionPenalty{2, n}; });
  expect_each_row_its_own<float>("PromptRepetition", {1.0f, 1.5f, 0.5f, 3.0f},
                                 [](Real n) { return PromptRepetitionPenalty{n}; });
  expect_each_row_its_own<float>("Frequency", {0.0f, 0.5f, -2.0f, 0.1f},
                                 [](Real n) { return FrequencyPenalty{n}; });
  expect_each_row_its_own<float>("Presence", {0.0f, 0.5f, -2.0f, 0.1f},
                                 [](Real n) { return PresencePenalty{n}; });
  expect_each_row_its_own<std::int32_t>("NGram", {0, 3, 2, 1},
                                        [](Whole n) { return NoRepeatNGram{n}; });
  expect_each_row_its_own<std::int32_t>("PromptNGram", {0, 3, 1, 2},
                                        [](Whole n) { return PromptNoRepeatNGram{n}; });
}

TEST(ANumberPerRow, IsTheRowsOwnInEveryRuleOfLength) {
  const TokenList eos = {2, 8};
  expect_each_row_its_own<std::int32_t>("BeginSuppress", {0, 1, 2, -1},
                                        [eos](Whole n) { return BeginSuppressTokens{eos, n}; });
  expect_each_row_its_own<std::int32_t>("ForcedBOS", {3, -1, 5, 6},
                                        [](Whole n) { return ForcedBOS{n}; });
  expect_each_row_its_own<std::int32_t>("ForcedEOS", {2, 7, 0, 5},
                                        [eos](Whole n) { return ForcedEOS{eos, n}; });
  expect_each_row_its_own<std::int32_t>("MinLength", {1, 7, 5, 6},
                                        [eos](Whole n) { return MinLength{n, eos}; });
  expect_each_row_its_own<std::int32_t>("MinNewTokens", {0, 2, 3, 2},
                                        [eos](Whole n) { return MinNewTokens{n, eos}; });
  expect_each_row_its_own<std::int32_t>("Decay.start", {0, 3, 1, 0}, [eos](Whole n) {
    return ExponentialDecayLengthPenalty{n, 1.5, eos};
  });
  expect_each_row_its_own<float>("Decay.factor", {1.5f, 1.0f, 0.5f, 3.0f}, [eos](Real n) {
    return ExponentialDecayLengthPenalty{0, n, eos};
  });
}

TEST(ABudget, IsTheRowsOwnWhereTheEndIsForced) {
  const auto ending = chain(ForcedEOS{2});
  const std::vector<float> logits(5, 1.0f);
  const std::vector<float> forced = {FILTER, FILTER, 0.0f, FILTER, FILTER};
  for (const std::int64_t budget : {2, 3, 4}) {
    const RowStart start{.prompt = {1, 4}, .generated = {3}, .budget = budget};
    EXPECT_EQ(scores_of(ending, logits, start), budget == 2 ? forced : logits) << budget;
  }
}

}  // namespace
