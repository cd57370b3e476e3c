// SPDX-License-Identifier: Apache-2.0
// The fused step against its parts: apply, draw, commit give what step gives, bit for bit.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

constexpr std::int64_t VOCAB = 1300;  // two whole blocks of a sweep and a part of one
constexpr int ROWS = 5;
constexpr int STEPS = 5;

/// How logits lie in memory.
struct Placement {
  const char* name;
  DType type;
  std::int64_t width;
  std::int64_t stride;
  std::int64_t offset;
};
constexpr Placement PLACEMENTS[] = {
    {"dense", DType::f32, VOCAB, VOCAB, 0},
    {"padded rows of a wider head", DType::f32, VOCAB + 37, VOCAB + 101, 0},
    {"backwards, unaligned", DType::f32, VOCAB + 1, -(VOCAB + 3), 1},
    {"one row for all", DType::f32, VOCAB, 0, 0},
    {"half, unaligned", DType::f16, VOCAB + 5, VOCAB + 5, 1},
    {"bfloat16 of a wider head", DType::bf16, VOCAB + 64, VOCAB + 65, 3},
};

/// Histories with repeats, so that penalties and n-grams have something to do.
std::vector<RowStart> starts() {
  std::vector<RowStart> rows;
  std::mt19937 random(11);
  for (int row = 0; row < ROWS; ++row) {
    RowStart start{.seed = random(), .budget = 3 + row};
    for (int i = 0; i < 6 + row; ++i) start.prompt.push_back(random() % 7);
    rows.push_back(start);
  }
  rows[2].generated = {1, 2, 1};
  rows[2].budget = 20;
  return rows;
}

template <class ChainType, class StopType>
void expect_the_parts_to_give_the_step(const ChainType& chain, const StopType& stop,
                                       bool ends_by_budget = true) {
  std::mt19937 random(3);
  for (const Placement& placement : PLACEMENTS) {
    SCOPED_TRACE(placement.name);
    host_engine engine;
    StepState whole = state_of(engine, chain, stop, VOCAB, starts());
    StepState parts = state_of(engine, chain, stop, VOCAB, starts());
    LogitsMemory memory(placement.type, ROWS, placement.width, placement.stride, placement.offset);
    std::vector<int> drawn(ROWS, 0);
    for (int step_number = 0; step_number < STEPS; ++step_number) {
      for (int row = 0; row < ROWS; ++row) memory.set_row(row, random_row(random, VOCAB));
      const host_logits logits = memory.view();

      std::vector<std::int32_t> tokens(ROWS, -7);
      std::vector<StepResult> results(ROWS);
      step(engine, chain, stop, whole, logits, {.tokens = tokens, .results = results});

      std::vector<float> scores(index_of(ROWS * VOCAB), 0.0f);
      std::vector<std::int32_t> tokens_of_parts(ROWS, -7);
      std::vector<StepResult> results_of_parts(ROWS);
      apply(engine, chain, parts, logits, host_scores(scores.data(), ROWS, VOCAB));
      draw(engine, parts, host_scores(scores.data(), ROWS, VOCAB), tokens_of_parts);
      commit(engine, chain, stop, parts, tokens_of_parts, {.results = results_of_parts});

      EXPECT_EQ(tokens, tokens_of_parts);
      EXPECT_EQ(texts_of(results), texts_of(results_of_parts));
      for (int row = 0; row < ROWS; ++row) {
        expect_same_row(whole, row, parts, row);
        drawn[index_of(row)] += tokens[index_of(row)] >= 0 ? 1 : 0;
      }
    }
    // Rows ended where their budgets said, not before.
    for (int row = 0; row < ROWS; ++row) EXPECT_GT(drawn[index_of(row)], 0);
    if (ends_by_budget) {
      EXPECT_EQ(drawn[0], 3);
    }
  }
}

const auto NO_STOP = criterion();

TEST(Parts, GiveTheStepOfNoTransformAtAll) { expect_the_parts_to_give_the_step(chain(), NO_STOP); }

TEST(Parts, GiveTheStepOfAPlainSampler) {
  expect_the_parts_to_give_the_step(chain(Temperature{0.7}, TopK{50}, TopP{0.9}), NO_STOP);
}

