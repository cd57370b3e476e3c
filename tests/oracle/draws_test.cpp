// SPDX-License-Identifier: Apache-2.0
// Draws of the library against the oracle's search of exact cumulative sums, 10,000 of them.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/chains/comparison.hpp"
#include "oracle/philox.hpp"

namespace {

using namespace oracle_test;

constexpr std::int64_t CAPACITY = 6000;
constexpr int ROWS = 25;
constexpr int STEPS = 10;
constexpr int BATCHES = 40;

TEST(Draws, TakeTenThousandTimesTheTokenOfTheExactSearch) {
  Random random(2024);
  host_engine engine;
  const auto all = chain();
  const auto never = criterion();
  const oracle::Functions functions = library_functions();
  int drawn = 0;
  while (drawn < BATCHES * ROWS * STEPS) {
    const std::int64_t vocab = random.one_of<std::int64_t>({1, 2, 30, 511, 512, 513, 1024, 5000});
    StepState state(engine, {.rows = ROWS, .capacity = CAPACITY, .vocab = vocab}, {});
    std::vector<Request> requests;
    for (std::int64_t row = 0; row < ROWS; ++row) {
      // Rows come back after so many tokens: that is where their draws are numbered from.
      const std::int64_t before = random.one_of<std::int64_t>({0, 1, 255, random.integer(0, 5000)});
      requests.push_back({row,
                          {0},
                          std::vector<std::int64_t>(logitchain_test::index_of(before), 0),
                          random.one_of<std::uint64_t>({random.next(), random.next() & 0xff,
                                                        random.next() << 32, ~std::uint64_t{0}})});
    }
    admit(engine, all, never, state, requests);
    for (int step_number = 0; step_number < STEPS; ++step_number) {
      std::vector<oracle::Scores> logits;
      while (logits.size() < ROWS) {
        oracle::Scores one = random_logits(random, vocab);
        if (oracle::drawn(one, 0, 0, functions) >= 0) logits.push_back(std::move(one));
      }
      const std::vector<float> memory = logitchain_test::joined(logits);
      std::vector<std::int64_t> positions;
      for (std::int64_t row = 0; row < ROWS; ++row) positions.push_back(state.position(row));
      std::vector<std::int32_t> tokens(ROWS);
      step(engine, all, never, state, host_logits(memory.data(), ROWS, vocab), {.tokens = tokens});
      for (std::size_t row = 0; row < ROWS; ++row, ++drawn) {
        const std::uint64_t seed = *requests[row].seed;
        const std::uint64_t position = static_cast<std::uint64_t>(positions[row]);
        ASSERT_EQ(tokens[row], oracle::drawn(logits[row], seed, position, functions))
            << "seed " << seed << ", position " << position << ", vocabulary " << vocab;
      }
    }
  }
  EXPECT_EQ(drawn, 10'000);
}

TEST(Draws, TakeTheirNumbersFromPhiloxAsItsPaperHasIt) {
  // The known answers of Random123, and the library's words beside the oracle's.
  EXPECT_EQ(oracle::philox({0, 0, 0, 0}, {0, 0}),
            (oracle::Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(
      oracle::philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
      (oracle::Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
  Random random(5);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t seed = random.next();
    const std::uint64_t position = random.next() >> random.integer(0, 63);
    ASSERT_EQ(draw_number(seed, position), oracle::random_of(seed, position));
  }
}

}  // namespace
