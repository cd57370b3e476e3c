// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

/// A transform whose automaton takes every token but one, and adds up the others.
struct Refusing {
  static constexpr Components components = Components::slot;
  static constexpr Kind kind = Kind::map;
  std::int32_t refused = -1;

  AutomatonSlot start(const SlotRow&) const { return {}; }
  AutomatonSlot advance(const SlotRow&, AutomatonSlot slot, std::int64_t token, bool) const {
    slot.node = token == refused ? DAMAGED_NODE : slot.node + static_cast<std::int32_t>(token);
    return slot;
  }
  struct Bound {
    std::int32_t node;
    float operator()(std::int32_t, float score) const { return score + static_cast<float>(node); }
  };
  Bound bind(const SlotRow& row) const { return {row.slot().node}; }
};

TEST(Composition, GivesEachStageTheAutomatonOfItsOwnPlace) {
  const auto walking = chain(Refusing{}, Temperature{1}, Refusing{}, TopK{0}, Refusing{});
  EXPECT_EQ(scores_of(walking, {0, 1}, {.prompt = {2}, .generated = {1}}),
            (std::vector<float>{9, 10}));

  host_engine engine;
  const auto stop = criterion();
  const StepState state =
      state_of(engine, walking, stop, 8, {RowStart{.prompt = {2, 1}}, RowStart{.prompt = {5}}});
  for (std::int64_t slot = 0; slot < 3; ++slot) {
    EXPECT_EQ(state.view().transform_slots_of(0)[slot].node, 3) << slot;
    EXPECT_EQ(state.view().transform_slots_of(1)[slot].node, 5) << slot;
  }
}

TEST(Composition, TakesATokenOnlyWhereEveryAutomatonTakesIt) {
  host_engine engine;
  const auto walking = chain(Refusing{3}, Refusing{5}, Refusing{});
  for (const std::int32_t token : {2, 3, 5}) {
    StepState state = state_of(engine, walking, criterion(), 8, {RowStart{.prompt = {0}}});
    commit(engine, walking, criterion(), state, std::vector<std::int32_t>{token});
    EXPECT_EQ(state.status(0), token == 2 ? Status::ok : Status::invalid_table) << token;
    EXPECT_EQ(state.position(0), token == 2 ? 1 : 0) << token;
  }
}

}  // namespace
