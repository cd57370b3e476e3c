// SPDX-License-Identifier: Apache-2.0
// Failures of other filters: indices past the row, an edge that keeps one too many or too few, ties
// that depend on the batch, sums that stall, rows with nothing left.
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

using Tokens = std::vector<int>;

std::vector<float> logarithms(const std::vector<double>& probabilities) {
  std::vector<float> logits;
  for (const double p : probabilities) logits.push_back(static_cast<float>(std::log(p)));
  return logits;
}

TEST(TopP, B02_JustBelowOneKeepsAllAndReadsNothingPastTheRow) {
  const std::vector<float> equal(12, 0.25f);
  const double just_below = 1 - 0x1p-24;
  EXPECT_EQ(kept(scores_in_every_batch(chain(TopP{just_below}), equal)).size(), 12u);

  std::vector<float> logits = equal;
  logits.push_back(5.0f);
  logits.resize(24, 0.0f);
  const std::vector<float> ps = {static_cast<float>(just_below), 0.9f};
  const auto nucleus = chain(TopP{per_row(ps)});
  host_engine engine;
  StepState state = state_of(engine, nucleus, criterion(), 12, {RowStart{}, RowStart{}});
  std::vector<float> scores(24);
  apply(engine, nucleus, state, host_logits(logits.data(), 2, 12),
        host_scores(scores.data(), 2, 12));
  EXPECT_EQ(kept({scores.begin(), scores.begin() + 12}).size(), 12u);
  EXPECT_EQ(kept({scores.begin() + 12, scores.end()}), (Tokens{0}));
}

TEST(TopP, B03_EqualityRemovesTheNextToken) {
  const float ln2 = static_cast<float>(std::log(2.0));
  const std::vector<float> logits = {ln2, 2 * ln2, 0.0f, 0.0f};
  EXPECT_EQ(kept(scores_in_every_batch(chain(TopP{0.75}), logits)), (Tokens{0, 1}));
  EXPECT_EQ(kept(scores_in_every_batch(chain(TopP{0.6}), logits)), (Tokens{0, 1}));
  EXPECT_EQ(kept(scores_in_every_batch(chain(TopP{0.5}), logits)), (Tokens{1}));
}

TEST(TopP, B03_EqualityOfEqualTokensIsExact) {
  const std::vector<float> equal(8, -1.0f);
  for (int count = 1; count < 8; ++count) {
    EXPECT_EQ(kept(scores_in_every_batch(chain(TopP{count / 8.0}), equal)).size(), index_of(count));
  }
}

TEST(TopP, B04_AfterTopKMeasuresTheMassThatIsLeft) {
  const std::vector<float> logits = logarithms({0.4, 0.35, 0.25});
  EXPECT_EQ(kept(scores_in_every_batch(chain(TopK{1}, TopP{0.8}), logits)), (Tokens{0}));
  EXPECT_EQ(kept(scores_in_every_batch(chain(TopK{2}, TopP{0.5}), logits)), (Tokens{0}));
}

TEST(JointTopKTopP, B04_MeasuresTheMassOfAll) {
  const std::vector<float> logits = logarithms({0.4, 0.35, 0.25});
  EXPECT_EQ(kept(scores_in_every_batch(chain(JointTopKTopP{.k = 1, .p = 0.8}), logits)),
            (Tokens{0}));
  EXPECT_EQ(kept(scores_in_every_batch(chain(JointTopKTopP{.k = 2, .p = 0.5}), logits)),
            (Tokens{0, 1}));
}

TEST(TopK, B05_KeepsAllTiesInEveryBatch) {
  const std::vector<float> scores =
      scores_in_every_batch(chain(TopK{2}), {5.0f, 3.0f, 3.0f, 3.0f, 1.0f});
  EXPECT_EQ(kept(scores), (Tokens{0, 1, 2, 3}));
  EXPECT_NEAR(probabilities(scores)[0], 0.711235, 5e-7);
}

TEST(TopK, B05_KeepsTheLowestIdsInEveryBatchWhereAsked) {
  const std::vector<float> scores = scores_in_every_batch(
      chain(TopK{.k = 2, .ties = Ties::lowest_id}), {5.0f, 3.0f, 3.0f, 3.0f, 1.0f});
  EXPECT_EQ(kept(scores), (Tokens{0, 1}));
  EXPECT_NEAR(probabilities(scores)[0], 0.880797, 5e-7);
  EXPECT_EQ(
      kept(scores_in_every_batch(chain(TopK{.k = 1, .ties = Ties::lowest_id}), {2.0f, 2.0f, 1.0f})),
      (Tokens{0}));
}

