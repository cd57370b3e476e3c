// SPDX-License-Identifier: Apache-2.0
// Rows of many blocks, of which a chain looks at few or, where they are flat, at all: what is kept
// is what sorting keeps, and stages give together what they give one at a time.
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"
#include "support/reference.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

struct Spread {
  const char* name;
  float deviation;
  float step;  // scores are multiples of it, so that many tie; 0: of nothing
};
// Bins by distance hold a token or two, hundreds, and all of them.
constexpr Spread SPREADS[] = {{"wide", 20.0f, 0},
                              {"flat", 0.5f, 0},
                              {"level", 0.001f, 0},
                              {"ties", 1.0f, 1},
                              {"equal", 0.01f, 10.0f}};

std::vector<float> row_of(const Spread& spread, std::int64_t vocab) {
  std::mt19937 random(static_cast<unsigned>(vocab));
  std::normal_distribution<float> normal(-1, spread.deviation);
  std::vector<float> row(index_of(vocab));
  for (float& score : row) {
    score = normal(random);
    if (spread.step > 0) score = spread.step * std::round(score / spread.step);
    if (random() % 50 == 0) score = FILTER;
  }
  return row;
}

template <class Expect>
void for_each_row(Expect expect) {
  for (const std::int64_t vocab : {4608, 9001, 20000}) {
    for (const Spread& spread : SPREADS) {
      SCOPED_TRACE(testing::Message() << spread.name << " row of " << vocab);
      expect(row_of(spread, vocab));
    }
  }
}

TEST(LargeRows, KeepByMassWhatSortingKeeps) {
  for_each_row([](const std::vector<float>& row) {
    for (const double p : {0.01, 0.5, 0.9, 0.9999}) {
      EXPECT_EQ(bits(scores_of(chain(TopP{p}), row)), bits(reference::top_p(row, p, 1))) << p;
    }
    EXPECT_EQ(bits(scores_of(chain(Typical{0.9}), row)), bits(reference::typical(row, 0.9, 1)));
  });
}

TEST(LargeRows, KeepByCountWhatSortingKeeps) {
  for_each_row([](const std::vector<float>& row) {
    for (const int k : {1, 100, 3000, 4500}) {
      EXPECT_EQ(bits(scores_of(chain(TopK{k}), row)), bits(reference::top_k(row, k, 1, true))) << k;
      EXPECT_EQ(bits(scores_of(chain(TopK{k, 1, Ties::lowest_id}), row)),
                bits(reference::top_k(row, k, 1, false)))
          << k;
    }
  });
}

const RowStart HISTORY{.prompt = {3, 600, 4000}, .generated = {1, 600, 2, 513, 4607, 600}};

/// Each stage by itself, on the scores that the one before it gave.
template <class... Stages>
std::vector<float> one_at_a_time(std::vector<float> row, const Stages&... stages) {
  ((row = scores_of(chain(stages), row, HISTORY)), ...);
  return row;
}
template <class... Stages>
void expect_stages_to_join(const std::vector<float>& row, const Stages&... stages) {
  EXPECT_EQ(bits(scores_of(chain(stages...), row, HISTORY)), bits(one_at_a_time(row, stages...)));
}

TEST(LargeRows, GiveTogetherWhatStagesGiveOneAtATime) {
  for_each_row([](const std::vector<float>& row) {
    const RepetitionPenalty repetition{1.3};
    const FrequencyPenalty frequency{0.4};
    const Temperature cold{0.6};
    const Temperature warm{1.7};
    expect_stages_to_join(row, cold, TopK{20}, warm);
    expect_stages_to_join(row, warm, frequency, cold);
    expect_stages_to_join(row, repetition, frequency, cold, TopP{0.9});
    expect_stages_to_join(row, cold, repetition, warm, MinP{0.2}, frequency);
    expect_stages_to_join(row, cold, warm, repetition, Greedy{});
    expect_stages_to_join(row, warm, TopNSigma{1.0}, cold);
    expect_stages_to_join(row, cold, TopP{0.5}, RemoveInvalidValues{}, frequency, TopK{7});
  });
}

TEST(LargeRows, OfNarrowLogitsGiveWhatTheyGiveWidened) {
  const auto sampler = chain(RepetitionPenalty{1.3}, Temperature{0.6}, TopK{300}, TopP{0.9});
  const auto stop = criterion();
  for_each_row([&](const std::vector<float>& row) {
    const auto vocab = static_cast<std::int64_t>(row.size());
    std::vector<half> halves;
    std::vector<bfloat16> bfloats;
    for (const float score : row) {
      halves.push_back(to_half(score));
      bfloats.push_back(to_bfloat16(score));
    }
    const auto expect_as_widened = [&](const auto& narrow) {
      std::vector<float> wide;
      for (const auto score : narrow) wide.push_back(widen(score));
      host_engine engine;
      StepState state = state_of(engine, sampler, stop, vocab, {HISTORY});
      std::vector<float> scores(row.size());
      apply(engine, sampler, state, host_logits(narrow.data(), 1, vocab),
            host_scores(scores.data(), 1, vocab));
      EXPECT_EQ(bits(scores), bits(scores_of(sampler, wide, HISTORY)));
    };
    expect_as_widened(halves);
    expect_as_widened(bfloats);
  });
}

}  // namespace
