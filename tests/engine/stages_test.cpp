// SPDX-License-Identifier: Apache-2.0
// Longer chains, run fused and stage by stage: the scores are equal bit for bit, in a whole row,
// among survivors, and where removed tokens come back.
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

constexpr std::int64_t VOCAB = 1100;

/// Rows of every shape, several of each, with bans and values that are no numbers in some.
std::vector<std::vector<float>> rows() {
  std::mt19937 random(77);
  std::vector<std::vector<float>> all;
  for (const float step : {0.01f, 0.0005f, 0.3f, 5.0f}) {
    for (const unsigned spread : {1000u, 30u, 3u}) {
      all.push_back(random_row(random, VOCAB, step, spread));
      if (spread == 30) {
        for (std::size_t i = 0; i < all.back().size(); i += 1 + random() % 4) {
          all.back()[i] = FILTER;
        }
      }
    }
  }
  all.push_back(random_row(random, VOCAB));
  all.back()[3] = NOT_A_NUMBER;
  all.push_back(random_row(random, VOCAB));
  all.back()[4] = INFINITE;
  all.push_back(random_row(random, VOCAB));
  all.back()[900] = NOT_A_NUMBER;
  all.push_back(std::vector<float>(index_of(VOCAB), FILTER));
  all.push_back(std::vector<float>(index_of(VOCAB), -LARGEST));
  return all;
}

const std::vector<std::vector<float>> ROWS = rows();

template <class ChainType>
std::vector<float> applied(const ChainType& chain, const std::vector<float>& scores) {
  host_engine engine;
  const std::int64_t count = static_cast<std::int64_t>(ROWS.size());
  std::vector<RowStart> starts;
  for (std::int64_t row = 0; row < count; ++row) {
    // Row 2 stands in front of its last token, where an end is forced.
    starts.push_back(
        {.prompt = {3, 9, 3}, .generated = {3, 9, row % 7}, .budget = row == 2 ? 4 : 40});
  }
  StepState state = state_of(engine, chain, criterion(), VOCAB, starts);
  std::vector<float> out(scores.size(), 0.0f);
  apply(engine, chain, state, host_logits(scores.data(), count, VOCAB),
        host_scores(out.data(), count, VOCAB));
  return out;
}

template <class... Stages>
void expect_fused_as_staged(const Stages&... stages) {
  const std::vector<float> logits = joined(ROWS);
  const std::vector<float> fused = applied(chain(stages...), logits);
  std::vector<float> staged = logits;
  ((staged = applied(chain(stages), staged)), ...);
  for (std::size_t row = 0; row < ROWS.size(); ++row) {
    const auto part = [&](const std::vector<float>& all) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(row) * VOCAB;
      return bits({begin, begin + VOCAB});
    };
    EXPECT_EQ(part(fused), part(staged)) << "row " << row;
  }
}

const auto OWN = [](const RowView& row, int token, float score) {
  return token % 3 == row.generated() % 3 ? 0.5f * score : score - 0.25f;
};
const auto FLIP = [](const RowView&, int, float score) { return -score; };

TEST(AFusedChain, OfFiltersIsItsStages) {
  expect_fused_as_staged(TopK{100}, TopP{0.9}, MinP{0.01}, Typical{0.8});
  expect_fused_as_staged(Typical{0.9}, TopP{0.8}, TopK{7});
  expect_fused_as_staged(EpsilonCutoff{0.0004}, EtaCutoff{0.0009}, TopH{.fraction = 0.7});
  expect_fused_as_staged(JointTopKTopP{.k = 60, .p = 0.95}, TopP{0.5, 4}, MinP{0.5, 3});
}

TEST(AFusedChain, OfMapsBetweenFiltersIsItsStages) {
  expect_fused_as_staged(OWN, TopK{200}, OWN, TopP{0.9}, OWN, MinP{0.1}, OWN);
  expect_fused_as_staged(MinP{0.02}, FLIP, TopK{9}, FLIP, Greedy{});
  expect_fused_as_staged(TopP{0.99}, Temperature{0.5}, TopP{0.9}, Temperature{2}, TopP{0.8});
  expect_fused_as_staged(TopK{50}, RepetitionPenalty{1.5}, FrequencyPenalty{0.5}, Renormalize{},
                         TopP{0.6});
}

TEST(AFusedChain, OfListsAfterFiltersIsItsStages) {
  const BiasTable bias = sequence_bias({{{3, 9, 4}, 3.0}, {{9}, -1.0}, {{0}, 2.0}}, VOCAB);
  const BiasTable bad = bad_words({{3}, {9, 0, 5}}, {}, VOCAB);
  expect_fused_as_staged(TopK{300}, SequenceBias{bias}, SequenceBias{bad}, NoRepeatNGram{2},
                         TopK{5});
  expect_fused_as_staged(TopP{0.9}, SuppressTokens{{0, 1, 2, 1099}}, MinP{0.3},
                         BeginSuppressTokens{{5, 6}, 3}, Typical{0.5});
  expect_fused_as_staged(PromptRepetitionPenalty{1.2}, PresencePenalty{0.3},
                         MinNewTokens{9, {3, 4}}, MinLength{4, 9},
                         ExponentialDecayLengthPenalty{1, 1.2, 7}, TopK{20});
}

TEST(AFusedChain, WithAForcedTokenIsItsStages) {
  const ForcedEOS forced{{9, 2, 1099, 2}};
  expect_fused_as_staged(forced, TopK{5}, Renormalize{});
  expect_fused_as_staged(TopK{5}, OWN, forced, OWN, TopP{0.9});
  expect_fused_as_staged(TopK{5}, forced, RemoveInvalidValues{}, MinP{0.1}, forced);
  expect_fused_as_staged(Temperature{0}, forced, Greedy{});
}

TEST(AFusedChain, WhoseRemovedTokensComeBackIsItsStages) {
  expect_fused_as_staged(TopK{5}, TopP{0.5}, RemoveInvalidValues{}, MinP{0.1}, TopK{3});
  expect_fused_as_staged(Greedy{}, RemoveInvalidValues{}, Temperature{0.5}, Typical{0.9});
  expect_fused_as_staged(Temperature{1e-42}, OWN, RemoveInvalidValues{}, Renormalize{},
                         TopH{.fraction = 0.5});
  expect_fused_as_staged(RemoveInvalidValues{}, Renormalize{}, RemoveInvalidValues{}, TopK{800});
}

TEST(AFusedChain, WhoseFilterLeavesFewerThanTheNextOneWantsIsItsStages) {
  expect_fused_as_staged(MinP{0.9}, TopK{15}, RemoveInvalidValues{});
  expect_fused_as_staged(TopK{4}, MinP{0.99, 8}, RemoveInvalidValues{});
  expect_fused_as_staged(TopK{40}, Typical{0.3}, TopK{15}, RemoveInvalidValues{}, TopP{0.9});
  expect_fused_as_staged(TopK{40}, Temperature{0}, TopK{15}, RemoveInvalidValues{});
}

TEST(AFusedChain, WhoseTemperatureMayCollapseIsItsStages) {
  expect_fused_as_staged(Temperature{0.5}, Temperature{1e-38}, OWN, Temperature{0}, TopK{3});
  expect_fused_as_staged(TopK{10}, Temperature{1e-37}, Temperature{0.01}, Temperature{3},
                         TopP{0.5});
  expect_fused_as_staged(FLIP, Temperature{1e-38}, MinP{0.5}, Temperature{1e-45}, Renormalize{});
}

}  // namespace
