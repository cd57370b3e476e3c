// SPDX-License-Identifier: Apache-2.0
// Failures of other samplers that end in the draw: ids that do not exist, seeds that neighbours
// change.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/engine/host/detail/draw_token.hpp>
#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

constexpr std::uint64_t ONE_LESS_2_TO_MINUS_24 = ~std::uint64_t{0} << 40;

TEST(Draw, B01_TakesTheLastTokenWhereTheSumOfFloatsWouldFallShort) {
  EXPECT_EQ(drawn(std::vector<float>(12, 0.5f), ONE_LESS_2_TO_MINUS_24), 11);
  EXPECT_EQ(drawn(std::vector<float>(12, 0.5f), ~std::uint64_t{0}), 11);
}

TEST(Draw, B01_TakesTheOnlyTokenOfAOneHotRow) {
  const std::vector<float> one_hot = {FILTER, 0.0f, FILTER, FILTER};
  EXPECT_EQ(drawn(one_hot, ONE_LESS_2_TO_MINUS_24), 1);
  EXPECT_EQ(drawn(one_hot, ~std::uint64_t{0}), 1);
  EXPECT_EQ(drawn(one_hot, 0), 1);
}

TEST(Draw, B01_StaysInsideTheVocabularyForManySeeds) {
  host_engine engine;
  const auto sampler = chain(TopK{12}, TopP{0.9999999});
  std::vector<RowStart> starts;
  for (std::uint64_t seed = 0; seed < 64; ++seed) starts.push_back({.seed = seed});
  StepState state = state_of(engine, sampler, criterion(), 12, starts);
  const std::vector<float> logits(12, 1.0f);
  std::vector<std::int32_t> tokens(64);
  for (int i = 0; i < 50; ++i) {
    step(engine, sampler, criterion(), state, host_logits(logits.data(), 64, 12, 0),
         {.tokens = tokens});
    for (const std::int32_t token : tokens) {
      EXPECT_GE(token, 0);
      EXPECT_LT(token, 12);
    }
  }
}

constexpr int STEPS = 16;
const std::vector<float> ROW_A = {1.0f, 2.0f, 3.0f, 4.0f};
const auto WARM = chain(Temperature{0.8});

/// The 16 tokens of row A in a batch of these rows; the others see other logits.
std::vector<std::int32_t> tokens_of(std::size_t place, const std::vector<RowStart>& starts) {
  host_engine engine({.threads = 2});
  const std::int64_t rows = static_cast<std::int64_t>(starts.size());
  StepState state(engine, {.rows = rows, .capacity = 32, .vocab = 4, .seed = 99},
                  needs(WARM, criterion()));
  for (std::int64_t row = 0; row < rows; ++row) {
    Request request{.row = row, .prompt = {0}};
    if (starts[index_of(row)].seed != 0) request.seed = starts[index_of(row)].seed;
    admit(engine, WARM, criterion(), state, request);
  }
  std::vector<std::vector<float>> logits(starts.size(), {4.0f, 1.0f, 1.0f, 0.0f});
  logits[place] = ROW_A;
  const std::vector<float> all = joined(logits);
  std::vector<std::int32_t> tokens(starts.size());
  std::vector<std::int32_t> found;
  for (int i = 0; i < STEPS; ++i) {
    step(engine, WARM, criterion(), state, host_logits(all.data(), rows, 4), {.tokens = tokens});
    found.push_back(tokens[place]);
  }
  return found;
}

TEST(Draw, B07_ASeedHoldsWhateverTheNeighboursHave) {
  const RowStart a{.seed = 42};
  const RowStart unseeded{.seed = 0};
  const RowStart seven{.seed = 7};
  const std::vector<std::int32_t> alone = tokens_of(0, {a});
  EXPECT_EQ(tokens_of(0, {a, unseeded}), alone);
  EXPECT_EQ(tokens_of(0, {a, seven}), alone);
  EXPECT_EQ(tokens_of(0, {a, unseeded, seven, unseeded}), alone);
  EXPECT_EQ(tokens_of(3, {unseeded, seven, unseeded, a}), alone);

  // Draw(seed, step, logits) by the definition: the exact masses, the row's own counter.
  std::array<std::uint64_t, 4> masses{};
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    masses[i] = mass(ROW_A[i] / 0.8f - 4.0f / 0.8f);
    total += masses[i];
  }
  for (std::size_t i = 0; i < STEPS; ++i) {
    const std::uint64_t target = mulhi(draw_number(42, i), total);
    std::uint64_t cumulative = 0;
    std::int32_t token = 0;
    while ((cumulative += masses[index_of(token)]) <= target) ++token;
    EXPECT_EQ(alone[i], token) << "step " << i;
  }
}

