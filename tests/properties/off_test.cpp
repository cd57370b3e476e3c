// SPDX-License-Identifier: Apache-2.0
// A stage at its off value, given per row, is the chain without the stage, bit for bit; beside rows
// where it is on.
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

constexpr std::int64_t VOCAB = 1200;
constexpr std::int64_t ROWS = 4;
constexpr int ROUNDS = 12;

const std::vector<std::int32_t> TOP_K = {40, 40, 40, 40};
const TokenList EOS{{3, 9}};

/// Odd rows are off.
template <class T>
std::vector<T> alternating(T on, T off) {
  return {on, off, on, off};
}

/// Rows with a history of small ids; row 0 holds one token in all.
std::vector<RowStart> starts(std::mt19937& random) {
  std::vector<RowStart> rows(ROWS);
  for (RowStart& row : rows) {
    for (int i = 0; i < 9; ++i) row.prompt.push_back(random() % 5);
    row.generated = {1, 2, 1};
    row.seed = random();
  }
  rows[0] = {.prompt = {4}, .generated = {}, .seed = 3, .budget = {}};
  return rows;
}

template <class ChainType>
std::vector<float> applied(const ChainType& chain, const std::vector<RowStart>& rows,
                           const std::vector<float>& logits) {
  host_engine engine;
  StepState state = state_of(engine, chain, criterion(), VOCAB, rows);
  std::vector<float> scores(logits.size());
  apply(engine, chain, state, host_logits(logits.data(), ROWS, VOCAB),
        host_scores(scores.data(), ROWS, VOCAB));
  return scores;
}

/// In front of a filter and behind one.
template <class Stage>
void expect_off_to_be_absent(const Stage& stage) {
  std::mt19937 random(31);
  int differing = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    std::vector<float> logits;
    for (std::int64_t row = 0; row < ROWS; ++row) {
      std::vector<float> own = round % 3 == 0 ? random_row(random, VOCAB, 0.5f, 16)
                                              : random_row(random, VOCAB, 0.01f, 1500);
      // The ids that histories and lists hold are among the best.
      for (std::size_t i = 0; i < 10; ++i) own[i] = 8.0f + 0.3f * static_cast<float>(random() % 10);
      logits.insert(logits.end(), own.begin(), own.end());
    }
    const std::vector<RowStart> rows = starts(random);
    const FrequencyPenalty penalty{0.3};
    const TopK filter{per_row(TOP_K)};
    const auto compare = [&](const std::vector<float>& with, const std::vector<float>& without) {
      for (std::int64_t row = 0; row < ROWS; ++row) {
        const float* const a = with.data() + row * VOCAB;
        const float* const b = without.data() + row * VOCAB;
        const bool same = bits({a, a + VOCAB}) == bits({b, b + VOCAB});
        if (row % 2 == 1) {
          ASSERT_TRUE(same) << "round " << round << ", row " << row;
        } else {
          differing += same ? 0 : 1;
        }
      }
    };
    const std::vector<float> without = applied(chain(penalty, filter), rows, logits);
    compare(applied(chain(penalty, stage, filter), rows, logits), without);
    compare(applied(chain(penalty, filter, stage), rows, logits), without);
  }
  EXPECT_GT(differing, 0) << "the stage does nothing where it is on";
}

using Reals = std::vector<float>;
using Integers = std::vector<std::int32_t>;

TEST(Off, TemperatureIsAbsent) {
  const Reals values = alternating(0.7f, 1.0f);
  expect_off_to_be_absent(Temperature{per_row(values)});
}
TEST(Off, TopKIsAbsent) {
  const Integers values = alternating(7, 0);
  expect_off_to_be_absent(TopK{.k = per_row(values)});
}
TEST(Off, TopPIsAbsent) {
  const Reals values = alternating(0.5f, 1.0f);
  expect_off_to_be_absent(TopP{.p = per_row(values)});
}
TEST(Off, JointTopKTopPIsAbsent) {
  const Integers ks = alternating(5, 0);
  const Reals ps = alternating(0.7f, 1.0f);
  expect_off_to_be_absent(JointTopKTopP{.k = per_row(ks), .p = per_row(ps)});
}
TEST(Off, MinPIsAbsent) {
  const Reals values = alternating(0.4f, 0.0f);
  expect_off_to_be_absent(MinP{.p = per_row(values)});
}
TEST(Off, TypicalIsAbsent) {
  const Reals values = alternating(0.4f, 1.0f);
  expect_off_to_be_absent(Typical{.mass = per_row(values)});
}
TEST(Off, EpsilonCutoffIsAbsent) {
  const Reals values = alternating(0.03f, 0.0f);
  expect_off_to_be_absent(EpsilonCutoff{.epsilon = per_row(values)});
}
TEST(Off, EtaCutoffIsAbsent) {
  const Reals values = alternating(0.3f, 0.0f);
  expect_off_to_be_absent(EtaCutoff{.epsilon = per_row(values)});
}
TEST(Off, TopHIsAbsent) {
  const Reals values = alternating(0.4f, 0.0f);
  expect_off_to_be_absent(TopH{.fraction = per_row(values)});
}
TEST(Off, TopNSigmaIsAbsent) {
  const Reals values = alternating(0.5f, 0.0f);
  expect_off_to_be_absent(TopNSigma{per_row(values)});
}
TEST(Off, PenaltiesAreAbsent) {
  const Reals factors = alternating(1.4f, 1.0f);
  const Reals amounts = alternating(0.6f, 0.0f);
  expect_off_to_be_absent(RepetitionPenalty{.penalty = per_row(factors)});
  expect_off_to_be_absent(PromptRepetitionPenalty{per_row(factors)});
  expect_off_to_be_absent(FrequencyPenalty{per_row(amounts)});
  expect_off_to_be_absent(PresencePenalty{per_row(amounts)});
}
TEST(Off, NGramBansAreAbsent) {
  const Integers sizes = alternating(1, 0);
  expect_off_to_be_absent(NoRepeatNGram{per_row(sizes)});
  expect_off_to_be_absent(PromptNoRepeatNGram{per_row(sizes)});
}
TEST(Off, LengthRulesAreAbsent) {
  const Integers lengths = alternating(60, 0);
  expect_off_to_be_absent(MinLength{.length = per_row(lengths), .eos = EOS});
  expect_off_to_be_absent(MinNewTokens{.count = per_row(lengths), .eos = EOS});
  const Reals factors = alternating(1.5f, 1.0f);
  expect_off_to_be_absent(
      ExponentialDecayLengthPenalty{.start = 0, .factor = per_row(factors), .eos = EOS});
}
TEST(Off, TokensAtTheBeginningAreLeftAlone) {
  const Integers offsets = alternating(3, -1);
  expect_off_to_be_absent(
      BeginSuppressTokens{.tokens = {{0, 1, 2, 3}}, .offset = per_row(offsets)});
}
TEST(Off, ForcedBOSIsAbsent) {
  const Integers tokens = alternating(6, -1);
  expect_off_to_be_absent(ForcedBOS{per_row(tokens)});
}
TEST(Off, SequenceBiasOfARowWithoutATableIsAbsent) {
  const BiasTable table = sequence_bias({{{1}, 2.0}, {{2, 1, 4}, -3.0}, {{7}, -1.0}}, VOCAB);
  const std::vector<BiasTableView> views = {table.view()};
  const Integers index = alternating(0, -1);
  expect_off_to_be_absent(SequenceBias{{host_span<const BiasTableView>(views), per_row(index)}});
}

}  // namespace
