// SPDX-License-Identifier: Apache-2.0
// A temperature of 0, or one at which the best score overflows, is Greedy at its place in the
// chain.
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

constexpr float SMALLEST_NORMAL = std::numeric_limits<float>::min();

TEST(ATemperature, OfZeroLeavesTheBestTokenAlone) {
  EXPECT_EQ(scores_in_every_batch(chain(Temperature{0}), {1.0f, 5.0f, 5.0f, -2.0f}),
            (std::vector<float>{FILTER, 0.0f, FILTER, FILTER}));
  EXPECT_EQ(scores_of(chain(Temperature{0}), {-7.0f, -9.0f}), (std::vector<float>{0.0f, FILTER}));
  EXPECT_EQ(scores_of(chain(Temperature{-0.0}), {-7.0f, 3.0f}), (std::vector<float>{FILTER, 0.0f}));
}

TEST(ATemperature, AtWhichTheBestScoreOverflowsLeavesItAlone) {
  for (const double value : {1e-45, 1e-40, 1e-39}) {
    EXPECT_EQ(scores_of(chain(Temperature{value}), {1.0f, 5.0f, 5.0f}),
              (std::vector<float>{FILTER, 0.0f, FILTER}))
        << value;
    EXPECT_EQ(scores_of(chain(Temperature{value}), {-5.0f, -1.0f, -1.0f}),
              (std::vector<float>{FILTER, 0.0f, FILTER}))
        << value;
  }
  EXPECT_EQ(scores_of(chain(Temperature{0.5}), {LARGEST, 1.0f, LARGEST}),
            (std::vector<float>{0.0f, FILTER, FILTER}));
}

TEST(ATemperature, DividesWhereTheBestScoreStaysFinite) {
  for (const float value : {1e-38f, SMALLEST_NORMAL, 0.0003f, 0.7f, 3.0f, 1e30f}) {
    const std::vector<float> logits = {1.0f, 2.0f, -0.5f, 2.0f};
    std::vector<float> expected;
    for (const float logit : logits) expected.push_back(logit / value);
    EXPECT_EQ(bits(scores_of(chain(Temperature{value}), logits)), bits(expected)) << value;
  }
}

TEST(ATemperature, MeetsHalfPrecisionLogits) {
  host_engine engine;
  const std::vector<float> logits = {-65504.0f, 3.0f, 65504.0f, 65472.0f, 65504.0f};
  const auto scores_at = [&](double value) {
    LogitsMemory memory(DType::f16, 1, 5, 5);
    memory.set_row(0, logits);
    const auto chain_of_one = chain(Temperature{value});
    StepState state = state_of(engine, chain_of_one, criterion(), 5, {RowStart{}});
    std::vector<float> scores(5);
    apply(engine, chain_of_one, state, memory.view(), host_scores(scores.data(), 1, 5));
    return scores;
  };
  const std::vector<float> greedy = {FILTER, FILTER, 0.0f, FILTER, FILTER};
  EXPECT_EQ(scores_at(0), greedy);
  EXPECT_EQ(scores_at(1e-45), greedy);
  EXPECT_EQ(scores_at(1e-38), greedy);
  EXPECT_EQ(scores_at(static_cast<double>(SMALLEST_NORMAL)), greedy);
  std::vector<float> divided;
  for (const float logit : logits) divided.push_back(logit / 0.0003f);
  EXPECT_EQ(scores_at(0.0003), divided);
}

TEST(ATemperature, OfZeroInAChainIsGreedyThere) {
  std::mt19937 random(23);
  const auto shift = [](const RowView&, int token, float score) {
    return token % 3 == 0 ? score - 4.0f : score * 2.0f;
  };
  for (int i = 0; i < 5; ++i) {
    const std::vector<float> row = random_row(random, 700, 0.1f, 90);
    for (const double value : {0.0, 1e-45}) {
      const auto expect_greedy = [&](const auto& small, const auto& greedy) {
        EXPECT_EQ(bits(scores_of(small, row)), bits(scores_of(greedy, row)));
      };
      expect_greedy(chain(shift, Temperature{value}, shift), chain(shift, Greedy{}, shift));
      expect_greedy(chain(TopK{9}, Temperature{value}, Renormalize{}, shift),
                    chain(TopK{9}, Greedy{}, Renormalize{}, shift));
      expect_greedy(chain(Temperature{value}, RemoveInvalidValues{}, TopP{0.5}),
                    chain(Greedy{}, RemoveInvalidValues{}, TopP{0.5}));
      expect_greedy(chain(SuppressTokens{{1, 2, 3}}, shift, Temperature{value}, TopK{3}),
                    chain(SuppressTokens{{1, 2, 3}}, shift, Greedy{}, TopK{3}));
      expect_greedy(chain(Temperature{value}, SuppressTokens{{1, 2, 3}}, Temperature{0.5}),
                    chain(Greedy{}, SuppressTokens{{1, 2, 3}}, Temperature{0.5}));
    }
  }
}

TEST(ATemperature, OfZeroInOneRowLeavesTheOthersAlone) {
  const std::vector<float> temperatures = {0.7f, 0.0f, 2.0f, 1e-45f};
  const auto sampler = chain(Temperature{per_row(temperatures)}, TopK{2});
  host_engine engine;
  StepState state = state_of(engine, sampler, criterion(), 4, std::vector<RowStart>(4));
  const std::vector<float> row = {1.0f, 3.0f, 2.0f, 3.0f};
  std::vector<float> scores(16);
  apply(engine, sampler, state, host_logits(row.data(), 4, 4, 0), host_scores(scores.data(), 4, 4));
  const std::vector<float> greedy = {FILTER, 0.0f, FILTER, FILTER};
  const auto divided = [&](float by) {
    return std::vector<float>{FILTER, 3.0f / by, FILTER, 3.0f / by};
  };
  const auto row_of = [&](int i) {
    return std::vector<float>(scores.begin() + 4 * i, scores.begin() + 4 * i + 4);
  };
  EXPECT_EQ(row_of(0), divided(0.7f));
  EXPECT_EQ(row_of(1), greedy);
  EXPECT_EQ(row_of(2), divided(2.0f));
  EXPECT_EQ(row_of(3), greedy);
}

TEST(ATemperature, AfterARepairOverflowsTheLowestScoresOnly) {
  const std::vector<float> scores =
      scores_of(chain(RemoveInvalidValues{}, Temperature{0.7}), {1.0f, FILTER, 2.0f, NOT_A_NUMBER});
  EXPECT_EQ(scores, (std::vector<float>{1.0f / 0.7f, FILTER, 2.0f / 0.7f, 0.0f}));
  // +inf became the largest float, which does overflow.
  EXPECT_EQ(scores_of(chain(RemoveInvalidValues{}, Temperature{0.7}), {1.0f, INFINITE, 2.0f}),
            (std::vector<float>{FILTER, 0.0f, FILTER}));
}

TEST(ATemperature, OfZeroLeavesARowWithNothingAsItIs) {
  const std::vector<float> nothing(4, FILTER);
  EXPECT_EQ(scores_of(chain(Temperature{0}), nothing), nothing);
  EXPECT_EQ(scores_of(chain(Temperature{1e-45}), nothing), nothing);
}

}  // namespace
