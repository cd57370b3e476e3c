// SPDX-License-Identifier: Apache-2.0
// A row's results depend on the row alone: not on its neighbours, its place, or what lies around it
// in memory; and rows that are copied or moved go on as they would have.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "properties/run.hpp"

namespace {

using namespace properties;
using logitchain_test::bits;
using logitchain_test::bytes_of_row;
using logitchain_test::text_of_result;
using logitchain_test::texts_of;

/// Rows order[0], order[1], ... of a setting, with their numbers, beside the whole setting.
void expect_selection_to_change_nothing(const ChainType& type, std::uint64_t seed,
                                        const std::vector<std::size_t>& order) {
  Setting whole(type, seed);
  Setting selected(type, seed);
  selected.batch.select(order);
  const std::vector<std::int32_t> logits_row(order.begin(), order.end());
  std::vector<std::int32_t> state_row(order.size());
  std::iota(state_row.begin(), state_row.end(), 0);
  const HostItems items{logits_row, state_row};
  StepState state = whole.begin();
  StepState other = selected.begin();
  for (int step = 0; step < STEPS; ++step) {
    const std::vector<float> scores = whole.scores(state, step);
    const std::vector<float> other_scores = selected.scores(other, step, items);
    const std::vector<StepResult> results = whole.step(state, step);
    const std::vector<StepResult> other_results = selected.step(other, step, items);
    for (std::size_t i = 0; i < order.size(); ++i) {
      ASSERT_EQ(bits(part(other_scores, i, whole.batch.vocab)),
                bits(part(scores, order[i], whole.batch.vocab)))
          << "step " << step << ", row " << order[i];
      ASSERT_EQ(text_of_result(other_results[i]), text_of_result(results[order[i]]))
          << "step " << step << ", row " << order[i];
    }
  }
}

TEST(ARow, ComesOutAloneAsItDoesInABatch) {
  for_every_chain(1'000'000, [](const ChainType& type, std::uint64_t seed) {
    const std::size_t rows = Setting(type, seed).rows();
    expect_selection_to_change_nothing(type, seed, {seed % rows});
  });
}

TEST(ARow, ComesOutInAnyPlaceAndBesideItsOwnCopy) {
  for_every_chain(2'000'000, [](const ChainType& type, std::uint64_t seed) {
    const std::size_t rows = Setting(type, seed).rows();
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random random(seed);
    for (std::size_t i = rows; i > 1; --i) std::swap(order[i - 1], order[random.next() % i]);
    if (rows > 2) order[0] = order[1];
    expect_selection_to_change_nothing(type, seed, order);
  });
}

TEST(ARow, IsNotChangedByWhatLiesBeyondTheVocabulary) {
  for_every_chain(3'000'000, [](const ChainType& type, std::uint64_t seed) {
    Setting setting(type, seed);
    const std::int64_t vocab = setting.batch.vocab;
    const std::int64_t rows = static_cast<std::int64_t>(setting.rows());
    StepState state = setting.begin();
    const std::vector<float> scores = setting.scores(state, 0);
    std::vector<float> dense;
    for (const oracle::Scores& row : setting.logits[0].of_row) {
      dense.insert(dense.end(), row.begin(), row.end());
    }
    // The logits' own memory takes the scores.
    setting.instance->apply(setting.engine, state, host_logits(dense.data(), rows, vocab),
                            host_scores(dense.data(), rows, vocab), {});
    for (std::size_t row = 0; row < setting.rows(); ++row) {
      if (!state.active(static_cast<std::int64_t>(row))) continue;
      ASSERT_EQ(bits(part(dense, row, vocab)), bits(part(scores, row, vocab))) << "row " << row;
    }
  });
}

TEST(ARow, IsGatheredBeforeAStepAsBehindIt) {
  for_every_chain(4'000'000, [](const ChainType& type, std::uint64_t seed) {
    Setting before(type, seed);
    Setting behind(type, seed);
    const std::size_t rows = before.rows();
    std::vector<std::int64_t> parents(rows);
    std::vector<std::size_t> order(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      order[row] = before.random.next() % rows;
      parents[row] = static_cast<std::int64_t>(order[row]);
    }
    StepState state = before.begin();
    StepState other = behind.begin();
    before.step(state, 0);
    behind.step(other, 0);

    before.step(state, 1);
    gather(before.engine, state, parents);
    gather(behind.engine, other, parents);
    behind.batch.select(order);
    const std::vector<std::int32_t> logits_row(order.begin(), order.end());
    std::vector<std::int32_t> state_row(rows);
    std::iota(state_row.begin(), state_row.end(), 0);
    behind.step(other, 1, {logits_row, state_row});
    for (std::int64_t row = 0; row < state.rows(); ++row) {
      ASSERT_EQ(bytes_of_row(other, row), bytes_of_row(state, row)) << "row " << row;
    }
  });
}

TEST(ARow, IsSavedAndLoadedBetweenStepsAsIfItHadStayed) {
  for_every_chain(5'000'000, [](const ChainType& type, std::uint64_t seed) {
    Setting setting(type, seed);
    StepState stays = setting.begin();
    StepState moves = setting.begin();
    for (int step = 0; step < STEPS; ++step) {
      StepState elsewhere = setting.instance->state(setting.engine, setting.batch);
      for (std::int64_t row = 0; row < moves.rows(); ++row) {
        load_row(setting.engine, elsewhere, row, save_row(setting.engine, moves, row));
      }
      moves = std::move(elsewhere);
      ASSERT_EQ(texts_of(setting.step(moves, step)), texts_of(setting.step(stays, step)));
      for (std::int64_t row = 0; row < moves.rows(); ++row) {
        ASSERT_EQ(bytes_of_row(moves, row), bytes_of_row(stays, row)) << "row " << row;
      }
    }
  });
}

}  // namespace
