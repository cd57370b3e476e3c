// SPDX-License-Identifier: Apache-2.0
// Stages of a user's own, as structs: both engines run them, with the same bits.
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/edge_chains.cuh"

namespace cuda_test {
namespace {

/// As plain as a callable can be.
struct EvenOrLow {
  float least;
  LOGITCHAIN_HD float operator()(const RowView& row, int token, float score) const {
    return token % 2 == 0 || score < least || row.row() == 2 ? score : FILTER;
  }
};

/// A map that walks the row's distinct tokens, with a number per row.
struct DampRepeated {
  static constexpr const char* name = "DampRepeated";
  static constexpr Kind kind = Kind::map;
  static constexpr Components components = Components::seen;

  Param<float> step = 0;

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("step", step, FINITE);
  }
  struct Bound {
    SeenRow row;
    float step;
    LOGITCHAIN_HD float operator()(std::int32_t token, float score) const {
      for (std::int32_t i = 0; i < row.seen_size(); ++i) {
        const SeenToken seen = row.seen(i);
        if (seen.token != token) continue;
        const float times = static_cast<float>(seen.generated() + (seen.in_prompt() ? 1 : 0));
        return sub(score, mul(step, times));
      }
      return score;
    }
  };
  LOGITCHAIN_HD Bound bind(const SeenRow& row) const { return {row, to_float(step.at(row.row()))}; }
};

/// A cut by numbers of the row.
struct AboveMean {
  static constexpr const char* name = "AboveMean";
  static constexpr Kind kind = Kind::cut;
  static constexpr Numbers numbers = Numbers::deviation;

  Param<float> n = 1;

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("n", n, FINITE);
  }
  struct Bound {
    float threshold;
    LOGITCHAIN_HD float operator()(int, float score) const {
      return score >= threshold ? score : FILTER;
    }
  };
  LOGITCHAIN_HD Bound bind(const RowView& row, const RowNumbers& found) const {
    return {add(found.mean, mul(to_float(n.at(row.row())), found.deviation))};
  }
};

/// An automaton that is moved by what the row has seen so far: its node is a digest of the counts
/// of distinct tokens at each token's turn. It adds to one token's score.
struct FollowsCounts {
  static constexpr const char* name = "FollowsCounts";
  static constexpr Kind kind = Kind::listed;
  static constexpr Components components = Components::seen | Components::slot;
  using Row = RowWith<components>;

  LOGITCHAIN_HD AutomatonSlot start(const Row& row) const {
    AutomatonSlot slot;
    slot.node = row.prompt_length();
    return slot;
  }
  LOGITCHAIN_HD AutomatonSlot advance(const Row& row, AutomatonSlot slot, std::int64_t token,
                                      bool generated) const {
    std::int64_t digest = slot.node * std::int64_t{31} + token + row.seen_size();
    for (std::int32_t i = 0; i < row.seen_size(); ++i) {
      digest = digest * 7 + row.seen(i).counts % 1000 + row.seen(i).last_position;
    }
    slot.node = static_cast<std::int32_t>(digest % 1'000'003);
    slot.bytes += generated ? 1 : 0;
    return slot;
  }
  struct Bound {
    std::int32_t chosen;
    LOGITCHAIN_HD std::int64_t size() const { return 1; }
    LOGITCHAIN_HD std::int64_t token(std::int64_t) const { return chosen; }
    LOGITCHAIN_HD float operator()(std::int64_t, float score) const { return add(score, 3.0f); }
  };
  LOGITCHAIN_HD Bound bind(const Row& row) const { return {row.slot().node % row.vocab()}; }
};

/// Ends a row with a token of a remainder: bool.
struct EndsOnRemainder {
  std::int32_t divisor, rest;
  LOGITCHAIN_HD bool operator()(const RowView&, std::int32_t token) const {
    return token % divisor == rest;
  }
};

/// Ends a row whose newest token was generated before: the entry is how often.
struct EndsOnRepetition {
  static constexpr Components components = Components::seen;
  LOGITCHAIN_HD Fired operator()(const SeenRow& row, std::int32_t token) const {
    for (std::int32_t i = 0; i < row.seen_size(); ++i) {
      if (row.seen(i).token == token && row.seen(i).generated() > 1) {
        return {row.seen(i).generated(), 0};
      }
    }
    return {};
  }
};

TEST(OwnStages, RunAlikeOnBothEngines) {
  constexpr std::int64_t VOCAB = 300;
  constexpr std::int64_t ROWS = 4;
  const std::vector<float> steps = {0.001f, 2.0f, 0.25f, NOT_A_NUMBER};
  const auto own = chain(FollowsCounts{}, DampRepeated{per_row(steps)}, EvenOrLow{-1.0f},
                         AboveMean{0.5}, TopK{4});
  const auto rules = criterion(EndsOnRemainder{2, 1}, EndsOnRepetition{});
  BothEngines both({.rows = ROWS, .capacity = 64, .vocab = VOCAB, .seed = 3}, own, rules,
                   {.cluster = 2});
  both.admit({{.row = 0, .prompt = {1, 2, 2, 7}},
              {.row = 1, .prompt = {9, 300, 9}, .generated = {8, 8, 10, 9}},
              {.row = 2, .prompt = {}, .generated = {5, 5}},
              {.row = 3, .prompt = {4}}});
  EXPECT_EQ(both.states(), "") << "after admission";
  std::mt19937 random(8);
  LogitsMemory logits(DType::f16, ROWS, VOCAB, VOCAB + 1);
  for (std::int64_t row = 0; row < ROWS; ++row) logits.set_row(row, random_row(random, VOCAB));
  bool fired[2] = {};
  for (int step = 0; step < 9; ++step) {
    EXPECT_EQ(both.step(logits.view()), "") << "step " << step;
    for (const StepResult& result : both.results()) {
      if (result.status == Status::finished) fired[result.criterion] = true;
    }
  }
  EXPECT_EQ(both.results()[3].status, Status::invalid_parameter);
  EXPECT_TRUE(fired[0]) << "the rule without entries";
  EXPECT_TRUE(fired[1]) << "the rule with entries";
  EXPECT_EQ(both.look_at_ends(), "");
}

}  // namespace
}  // namespace cuda_test
