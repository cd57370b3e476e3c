// SPDX-License-Identifier: Apache-2.0
// Items of a call: which row of logits goes with which row of the state, and what is refused.
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

using Ids = std::vector<std::int32_t>;

constexpr std::int64_t VOCAB = 300;
const auto SAMPLER = chain(RepetitionPenalty{1.5}, TopK{50});
const auto GREEDY = chain(Greedy{});
const auto STOP = criterion();

/// Logits whose best token is `best`.
std::vector<float> pointing_at(std::size_t best) {
  std::vector<float> logits(index_of(VOCAB), 0.0f);
  logits[best] = 9.0f;
  return logits;
}

class Items : public testing::Test {
 protected:
  host_engine engine_;
  std::vector<float> logits_ =
      joined({pointing_at(10), pointing_at(11), pointing_at(12), pointing_at(13)});
  StepState state_ = state_of(engine_, GREEDY, STOP, VOCAB, std::vector<RowStart>(4), 8);

  host_logits view() const { return {logits_.data(), 4, VOCAB}; }

  Ids step_with(const HostItems& items, std::size_t count) {
    Ids tokens(count, -9);
    step(engine_, GREEDY, STOP, state_, view(), {.tokens = tokens, .items = items});
    return tokens;
  }
  /// The refusal of a call, after a look that no row changed.
  template <class Call>
  std::string refused(Call&& call) {
    std::vector<std::vector<unsigned char>> before;
    for (std::int64_t row = 0; row < state_.rows(); ++row) {
      before.push_back(bytes_of_row(state_, row));
    }
    const std::string text = refusal_of(call);
    for (std::int64_t row = 0; row < state_.rows(); ++row) {
      EXPECT_EQ(bytes_of_row(state_, row), before[index_of(row)]) << "row " << row;
    }
    return text;
  }
};

TEST_F(Items, AreAllRowsInOrderWhereNoneAreGiven) {
  EXPECT_EQ(step_with({}, 4), (Ids{10, 11, 12, 13}));
  for (std::int64_t row = 0; row < 4; ++row) EXPECT_EQ(state_.generated(row)[0], 10 + row);
}

TEST_F(Items, TakeFewerRowsThanTheStateHas) {
  Ids tokens(2);
  step(engine_, GREEDY, STOP, state_, host_logits(logits_.data(), 2, VOCAB), {.tokens = tokens});
  EXPECT_EQ(tokens, (Ids{10, 11}));
  EXPECT_EQ(state_.position(1), 1);
  EXPECT_EQ(state_.position(2), 0);
}

TEST_F(Items, MapRowsOfLogitsToRowsOfTheState) {
  const Ids logits_row = {3, 0, 2};
  const Ids state_row = {1, 2, 0};
  EXPECT_EQ(step_with({logits_row, state_row}, 3), (Ids{13, 10, 12}));
  EXPECT_EQ(state_.generated(1)[0], 13);
  EXPECT_EQ(state_.generated(2)[0], 10);
  EXPECT_EQ(state_.generated(0)[0], 12);
  EXPECT_EQ(state_.position(3), 0);
}

TEST_F(Items, MapOneSideAlone) {
  const Ids rows = {2, 1};
  EXPECT_EQ(step_with({.logits_row = rows}, 2), (Ids{12, 11}));
  EXPECT_EQ(state_.generated(0)[0], 12);
  EXPECT_EQ(step_with({.state_row = rows}, 2), (Ids{10, 11}));
  EXPECT_EQ(state_.generated(2)[0], 10);
  EXPECT_EQ(state_.generated(1)[1], 11);
}

TEST_F(Items, OfMinusOneAreSkippedOnEitherSide) {
  const Ids logits_row = {0, -1, 2, 3, -1};
  const Ids state_row = {0, 1, -1, 3, -1};
  std::vector<StepResult> results(5);
  Ids tokens(5, -9);
  step(engine_, GREEDY, STOP, state_, view(),
       {.tokens = tokens, .results = results, .items = {logits_row, state_row}});
  EXPECT_EQ(tokens, (Ids{10, -1, -1, 13, -1}));
  EXPECT_EQ(state_.position(1), 0);
  EXPECT_EQ(state_.position(2), 0);
  EXPECT_EQ(results[0].token, 10);
  EXPECT_EQ(results[3].token, 13);
  for (const std::size_t skipped : {1u, 2u, 4u}) {
    EXPECT_EQ(text_of_result(results[skipped]), text_of_result(StepResult{}));
  }
}