TEST(Draw, B07_TokensComeAsOftenAsTheirProbabilities) {
  constexpr std::int64_t ROWS = 200;
  constexpr int POSITIONS = 200;
  host_engine engine;
  std::vector<RowStart> starts;
  for (std::uint64_t seed = 1; seed <= ROWS; ++seed) starts.push_back({.seed = seed});
  StepState state = state_of(engine, WARM, criterion(), 4, starts, POSITIONS);
  std::vector<std::int32_t> tokens(index_of(ROWS));
  std::array<double, 4> counts{};
  for (int i = 0; i < POSITIONS; ++i) {
    step(engine, WARM, criterion(), state, host_logits(ROW_A.data(), ROWS, 4, 0),
         {.tokens = tokens});
    for (const std::int32_t token : tokens) counts[index_of(token)] += 1.0 / (ROWS * POSITIONS);
  }
  const double expected[] = {0.016894, 0.058965, 0.205807, 0.718335};
  // Five standard deviations of 40,000 draws.
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(counts[i], expected[i],
                5 * std::sqrt(expected[i] * (1 - expected[i]) / (ROWS * POSITIONS)));
  }
}

TEST(Draw, S09_RefusesARowWithNaNOrInfinity) {
  host_engine engine;
  const auto none = chain();
  for (const std::vector<float>& bad :
       {std::vector<float>{1.0f, NOT_A_NUMBER, 3.0f},
        std::vector<float>{NOT_A_NUMBER, NOT_A_NUMBER, NOT_A_NUMBER},
        std::vector<float>{1.0f, INFINITE, 0.0f}}) {
    StepState state = state_of(engine, none, criterion(), 3, {RowStart{}, RowStart{}});
    std::vector<float> logits = bad;
    logits.insert(logits.end(), {FILTER, FILTER, 2.0f});
    std::vector<std::int32_t> tokens(2);
    step(engine, none, criterion(), state, host_logits(logits.data(), 2, 3), {.tokens = tokens});
    EXPECT_EQ(tokens, (std::vector<std::int32_t>{-1, 2}));
    EXPECT_EQ(state.status(0), Status::undefined_distribution);
    EXPECT_EQ(state.total(0), 0);
    EXPECT_EQ(refusal_of([&] { check(engine, state); }),
              "check: row 0: undefined_distribution (nothing to draw from, or a NaN or +inf at the "
              "draw)");
  }
}

TEST(Draw, S09_DrawsWhatARepairMakesOfARow) {
  host_engine engine;
  const auto repaired = chain(RemoveInvalidValues{}, Greedy{});
  const std::vector<float> logits = {1.0f,         NOT_A_NUMBER, 3.0f,          //
                                     NOT_A_NUMBER, NOT_A_NUMBER, NOT_A_NUMBER,  //
                                     1.0f,         INFINITE,     0.0f};
  StepState state = state_of(engine, repaired, criterion(), 3, std::vector<RowStart>(3));
  std::vector<std::int32_t> tokens(3);
  step(engine, repaired, criterion(), state, host_logits(logits.data(), 3, 3), {.tokens = tokens});
  EXPECT_EQ(tokens, (std::vector<std::int32_t>{2, 0, 1}));
}

TEST(BadWords, S09_RefuseAnEmptySequence) {
  EXPECT_EQ(refusal_of([] { bad_words({{}}, {}, 4); }).find("bad_words: "), 0u);
  EXPECT_EQ(refusal_of([] { sequence_bias({{{}, 1.0}}, 4); }).find("sequence_bias: "), 0u);
}

}  // namespace
