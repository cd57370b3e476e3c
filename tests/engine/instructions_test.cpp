// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include <logitchain/logitchain.hpp>

namespace lc = logitchain;

namespace {

constexpr std::int64_t VOCAB = 5003;

/// Bits of all scores and tokens of some steps, in order.
template <class ChainType>
std::vector<std::uint32_t> bits_of_steps(const ChainType& chain, lc::Instructions instructions) {
  lc::host_engine engine({.threads = 1, .instructions = instructions});
  const auto stop = lc::criterion();
  lc::StepState state(engine, {.rows = 1, .capacity = 64, .vocab = VOCAB}, lc::needs(chain, stop));
  lc::admit(engine, chain, stop, state, lc::Request{.row = 0, .prompt = {1, 7, 7}, .seed = 5});
  std::mt19937 random(11);
  std::vector<float> logits(VOCAB);
  std::vector<float> scores(VOCAB);
  std::vector<std::int32_t> token(1);
  std::vector<std::uint32_t> bits;
  for (int step = 0; step < 8; ++step) {
    for (float& logit : logits) {
      logit = static_cast<float>(static_cast<std::int32_t>(random() >> 8) - (1 << 23)) * 0x1p-21f;
    }
    logits[random() % VOCAB] = lc::FILTER;
    const lc::host_logits rows(logits.data(), 1, VOCAB);
    lc::apply(engine, chain, state, rows, lc::host_scores(scores.data(), 1, VOCAB));
    lc::step(engine, chain, stop, state, rows, {.tokens = token});
    for (const float score : scores) bits.push_back(lc::bits_of(score));
    bits.push_back(static_cast<std::uint32_t>(token[0]));
  }
  return bits;
}

template <class ChainType>
void expect_equal_bits(const ChainType& chain) {
  const auto expected = bits_of_steps(chain, lc::Instructions::baseline);
  for (const lc::Instructions each : {lc::Instructions::avx2, lc::Instructions::avx512}) {
    if (!lc::detail::has_instructions(each)) {
      std::printf("skipped: this processor lacks %s\n", lc::name_of(each));
      continue;
    }
    EXPECT_EQ(bits_of_steps(chain, each), expected) << lc::name_of(each);
  }
  EXPECT_EQ(bits_of_steps(chain, lc::Instructions::best), expected);
}

TEST(Instructions, ChangeNoBitOfABoundedChain) {
  expect_equal_bits(lc::chain(lc::RepetitionPenalty{1.3}, lc::FrequencyPenalty{0.3},
                              lc::Temperature{0.7}, lc::TopK{50}, lc::TopP{0.9}, lc::MinP{0.05}));
}

TEST(Instructions, ChangeNoBitOfMassesAndEntropies) {
  expect_equal_bits(lc::chain(lc::Typical{0.9}, lc::Renormalize{}));
  expect_equal_bits(lc::chain(lc::EtaCutoff{0.002}, lc::Temperature{1.3}));
}

TEST(Instructions, AreNamedByTheEngine) {
  const lc::host_engine baseline({.threads = 1, .instructions = lc::Instructions::baseline});
  EXPECT_EQ(baseline.instructions(), lc::Instructions::baseline);
  const lc::host_engine best;
  EXPECT_NE(best.instructions(), lc::Instructions::best);
  EXPECT_TRUE(lc::detail::has_instructions(best.instructions()));
}

}  // namespace