TEST(Greedy, B05_TakesTheLowestIdOfTies) {
  EXPECT_EQ(kept(scores_in_every_batch(chain(Greedy{}), {2.0f, 2.0f, 1.0f})), (Tokens{0}));
  EXPECT_EQ(kept(scores_in_every_batch(chain(TopP{0.1}), {2.0f, 2.0f, 1.0f})), (Tokens{0}));
}

TEST(TopP, B06_SumsSmallProbabilitiesThatBfloat16WouldLose) {
  std::vector<float> logits(513, 0.0f);
  logits[0] = static_cast<float>(std::log(512.0));
  EXPECT_EQ(kept(scores_in_every_batch(chain(TopP{0.75}), logits)).size(), 257u);
}

TEST(TopP, B06_SumsBfloat16LogitsAsTheNumbersThatTheyAre) {
  host_engine engine;
  LogitsMemory memory(DType::bf16, 1, 513, 513);
  memory.set(0, 0, static_cast<float>(std::log(512.0)));
  for (int i = 1; i < 513; ++i) memory.set(0, i, 0.0f);
  const auto nucleus = chain(TopP{0.75});
  StepState state = state_of(engine, nucleus, criterion(), 513, {RowStart{}});
  std::vector<float> scores(513);
  apply(engine, nucleus, state, memory.view(), host_scores(scores.data(), 1, 513));
  // The logit is 6.25: e^6.25 and then so many ones until three quarters of the sum are there.
  const double first = std::exp(6.25);
  const double ones = std::ceil(0.75 * (first + 512) - first);
  EXPECT_EQ(kept(scores).size(), static_cast<std::size_t>(ones) + 1);
}

TEST(TopK, B10_EndsOnARowWithNothingAndLeavesTheOtherRowsAlone) {
  host_engine engine;
  LogitsMemory memory(DType::bf16, 2, 5, 5);
  memory.set_row(0, std::vector<float>(5, FILTER));
  memory.set_row(1, {FILTER, -25.0f, -24.875f, FILTER, -25.125f});
  const auto expect_row_one = [&](const auto& filter) {
    StepState state = state_of(engine, filter, criterion(), 5, {RowStart{}, RowStart{}});
    std::vector<float> scores(10);
    apply(engine, filter, state, memory.view(), host_scores(scores.data(), 2, 5));
    EXPECT_EQ(kept({scores.begin(), scores.begin() + 5}), (Tokens{}));
    EXPECT_EQ(kept({scores.begin() + 5, scores.end()}), (Tokens{2}));
    EXPECT_EQ(scores[7], -24.875f);
    std::vector<std::int32_t> tokens(2);
    std::vector<StepResult> results(2);
    step(engine, filter, criterion(), state, memory.view(), {.tokens = tokens, .results = results});
    EXPECT_EQ(tokens, (std::vector<std::int32_t>{-1, 2}));
    EXPECT_EQ(results[0].status, Status::undefined_distribution);
    EXPECT_EQ(results[1].status, Status::ok);
  };
  expect_row_one(chain(TopK{1}));
  expect_row_one(chain(TopP{0.01}));
  expect_row_one(chain(TopK{1}, TopP{0.5}));
}

TEST(Statistics, B11_AreNotPoisonedByRemovedTokens) {
  // Removed tokens have no probability: each filter decides as on the row without them.
  const std::vector<float> logits = {4.0f, 3.0f, 2.0f, 1.0f};
  std::vector<float> with = logits;
  with.push_back(FILTER);
  const auto expect_same = [&](const auto& filter) {
    std::vector<float> expected = scores_in_every_batch(filter, logits);
    expected.push_back(FILTER);
    EXPECT_EQ(bits(scores_in_every_batch(filter, with)), bits(expected));
  };
  expect_same(chain(Typical{0.6}));
  expect_same(chain(EtaCutoff{0.1}));
  expect_same(chain(TopH{.fraction = 0.6}));
  expect_same(chain(EpsilonCutoff{0.1}));
  expect_same(chain(Renormalize{}));
  EXPECT_LT(kept(scores_of(chain(EtaCutoff{0.2}), with)).size(), 4u);
}

}  // namespace
