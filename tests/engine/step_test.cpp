// SPDX-License-Identifier: Apache-2.0
// What the step reports of a row whose drawn token is not committed, and what apply writes beyond a
// row.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

/// A rule whose automaton does not take one token.
struct Refusing {
  static constexpr Components components = Components::slot;
  std::int32_t refused = -1;

  AutomatonSlot start(const SlotRow&) const { return {}; }
  AutomatonSlot advance(const SlotRow&, AutomatonSlot slot, std::int64_t token, bool) const {
    if (token == refused) slot.node = DAMAGED_NODE;
    return slot;
  }
  bool operator()(const SlotRow&, std::int32_t) const { return false; }
};

TEST(Apply, RemovesWhatLiesBeyondTheVocabularyWhateverTheChainDid) {
  host_engine engine;
  const std::vector<float> logits = {1, 2, 3, 50, 60};
  const auto expect_padding = [&](const auto& chain) {
    StepState state = state_of(engine, chain, criterion(), 3, {RowStart{}});
    std::vector<float> scores(7, 77.0f);
    apply(engine, chain, state, host_logits(logits.data(), 1, 5), host_scores(scores.data(), 1, 7));
    EXPECT_EQ(scores[2], 3.0f);
    EXPECT_EQ(std::vector<float>(scores.begin() + 3, scores.end()), std::vector<float>(4, FILTER));
  };
  expect_padding(chain());
  expect_padding(chain(TopK{2}));
  expect_padding(chain(SuppressTokens{1}));
}

TEST(Step, ReportsNoTokenWhereAnAutomatonDoesNotTakeIt) {
  host_engine engine;
  const auto best = chain(Greedy{});
  const auto stop = criterion(Refusing{2});
  StepState state =
      state_of(engine, best, stop, 4, {RowStart{.prompt = {0}}, RowStart{.prompt = {0}}});
  const std::vector<float> logits = {0, 0, 9, 0, 0, 9, 0, 0};
  std::vector<std::int32_t> tokens(2);
  std::vector<StepResult> results(2);
  step(engine, best, stop, state, host_logits(logits.data(), 2, 4),
       {.tokens = tokens, .results = results});
  EXPECT_EQ(tokens, (std::vector<std::int32_t>{-1, 1}));
  EXPECT_EQ(results[0].token, -1);
  EXPECT_EQ(results[0].status, Status::invalid_table);
  EXPECT_EQ(results[0].generated, 0);
  EXPECT_EQ(results[1].token, 1);
}

}  // namespace
