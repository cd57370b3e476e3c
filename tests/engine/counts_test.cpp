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

/// What the plan means. A pass over the whole row sweeps it for its maps, which find the best of
/// each block by the way, or else for the maximum; once for each further number; once for keys that
/// are not the scores. What a filter keeps it takes from the blocks that hold it, without a sweep.
struct Sweeps {
  std::int64_t whole_row = 0;
  std::int64_t maximum = 0;
  std::int64_t total = 0;
  std::int64_t survivor_passes = 0;
};

template <class ChainType>
Sweeps sweeps_of_plan() {
  constexpr const auto& PLAN = ChainType::PLAN;
  Sweeps sweeps;
  for (int i = 0; i < PLAN.passes; ++i) {
    const Pass& pass = PLAN[i];
    const auto needs_now = [&](Numbers one) {
      return has(pass.numbers, one) && !has(pass.shared, one) ? 1 : 0;
    };
    sweeps.maximum += needs_now(Numbers::maximum);
    sweeps.total += needs_now(Numbers::total);
    if (!pass.whole_row) {
      ++sweeps.survivor_passes;
      continue;
    }
    sweeps.whole_row += pass.maps > 0 ? 1 : needs_now(Numbers::maximum);
    sweeps.whole_row += needs_now(Numbers::total) + needs_now(Numbers::entropy);
    if (pass.stage < 0) continue;
    const StageTraits& stage = ChainType::TRAITS[index_of(pass.stage)];
    sweeps.whole_row += stage.kind == Kind::selection && !stage.by_score ? 1 : 0;
  }
  return sweeps;
}

/// For chains whose maps of a pass are one run that needs no number of the row.
template <class ChainType>
void expect_the_plans_sweeps(const ChainType& chain, const char* what) {
  SCOPED_TRACE(what);
  const Sweeps plan = sweeps_of_plan<ChainType>();
  const SweepCounts counts = counts_of(chain);
  EXPECT_EQ(counts.rows, 1);
  EXPECT_EQ(counts.whole_row_sweeps, plan.whole_row);
  EXPECT_EQ(counts.maximum, plan.maximum);
  EXPECT_EQ(counts.total, plan.total);
  EXPECT_LE(counts.survivor_sweeps, 6 * plan.survivor_passes);
}

TEST(Counts, AreThoseOfThePlan) {
  expect_the_plans_sweeps(chain(), "nothing");
  expect_the_plans_sweeps(chain(Temperature{1.5}), "a map");
  expect_the_plans_sweeps(chain(FrequencyPenalty{0.1}), "a list");
  expect_the_plans_sweeps(chain(TopK{SURVIVORS}), "a selection");
  expect_the_plans_sweeps(chain(TopK{SURVIVORS}, TopP{0.8}, MinP{0.05}), "three filters");
  expect_the_plans_sweeps(chain(Temperature{1.7}, TopK{SURVIVORS}, TopP{0.8}), "a sampler");
  expect_the_plans_sweeps(chain(MinP{0.5}, FrequencyPenalty{0.1}, TopP{0.8}), "a list between");
  expect_the_plans_sweeps(chain(EpsilonCutoff{0.0001}, EtaCutoff{0.001}), "two cuts");
  expect_the_plans_sweeps(chain(MinP{0.5}, Renormalize{}, TopK{3}), "normalised survivors");
  expect_the_plans_sweeps(chain(Greedy{}), "the best token");
}

TEST(Counts, OfASearchInBinsAreThreeSweepsAtMost) {
  // Half the mass of this row is in too many tokens to put them in order.
  const auto typical = chain(Typical{0.5}, TopK{SURVIVORS});
  const SweepCounts counts = counts_of(typical);
  const std::int64_t plan = sweeps_of_plan<std::remove_const_t<decltype(typical)>>().whole_row;
  EXPECT_GE(counts.whole_row_sweeps, plan);
  EXPECT_LE(counts.whole_row_sweeps, plan + 3);
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
  const std::int64_t sweeps = four.survivor_sweeps - one.survivor_sweeps;
  EXPECT_GT(sweeps, 0);
  EXPECT_LE(four.scores_read - one.scores_read, SURVIVORS * sweeps);
}

TEST(Counts, OfASamplerAreOneReadOfTheRowAndTheBlocksThatHoldTheBest) {
  // One score in each block of 512 stands out: at most 20 blocks hold the 20 best of them.
  constexpr std::int64_t LARGE = 512 * 100;
  host_engine engine;
  const auto sampler = chain(TopK{SURVIVORS}, TopP{0.8}, MinP{0.05});
  std::mt19937 random(4);
  std::vector<float> logits = random_row(random, LARGE, 0.001f);
  for (std::size_t i = 0; i < 100; ++i) logits[512 * i + i] = 5.0f + 0.01f * static_cast<float>(i);
  StepState state = state_of(engine, sampler, STOP, LARGE, {RowStart{}});
  step(engine, sampler, STOP, state, host_logits(logits.data(), 1, LARGE));
  const SweepCounts counts = engine.take_counts();
  EXPECT_EQ(counts.whole_row_sweeps, 1);
  EXPECT_LE(counts.scores_read, LARGE + 2 * SURVIVORS * 512 + 40 * SURVIVORS);
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
  // Five distinct tokens in the history, twice; all in one block, whose best score is found anew.
  EXPECT_LE(penalised.scores_read, bare.scores_read + 10 + 512);
}

}  // namespace
