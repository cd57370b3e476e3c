// SPDX-License-Identifier: Apache-2.0
// The sweeps that the engine makes are those of the plan: counted, not believed.
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

constexpr std::int64_t VOCAB = 5000;
constexpr std::int64_t SURVIVORS = 20;
const auto STOP = criterion();

/// Counts of one step of one row.
template <class ChainType>
SweepCounts counts_of(const ChainType& chain, const std::vector<float>& logits) {
  host_engine engine;
  StepState state = state_of(engine, chain, STOP, VOCAB,
                             {RowStart{.prompt = {1, 2, 3, 1}, .generated = {5, 6, 5}}});
  engine.take_counts();
  step(engine, chain, STOP, state, host_logits(logits.data(), 1, VOCAB));
  EXPECT_EQ(state.total(0), 8);
  return engine.take_counts();
}

template <class ChainType>
SweepCounts counts_of(const ChainType& chain) {
  std::mt19937 random(9);
  return counts_of(chain, random_row(random, VOCAB, 0.0001f, 200000));
}

/// Sweeps that the plan means: one to load the row; per pass one for its maps, one for each number
/// that is not known yet; a cut rewrites; a selection writes keys, searches, keeps.
struct Sweeps {
  std::int64_t whole_row = 1;
  std::int64_t survivors = 0;
  std::int64_t maximum = 0;
  std::int64_t total = 0;
  std::int64_t selections = 0;
};

template <class ChainType>
Sweeps sweeps_of_plan() {
  constexpr const auto& PLAN = ChainType::PLAN;
  Sweeps sweeps;
  for (int i = 0; i < PLAN.passes; ++i) {
    const Pass& pass = PLAN[i];
    std::int64_t count = 0;
    bool in_run = false;
    const int end = pass.stage < 0 ? ChainType::SIZE : pass.stage;
    for (int map = pass.first_map; map < end; ++map) {
      const bool dense = ChainType::TRAITS[index_of(map)].kind == Kind::map;
      count += dense && !in_run ? 1 : 0;
      in_run = dense;
    }
    const auto needs_now = [&](Numbers one) {
      return has(pass.numbers, one) && !has(pass.shared, one);
    };
    sweeps.maximum += needs_now(Numbers::maximum) ? 1 : 0;
    sweeps.total += needs_now(Numbers::total) ? 1 : 0;
    count += needs_now(Numbers::maximum) ? 1 : 0;
    count += needs_now(Numbers::total) ? 1 : 0;
    count += needs_now(Numbers::entropy) ? 1 : 0;
    if (pass.stage >= 0) {
      const bool selects = ChainType::TRAITS[index_of(pass.stage)].kind == Kind::selection;
      count += selects ? 3 : 1;
      sweeps.selections += selects ? 1 : 0;
    }
    (pass.whole_row ? sweeps.whole_row : sweeps.survivors) += count;
  }
  return sweeps;
}

template <class ChainType>
void expect_the_plans_sweeps(const ChainType& chain, const char* what) {
  SCOPED_TRACE(what);
  const Sweeps plan = sweeps_of_plan<ChainType>();
  const SweepCounts counts = counts_of(chain);
  EXPECT_EQ(counts.rows, 1);
  EXPECT_EQ(counts.whole_row_sweeps, plan.whole_row);
  EXPECT_EQ(counts.survivor_sweeps, plan.survivors);
  EXPECT_EQ(counts.maximum, plan.maximum);
  EXPECT_EQ(counts.total, plan.total);
  EXPECT_EQ(counts.selections, plan.selections);
}

TEST(Counts, AreThoseOfThePlan) {
  expect_the_plans_sweeps(chain(), "nothing");
  expect_the_plans_sweeps(chain(Temperature{1.5}), "a map");
  expect_the_plans_sweeps(chain(FrequencyPenalty{0.1}, Temperature{1.5}), "a list and a map");
  expect_the_plans_sweeps(chain(TopK{SURVIVORS}), "a selection");
  expect_the_plans_sweeps(chain(TopK{SURVIVORS}, TopP{0.8}, MinP{0.05}), "three filters");
  expect_the_plans_sweeps(chain(Temperature{0.7}, TopK{SURVIVORS}, TopP{0.8}), "a sampler");
  expect_the_plans_sweeps(chain(MinP{0.5}, FrequencyPenalty{0.1}, TopP{0.8}), "a list between");
  expect_the_plans_sweeps(chain(Typical{0.5}, TopK{SURVIVORS}), "an order of its own");
  expect_the_plans_sweeps(chain(EpsilonCutoff{0.0001}, EtaCutoff{0.001}), "two cuts");
  expect_the_plans_sweeps(chain(MinP{0.5}, Renormalize{}, TopK{3}), "normalised survivors");
  expect_the_plans_sweeps(chain(TopK{SURVIVORS}, RemoveInvalidValues{}, TopP{0.8}),
                          "removed tokens that come back");
}

