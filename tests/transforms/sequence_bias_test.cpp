// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <logitchain/build/sequence_bias.hpp>
#include <logitchain/transforms/sequence_bias.hpp>

#include "support/bodies.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;

namespace {

const lc::BiasTable& same_last_token() {
  static const lc::BiasTable table =
      lc::sequence_bias({{{1, 5}, 2.0}, {{3, 5}, -1.0}, {{5}, 0.5}}, 16);
  return table;
}

bodies::Scores after(const lc::SequenceBias& stage, rows::Row& row, const bodies::Scores& scores) {
  return bodies::apply_listed(stage.bind(row.walked(stage)), scores);
}

// S07, whose contexts are the ends of longer rows here: what is longer than the row is skipped.
TEST(SequenceBias, AddsTheSumOfAllThatEndInTheToken) {
  const lc::SequenceBias stage{same_last_token()};
  const auto z5 = [&](rows::Tokens history) {
    rows::Row row(history);
    return after(stage, row, bodies::Scores(16, 0.0f))[5];
  };
  EXPECT_EQ(z5({0, 1}), 2.5f);
  EXPECT_EQ(z5({0, 3}), -0.5f);
  EXPECT_EQ(z5({0, 9}), 0.5f);
  EXPECT_EQ(z5({3, 1}), 2.5f);
}

TEST(SequenceBias, SkipsWhatIsLongerThanTheHistory) {
  const lc::SequenceBias stage{same_last_token()};
  rows::Row row({1});
  EXPECT_EQ(after(stage, row, bodies::Scores(16, 0.0f))[5], 0.5f) << "the reference's length test";
}

TEST(SequenceBias, WalksPromptAndGeneratedAlike) {
  const lc::SequenceBias stage{same_last_token()};
  rows::Row row({9}, {1});
  EXPECT_EQ(after(stage, row, bodies::Scores(16, 0.0f))[5], 2.5f);
}

TEST(SequenceBias, TouchesNoOtherToken) {
  const lc::SequenceBias stage{same_last_token()};
  rows::Row row({0, 1});
  const bodies::Scores out = after(stage, row, bodies::Scores(16, 7.0f));
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i == 5 ? 9.5f : 7.0f) << i;
}

TEST(SequenceBias, BansBySumsOfMinusInfinity) {
  const lc::BiasTable table = lc::sequence_bias({{{5}, 3.0}, {{1, 5}, -bodies::INF}}, 16);
  const lc::SequenceBias stage{table};
  rows::Row row({0, 1});
  EXPECT_EQ(after(stage, row, bodies::Scores(16, 0.0f))[5], lc::FILTER);
  EXPECT_EQ(after(stage, row, bodies::Scores(16, bodies::INF))[5], lc::FILTER);
  EXPECT_EQ(after(stage, row, bodies::Scores(16, bodies::NOT_A_NUMBER))[5], lc::FILTER);
}

TEST(SequenceBias, LeavesWhatWasRemoved) {
  const lc::BiasTable table = lc::sequence_bias({{{5}, bodies::INF}}, 16);
  const lc::SequenceBias stage{table};
  rows::Row row({1});
  EXPECT_EQ(after(stage, row, bodies::Scores(16, lc::FILTER))[5], lc::FILTER);
}

TEST(SequenceBias, ForgetsAtAPlaceholderBeyondTheVocabulary) {
  const lc::SequenceBias stage{same_last_token()};
  rows::Row row({0, 1, 1000});
  EXPECT_EQ(after(stage, row, bodies::Scores(16, 0.0f))[5], 0.5f);
}

TEST(SequenceBias, RefusesAStateOfAnotherTable) {
  const lc::BiasTable other = lc::sequence_bias({{{1, 6}, 2.0}}, 16);
  const lc::SequenceBias one{same_last_token()};
  const lc::SequenceBias two{other};
  rows::Row row({1});
  const lc::AutomatonSlot state = row.walked(one).slot();
  EXPECT_TRUE(one.valid(row.slot(state)));
  EXPECT_FALSE(two.valid(row.slot(state)));
  EXPECT_LT(two.advance(row.slot(state), state, 1, true).node, 0);
  EXPECT_FALSE(one.valid(row.slot({}))) << "a state that belongs to no table";
}

TEST(SequenceBias, RefusesADamagedNode) {
  const lc::SequenceBias stage{same_last_token()};
  rows::Row row({1});
  lc::AutomatonSlot state = row.walked(stage).slot();
  for (const std::int32_t node : {-1, 1000}) {
    state.node = node;
    EXPECT_FALSE(stage.valid(row.slot(state))) << node;
    EXPECT_LT(stage.advance(row.slot(state), state, 1, true).node, 0) << node;
    EXPECT_EQ(stage.bind(row.slot(state)).size(), 0) << node;
  }
}

TEST(SequenceBias, TakesTheTableOfItsRow) {
  const lc::BiasTable other = lc::sequence_bias({{{6}, 2.0}}, 16);
  const std::vector<lc::BiasTableView> views{same_last_token().view(), other.view()};
  const std::vector<std::int32_t> index{1, 0, -1};
  const lc::SequenceBias stage{{lc::host_span<const lc::BiasTableView>(views), lc::per_row(index)}};
  rows::Row first({1});
  EXPECT_EQ(after(stage, first, bodies::Scores(16, 0.0f))[6], 2.0f);
  rows::Row second({0, 1});
  second.fields.row = 1;
  EXPECT_EQ(after(stage, second, bodies::Scores(16, 0.0f))[5], 2.5f);
  rows::Row third({1});
  third.fields.row = 2;
  EXPECT_FALSE(stage.active(third.view()));
  EXPECT_TRUE(stage.valid(third.walked(stage)));
  EXPECT_EQ(third.walked(stage).slot().tag, 0u);
}

}  // namespace