TEST_F(Items, ThatAreSkippedLeaveScoresAlone) {
  const Ids logits_row = {-1, 1};
  std::vector<float> scores(index_of(2 * VOCAB), 5.0f);
  apply(engine_, GREEDY, state_, view(), host_scores(scores.data(), 2, VOCAB),
        {.logits_row = logits_row});
  EXPECT_EQ(std::vector<float>(scores.begin(), scores.begin() + VOCAB),
            std::vector<float>(index_of(VOCAB), 5.0f));
  EXPECT_EQ(kept({scores.begin() + VOCAB, scores.end()}), std::vector<int>{11});
}

TEST_F(Items, OfSixtyFourBitsTakeTokensToo) {
  std::vector<std::int64_t> tokens(4, -9);
  step(engine_, GREEDY, STOP, state_, view(), {.tokens = tokens});
  EXPECT_EQ(tokens, (std::vector<std::int64_t>{10, 11, 12, 13}));
  commit(engine_, GREEDY, STOP, state_, tokens);
  EXPECT_EQ(state_.generated(3)[1], 13);
}

TEST_F(Items, RefuseAStateRowThatIsNamedTwice) {
  const Ids logits_row = {0, 1, 2};
  const Ids state_row = {2, 0, 2};
  const std::string expected =
      ": state row 2 is named by two items (duplicate_row); each state row may occur once";
  const HostItems items{logits_row, state_row};
  Ids tokens(3, -9);
  EXPECT_EQ(refused([&] {
              step(engine_, GREEDY, STOP, state_, view(), {.tokens = tokens, .items = items});
            }),
            "step" + expected);
  EXPECT_EQ(refused([&] { draw(engine_, state_, view(), tokens, items); }), "draw" + expected);
  std::vector<float> scores(index_of(3 * VOCAB), 5.0f);
  EXPECT_EQ(refused([&] {
              apply(engine_, GREEDY, state_, view(), host_scores(scores.data(), 3, VOCAB), items);
            }),
            "apply" + expected);
  EXPECT_EQ(refused([&] { commit(engine_, GREEDY, STOP, state_, Ids{1, 2, 3}, {.items = items}); }),
            "commit" + expected);
  EXPECT_EQ(tokens, (Ids{-9, -9, -9}));
  EXPECT_EQ(scores[0], 5.0f);
}

TEST_F(Items, MaySkipARowThatAnotherItemNames) {
  const Ids logits_row = {0, -1};
  const Ids state_row = {2, 2};
  EXPECT_EQ(step_with({logits_row, state_row}, 2), (Ids{10, -1}));
}

TEST_F(Items, RefuseRowsOutOfRangeByIndexAndValue) {
  // An empty list here stands for an absent array.
  const auto text = [&](const Ids& logits_row, const Ids& state_row) {
    HostItems items;
    if (!logits_row.empty()) items.logits_row = logits_row;
    if (!state_row.empty()) items.state_row = state_row;
    return refused([&] { step_with(items, 4); });
  };
  EXPECT_EQ(text({0, 4}, {0, 1}), "step: items.logits_row[1] is 4; it must be in [-1, 3]");
  EXPECT_EQ(text({0, -2}, {0, 1}), "step: items.logits_row[1] is -2; it must be in [-1, 3]");
  EXPECT_EQ(text({0, 1, 2}, {0, 1, 4}), "step: items.state_row[2] is 4; it must be in [-1, 3]");
  EXPECT_EQ(text({}, {-2}), "step: items.state_row[0] is -2; it must be in [-1, 3]");
  EXPECT_EQ(text({0, 1}, {0}),
            "step: the size of items.state_row is 1; it must be 2, that of items.logits_row");
  EXPECT_EQ(text({0, 1, 2, 3, 0}, {}),
            "step: the number of items is 5; it must be at most 4, the state's rows, without "
            "items.state_row");
  EXPECT_EQ(text({}, {0, 1, 2, 3, -1, 2}),
            "step: the number of items is 6; it must be at most 4, the rows given, without "
            "items.logits_row");
}