TEST(Counts, OfAMapThatKeepsTheOrderSpareTheSearchOfTheMaximum) {
  const SweepCounts counts = counts_of(chain(MinP{0.5}, Temperature{2}, TopP{0.8}, Temperature{3}));
  EXPECT_EQ(counts.maximum, 1);
}

TEST(Counts, AfterASelectionOnlySurvivorsAreTouched) {
  const SweepCounts one = counts_of(chain(TopK{SURVIVORS}));
  const SweepCounts four =
      counts_of(chain(TopK{SURVIVORS}, Temperature{1.3}, TopP{0.8}, MinP{0.05}, Typical{0.9}));
  EXPECT_EQ(four.whole_row_sweeps, one.whole_row_sweeps);
  // A search looks at a place up to four times: once for each round, and once more.
  const std::int64_t sweeps = four.survivor_sweeps - one.survivor_sweeps;
  EXPECT_GT(sweeps, 0);
  EXPECT_LE(four.scores_read - one.scores_read, 4 * SURVIVORS * sweeps);
  // Load, maximum, keys, search (its first round once more), keep; what is left is survivors'.
  EXPECT_LT(one.scores_read, 7 * VOCAB);
}

TEST(Counts, OfAWholeSamplerStayBelowSevenReadsOfTheRow) {
  const SweepCounts counts =
      counts_of(chain(RepetitionPenalty{1.1}, Temperature{0.7}, TopK{SURVIVORS}, TopP{0.8}));
  EXPECT_LE(counts.whole_row_sweeps, 6);
  EXPECT_LT(counts.scores_read, 8 * VOCAB);
}

TEST(Counts, OfDroppedStagesAreZero) {
  const SweepCounts alone = counts_of(chain(Greedy{}));
  const SweepCounts after_filters = counts_of(chain(TopK{5}, TopP{0.5}, MinP{0.5}, Greedy{}));
  EXPECT_EQ(after_filters.whole_row_sweeps, alone.whole_row_sweeps);
  EXPECT_EQ(after_filters.survivor_sweeps, alone.survivor_sweeps);
  EXPECT_EQ(after_filters.scores_read, alone.scores_read);
  EXPECT_EQ(after_filters.selections, 0);
}

TEST(Counts, OfStagesThatAreOffAreZero) {
  const BiasTable bias = sequence_bias({{{1, 2}, 1.0}}, VOCAB);
  const std::vector<BiasTableView> tables = {bias.view()};
  const std::vector<std::int32_t> none = {-1};
  const SweepCounts bare = counts_of(chain());
  const auto off =
      chain(Temperature{1}, TopK{0}, TopP{1}, MinP{0}, Typical{1}, EpsilonCutoff{0}, EtaCutoff{0},
            TopH{.fraction = 0}, JointTopKTopP{.k = 0, .p = 1}, RepetitionPenalty{1},
            PromptRepetitionPenalty{1}, FrequencyPenalty{0}, PresencePenalty{0}, NoRepeatNGram{0},
            PromptNoRepeatNGram{0}, MinLength{0, 1}, MinNewTokens{0, 1}, ForcedBOS{-1},
            BeginSuppressTokens{1, -1}, ExponentialDecayLengthPenalty{0, 1, 1},
            SequenceBias{{host_span<const BiasTableView>(tables), per_row(none)}});
  const SweepCounts counts = counts_of(off);
  EXPECT_EQ(counts.whole_row_sweeps, bare.whole_row_sweeps);
  EXPECT_EQ(counts.survivor_sweeps, bare.survivor_sweeps);
  EXPECT_EQ(counts.scores_read, bare.scores_read);
  EXPECT_EQ(counts.selections, 0);
}

TEST(Counts, OfAListAreTheListsOwn) {
  const SweepCounts bare = counts_of(chain());
  const SweepCounts penalised = counts_of(chain(FrequencyPenalty{0.5}, PresencePenalty{0.5}));
  EXPECT_EQ(penalised.whole_row_sweeps, bare.whole_row_sweeps);
  // Five distinct tokens in the history, twice.
  EXPECT_EQ(penalised.scores_read, bare.scores_read + 10);
}

}  // namespace