TEST(Parts, GiveTheStepOfPenaltiesInFrontOfASampler) {
  expect_the_parts_to_give_the_step(
      chain(RepetitionPenalty{1.1}, Temperature{0.7}, TopK{20}, TopP{0.8}), NO_STOP);
}

TEST(Parts, GiveTheStepOfAChainThatEndsWithItsTemperature) {
  expect_the_parts_to_give_the_step(
      chain(FrequencyPenalty{0.5}, PresencePenalty{0.25}, MinP{0.02}, Temperature{1.5}), NO_STOP);
}

TEST(Parts, GiveTheStepOfGreedySearch) {
  expect_the_parts_to_give_the_step(chain(RepetitionPenalty{1.3}, TopK{9}, Greedy{}), NO_STOP);
}

TEST(Parts, GiveTheStepOfTypicalSampling) {
  expect_the_parts_to_give_the_step(chain(Typical{0.9}, EpsilonCutoff{0.0005}), NO_STOP);
}

TEST(Parts, GiveTheStepOfBansInFrontOfACutoff) {
  expect_the_parts_to_give_the_step(
      chain(NoRepeatNGram{2}, SuppressTokens{{3, 5, 1299}}, EtaCutoff{0.0009}), NO_STOP);
}

TEST(Parts, GiveTheStepOfTopHAndNormalisedScores) {
  expect_the_parts_to_give_the_step(chain(TopH{.fraction = 0.6}, Renormalize{}), NO_STOP);
}

TEST(Parts, GiveTheStepOfBiasedSequences) {
  const BiasTable table =
      sequence_bias({{{1, 2}, 2.5}, {{2}, -1.0}, {{5, 1, 2}, 4.0}, {{6, 6}, 3.0}}, VOCAB);
  expect_the_parts_to_give_the_step(chain(SequenceBias{table}, Temperature{0.9}, TopK{40}),
                                    NO_STOP);
}

TEST(Parts, GiveTheStepOfRowsThatEachHaveTheirOwnNumbers) {
  const std::vector<float> temperatures = {0.0f, 1.0f, 0.3f, 2.0f, 1e-45f};
  const std::vector<std::int32_t> ks = {0, 1, 10, 2000, 100};
  const std::vector<float> ps = {1.0f, 0.5f, 0.0f, 0.95f, 0.8f};
  expect_the_parts_to_give_the_step(
      chain(Temperature{per_row(temperatures)}, TopK{per_row(ks)}, TopP{per_row(ps)}), NO_STOP);
}

TEST(Parts, GiveTheStepOfAFilterWhoseRemovedTokensComeBack) {
  expect_the_parts_to_give_the_step(chain(TopK{30}, RemoveInvalidValues{}, TopP{0.7}), NO_STOP);
}

TEST(Parts, GiveTheStepOfLengthRulesAndTheJointFilter) {
  expect_the_parts_to_give_the_step(
      chain(MinNewTokens{2, 4}, ForcedEOS{{4, 9}}, ExponentialDecayLengthPenalty{1, 1.1, 4},
            JointTopKTopP{.k = 30, .p = 0.9}),
      NO_STOP);
}

TEST(Parts, GiveTheStepOfACallableOfOnesOwn) {
  const auto own = [](const RowView& row, int token, float score) {
    return token % 2 == row.generated() % 2 ? score : score - 1.0f;
  };
  expect_the_parts_to_give_the_step(chain(own, TopK{25}, own), NO_STOP);
}

TEST(Parts, GiveTheStepOfRowsThatStopForSeveralReasons) {
  std::vector<std::string> pieces(VOCAB, "x");
  for (std::size_t i = 0; i < pieces.size(); i += 2) pieces[i] = "ab";
  const StopTable table = stop_strings(pieces, {"aba", "xxx"});
  const std::vector<std::int32_t> counts = {0, 2, 0, 1, 3};
  expect_the_parts_to_give_the_step(
      chain(TopK{500}),
      criterion(StopStrings{table}, EndOfSequence{{2, 3}}, MaxNewTokens{per_row(counts)}), false);
}

}  // namespace
