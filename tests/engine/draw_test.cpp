// SPDX-License-Identifier: Apache-2.0
// The draw equals an exact integer draw, for every seed and position.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/engine/host/detail/draw_token.hpp>
#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

const auto NONE = chain();
const auto STOP = criterion();

/// The smallest token whose cumulative mass exceeds floor(random * total / 2^64), summed one by
/// one.
int drawn_by_definition(const std::vector<float>& scores, std::uint64_t random) {
  float maximum = FILTER;
  for (const float score : scores) maximum = std::max(maximum, score);
  unsigned __int128 total = 0;
  for (const float score : scores) total += mass(score - maximum);
  const unsigned __int128 target = (total * random) >> 64;
  unsigned __int128 cumulative = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    cumulative += mass(scores[i] - maximum);
    if (cumulative > target) return static_cast<int>(i);
  }
  return -1;
}

TEST(TenThousandDraws, AreThoseOfTheDefinition) {
  constexpr std::int64_t ROWS = 100;
  constexpr std::int64_t STEPS = 100;
  constexpr std::int64_t VOCAB = 777;
  host_engine engine;
  std::mt19937 random(31);
  std::vector<RowStart> starts;
  for (std::int64_t row = 0; row < ROWS; ++row) {
    const std::uint64_t high = random();
    starts.push_back({.seed = high << 32 | random()});
  }
  StepState state = state_of(engine, NONE, STOP, VOCAB, starts, STEPS);
  std::vector<std::int32_t> tokens(index_of(ROWS));
  for (std::int64_t position = 0; position < STEPS; ++position) {
    // From nearly flat to nearly certain.
    std::vector<std::vector<float>> rows;
    for (std::int64_t row = 0; row < ROWS; ++row) {
      rows.push_back(random_row(random, VOCAB, 0.0004f * static_cast<float>(1 + row)));
      if (row % 4 == 0) rows.back()[index_of(position)] = FILTER;
    }
    const std::vector<float> logits = joined(rows);
    step(engine, NONE, STOP, state, host_logits(logits.data(), ROWS, VOCAB), {.tokens = tokens});
    for (std::int64_t row = 0; row < ROWS; ++row) {
      const std::uint64_t number =
          draw_number(starts[index_of(row)].seed, static_cast<std::uint64_t>(position));
      ASSERT_EQ(tokens[index_of(row)], drawn_by_definition(rows[index_of(row)], number))
          << "row " << row << ", position " << position;
    }
  }
}

TEST(ADraw, OfEqualLogitsIsTheProductOfTheRandomNumberAndTheirCount) {
  constexpr std::int64_t ROWS = 50;
  for (const std::int64_t vocab : {1, 2, 3, 8, 12, 600}) {
    host_engine engine;
    std::vector<RowStart> starts;
    for (std::uint64_t row = 0; row < ROWS; ++row) starts.push_back({.seed = row});
    StepState state = state_of(engine, NONE, STOP, vocab, starts);
    const std::vector<float> logits(index_of(vocab), -3.5f);
    std::vector<std::int64_t> tokens(index_of(ROWS));
    for (std::uint64_t position = 0; position < 20; ++position) {
      step(engine, NONE, STOP, state, host_logits(logits.data(), ROWS, vocab, 0),
           {.tokens = tokens});
      for (std::uint64_t row = 0; row < ROWS; ++row) {
        EXPECT_EQ(static_cast<std::uint64_t>(tokens[row]),
                  mulhi(draw_number(row, position), static_cast<std::uint64_t>(vocab)));
      }
    }
  }
}

constexpr std::uint64_t HIGHEST = std::numeric_limits<std::uint64_t>::max();

TEST(ADraw, AtItsEdgesTakesTheFirstAndTheLastTokenThatHaveMass) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{5}, std::size_t{511}, std::size_t{512},
                                 std::size_t{513}, std::size_t{1024}, std::size_t{3000}}) {
    const std::vector<float> equal(size, 2.0f);
    EXPECT_EQ(drawn(equal, 0), 0);
    EXPECT_EQ(drawn(equal, HIGHEST), static_cast<int>(size) - 1);
    // No mass in front and behind: too far from the maximum, or removed.
    std::vector<float> inner(size, FILTER);
    const std::size_t middle = size / 2;
    inner[middle] = 1.0f;
    if (middle > 0) inner[middle - 1] = 1.0f - 31.3f;
    if (middle + 1 < size) inner[middle + 1] = -500.0f;
    EXPECT_EQ(drawn(inner, 0), static_cast<int>(middle));
    EXPECT_EQ(drawn(inner, HIGHEST), static_cast<int>(middle));
  }
}

TEST(ADraw, NeverTakesATokenWithoutMass) {
  std::mt19937 random(41);
  for (int i = 0; i < 200; ++i) {
    std::vector<float> scores = random_row(random, 1500, 0.05f, 3000);
    const float maximum = *std::max_element(scores.begin(), scores.end());
    for (const std::uint64_t number :
         {std::uint64_t{0}, HIGHEST, std::uint64_t{random()} << 32 | random()}) {
      const int token = drawn(scores, number);
      ASSERT_GE(token, 0);
      ASSERT_LT(token, 1500);
      EXPECT_GT(mass(scores[index_of(token)] - maximum), 0u);
      EXPECT_EQ(token, drawn_by_definition(scores, number));
    }
  }
}

TEST(ADraw, IsNumberedByThePositionOfTheRow) {
  host_engine engine;
  const std::vector<float> logits(1000, 0.0f);
  const std::vector<RowStart> starts = {{.prompt = {1, 2, 3}, .generated = {4, 5}, .seed = 9}};
  StepState state = state_of(engine, NONE, STOP, 1000, starts);
  std::vector<std::int32_t> tokens(1);
  step(engine, NONE, STOP, state, host_logits(logits.data(), 1, 1000), {.tokens = tokens});
  EXPECT_EQ(static_cast<std::uint64_t>(tokens[0]), mulhi(draw_number(9, 2), 1000));
}

TEST(ADraw, CommitsNothingAndCanBeRepeated) {
  host_engine engine;
  std::mt19937 random(8);
  const std::vector<float> logits = random_row(random, 500, 0.001f);
  StepState state = state_of(engine, NONE, STOP, 500, {RowStart{}});
  const std::vector<unsigned char> before = bytes_of_row(state, 0);
  std::vector<std::int32_t> first(1), second(1);
  draw(engine, state, host_logits(logits.data(), 1, 500), first);
  draw(engine, state, host_logits(logits.data(), 1, 500), second);
  EXPECT_EQ(first, second);
  EXPECT_EQ(bytes_of_row(state, 0), before);
}

}  // namespace