TEST_F(Items, RefuseBuffersThatAreTooSmall) {
  Ids tokens(3, -9);
  std::vector<StepResult> results(3);
  std::vector<float> scores(index_of(3 * VOCAB));
  EXPECT_EQ(refused([&] { step(engine_, GREEDY, STOP, state_, view(), {.tokens = tokens}); }),
            "step: the size of tokens is 3; it must be at least 4, the number of items");
  EXPECT_EQ(refused([&] { step(engine_, GREEDY, STOP, state_, view(), {.results = results}); }),
            "step: the size of results is 3; it must be at least 4, the number of items");
  EXPECT_EQ(refused([&] { draw(engine_, state_, view(), tokens); }),
            "draw: the size of tokens is 3; it must be at least 4, the number of items");
  EXPECT_EQ(refused([&] {
              apply(engine_, GREEDY, state_, view(), host_scores(scores.data(), 3, VOCAB));
            }),
            "apply: the size of scores is 3; it must be at least 4, the number of items");
  EXPECT_EQ(refused([&] {
              step(engine_, GREEDY, STOP, state_, host_logits(logits_.data(), 4, VOCAB - 1));
            }),
            "step: the width of logits is 299; it must be at least the state's vocab, 300");
}

TEST_F(Items, RefuseTokensThatCannotBeCommitted) {
  EXPECT_EQ(refused([&] { commit(engine_, GREEDY, STOP, state_, Ids{1, 2, 300, 4}); }),
            "commit: tokens[2, 0] is 300; it must be -1 (skip) or in [0, 300)");
  EXPECT_EQ(refused([&] {
              commit(engine_, GREEDY, STOP, state_,
                     std::vector<std::int64_t>{1, std::int64_t{1} << 32, 3, 4});
            }),
            "commit: tokens[1, 0] is 4294967296; it must be -1 (skip) or in [0, 300)");
  const Ids counts = {1, 3, 0, 0};
  EXPECT_EQ(
      refused([&] { commit(engine_, GREEDY, STOP, state_, Ids{1, 2, 3, 4, 5, 6, 7, 8}, counts); }),
      "commit: counts[1] is 3; it must be in [0, 2]");
  const Ids negative = {1, 2, 0, -1};
  EXPECT_EQ(refused([&] {
              commit(engine_, GREEDY, STOP, state_, Ids{1, 2, 3, 4, 5, 6, 7, 8}, negative);
            }),
            "commit: counts[3] is -1; it must be in [0, 2]");
}

TEST(SamplesOfOneRow, AreItemsWithSeedsOfTheirOwn) {
  constexpr int SAMPLES = 16;
  host_engine engine;
  std::mt19937 random(2);
  const std::vector<float> logits = random_row(random, VOCAB, 0.001f);
  std::vector<RowStart> starts;
  for (unsigned i = 0; i < SAMPLES; ++i) starts.push_back({.prompt = {5}, .seed = 70 + i});
  StepState state = state_of(engine, SAMPLER, STOP, VOCAB, starts);
  const Ids zeros(SAMPLES, 0);
  Ids state_row;
  for (int i = 0; i < SAMPLES; ++i) state_row.push_back(SAMPLES - 1 - i);
  Ids tokens(SAMPLES);
  step(engine, SAMPLER, STOP, state, host_logits(logits.data(), 1, VOCAB),
       {.tokens = tokens, .items = {zeros, state_row}});
  EXPECT_GT(std::set<std::int32_t>(tokens.begin(), tokens.end()).size(), 8u);
  for (unsigned i = 0; i < SAMPLES; ++i) {
    StepState alone = state_of(engine, SAMPLER, STOP, VOCAB, {starts[i]});
    Ids token(1);
    step(engine, SAMPLER, STOP, alone, host_logits(logits.data(), 1, VOCAB), {.tokens = token});
    EXPECT_EQ(token[0], tokens[SAMPLES - 1 - i]);
  }
}

}  // namespace
