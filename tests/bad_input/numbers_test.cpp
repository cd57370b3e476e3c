// SPDX-License-Identifier: Apache-2.0
// Numbers of stages at the ends of their ranges and outside of them.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

constexpr std::int64_t VOCAB = 700;
const auto STOP = criterion();

std::vector<float> some_row() {
  std::mt19937 random(3);
  return random_row(random, VOCAB, 0.01f, 900);
}

template <class ChainType>
std::int32_t token_of(const ChainType& chain, const RowStart& start = {}) {
  host_engine engine;
  StepState state = state_of(engine, chain, STOP, VOCAB, {start});
  const std::vector<float> logits = some_row();
  std::vector<std::int32_t> tokens(1);
  step(engine, chain, STOP, state, host_logits(logits.data(), 1, VOCAB), {.tokens = tokens});
  return tokens[0];
}

/// What `chain(make(number))` throws must name the number, "" where all are refused so.
template <class Make>
std::string not_refused(const std::vector<double>& numbers, const std::string& name, Make make) {
  std::string accepted;
  for (const double number : numbers) {
    const std::string text = refusal_of([&] { chain(make(number)); });
    if (text.find(name + " is ") != 0) accepted += std::to_string(number) + ": " + text + "; ";
  }
  return accepted;
}

TEST(BadInput, E17_ACountBeyondTheRowIsNoFilterAndANegativeOneIsRefused) {
  const std::int32_t plain = token_of(chain());
  for (const std::int64_t k :
       {std::int64_t{0}, VOCAB, VOCAB + 1, std::int64_t{1} << 30, std::int64_t{2147483647}}) {
    EXPECT_EQ(token_of(chain(TopK{k})), plain) << k;
    EXPECT_EQ(token_of(chain(TopK{.k = k, .ties = Ties::lowest_id})), plain) << k;
    EXPECT_EQ(token_of(chain(JointTopKTopP{.k = k})), plain) << k;
  }
  EXPECT_EQ(token_of(chain(TopK{.k = 1, .ties = Ties::lowest_id})), token_of(chain(Greedy{})));
  for (const std::int64_t k : {std::int64_t{-1}, std::int64_t{1} << 31, std::int64_t{1} << 40,
                               (std::int64_t{1} << 32) + 20}) {
    EXPECT_EQ(refusal_of([&] { chain(TopK{k}); }),
              "TopK: k is " + std::to_string(k) + "; it must be in [0, 2147483647]");
  }
}

TEST(BadInput, E18_AFilterKeepsAtLeastOneTokenWhateverItsNumber) {
  const std::vector<float> row = some_row();
  const int best = kept(scores_of(chain(Greedy{}), row))[0];
  for (const double p : {0.0, 1e-60, 1e-42, 1e-9}) {
    EXPECT_EQ(kept(scores_of(chain(TopP{p}), row)), std::vector<int>{best}) << p;
    EXPECT_EQ(kept(scores_of(chain(JointTopKTopP{.k = 5, .p = p}), row)), std::vector<int>{best});
  }
  EXPECT_EQ(kept(scores_of(chain(TopP{1 - 0x1p-24}), std::vector<float>(64, 1.0f))).size(), 64u);
  EXPECT_EQ(kept(scores_of(chain(MinP{1}), row)), std::vector<int>{best});
  EXPECT_EQ(kept(scores_of(chain(MinP{0}), row)).size(), row.size());
  EXPECT_FALSE(kept(scores_of(chain(Typical{1e-40}), row)).empty());
  EXPECT_FALSE(kept(scores_of(chain(EpsilonCutoff{0.999}), row)).empty());
  EXPECT_FALSE(kept(scores_of(chain(EtaCutoff{0.999}), row)).empty());

  const double inf = static_cast<double>(INFINITE);
  const double nan = static_cast<double>(NOT_A_NUMBER);
  const std::vector<double> outside = {-1e-9, 1.0000001, 1.05, inf, -inf, nan};
  EXPECT_EQ(not_refused(outside, "TopP: p", [](double p) { return TopP{p}; }), "");
  EXPECT_EQ(not_refused(outside, "MinP: p", [](double p) { return MinP{p}; }), "");
  EXPECT_EQ(not_refused(outside, "Typical: mass", [](double p) { return Typical{p}; }), "");
}

TEST(BadInput, E19_ARepetitionPenaltyIsAboveZeroAndOneChangesNoBit) {
  const double inf = static_cast<double>(INFINITE);
  const double nan = static_cast<double>(NOT_A_NUMBER);
  EXPECT_EQ(not_refused({0, -0.0, -1, inf, -inf, nan}, "RepetitionPenalty: penalty",
                        [](double p) { return RepetitionPenalty{p}; }),
            "");
  EXPECT_EQ(not_refused({0, -1, inf, nan}, "PromptRepetitionPenalty: penalty",
                        [](double p) { return PromptRepetitionPenalty{p}; }),
            "");
  std::vector<float> row = some_row();
  row[0] = FILTER;
  row[1] = -0.0f;
  row[2] = 0.0f;
  row[3] = NOT_A_NUMBER;
  const RowStart start{.prompt = {0, 1, 2, 3, 4}, .generated = {5, 5}};
  EXPECT_EQ(bits(scores_of(chain(RepetitionPenalty{1}), row, start)), bits(row));
  const std::vector<float> scores = scores_of(chain(RepetitionPenalty{1e-40}), row, start);
  EXPECT_EQ(scores[0], FILTER);
  EXPECT_EQ(scores[1], 0.0f);
  EXPECT_EQ(scores[2], 0.0f);
  EXPECT_EQ(scores_of(chain(RepetitionPenalty{3e38}), row, start)[0], FILTER);
}

TEST(BadInput, E20_CountsAreExactToTwoToThe24AndNeverNegative) {
  SeenToken seen{4, 0, 0};
  RowView::Fields fields;
  fields.seen = &seen;
  fields.seen_size = 1;
  fields.vocab = 8;
  const auto score = [&](std::int64_t count) {
    seen.counts = static_cast<std::uint32_t>(count);
    return FrequencyPenalty{1}.bind(SeenRow(fields))(0, 0.0f);
  };
  EXPECT_EQ(score(1), -1.0f);
  EXPECT_EQ(score((1 << 24) - 1), -16777215.0f);
  EXPECT_EQ(score(1 << 24), -16777216.0f);
  EXPECT_EQ(score((1 << 24) + 1), -16777216.0f) << "the nearest float";
  EXPECT_EQ(score(2147483647), -2147483648.0f) << "the nearest float";
  // state/Commit.CountsUpToTwoToThe31AndStaysThere: a count goes no further.
}

TEST(BadInput, E22_ABiasMayBanOrForceButBeNoNaN) {
  const double inf = static_cast<double>(INFINITE);
  const auto scores_with = [](const BiasTable& table) {
    return scores_of(chain(SequenceBias{table}), {1, 2, 3}, {.prompt = {2, 0}});
  };
  EXPECT_NE(refusal_of([&] {
              (void)sequence_bias({{{1}, 1.0}, {{2}, static_cast<double>(NOT_A_NUMBER)}}, 3);
            }).find("entry 1, bias"),
            std::string::npos);
  EXPECT_EQ(scores_with(sequence_bias({{{1}, -inf}}, 3)), (std::vector<float>{1, FILTER, 3}));
  EXPECT_EQ(scores_with(sequence_bias({{{0}, -inf}}, 3)), (std::vector<float>{FILTER, 2, 3}))
      << "token 0 can be banned";
  EXPECT_EQ(scores_with(sequence_bias({{{1}, inf}}, 3)), (std::vector<float>{1, INFINITE, 3}));
  EXPECT_EQ(scores_with(sequence_bias({{{1}, -inf}, {{0, 1}, inf}}, 3)),
            scores_with(sequence_bias({{{1}, -inf}}, 3)))
      << "a ban wins";
  // An entry given twice counts once, the last time; two entries for one token are summed.
  EXPECT_EQ(scores_with(sequence_bias({{{1}, 1e38}, {{1}, 2e38}}, 3))[1], 2e38f);
  EXPECT_EQ(scores_with(sequence_bias({{{1}, 2e38}, {{0, 1}, 2e38}}, 3))[1], INFINITE);
  host_engine engine;
  const BiasTable table = sequence_bias({{{1}, 2e38}, {{0, 1}, 2e38}}, 3);
  const auto forced = chain(SequenceBias{table});
  StepState state = state_of(engine, forced, STOP, 3, {{.prompt = {2, 0}}});
  const std::vector<float> logits(3, 0.0f);
  step(engine, forced, STOP, state, host_logits(logits.data(), 1, 3));
  EXPECT_EQ(state.status(0), Status::undefined_distribution) << "+inf is refused by the draw";
}

TEST(BadInput, TwoFaultsOfOneRowAreReportedByTheStepAsByItsParts) {
  host_engine engine;
  const std::vector<std::int32_t> counts = {-1, 5};
  const auto none = chain();
  const auto stop = criterion(MaxNewTokens{per_row(counts)});
  const std::vector<float> nothing(10, FILTER);
  const std::vector<float> good(10, 1.0f);
  for (const std::vector<float>& row : {nothing, good}) {
    StepState whole = state_of(engine, none, stop, 10, {RowStart{}, RowStart{}});
    StepState parts = state_of(engine, none, stop, 10, {RowStart{}, RowStart{}});
    const host_logits logits(row.data(), 2, 10, 0);
    step(engine, none, stop, whole, logits);
    std::vector<float> scores(20);
    std::vector<std::int32_t> tokens(2);
    apply(engine, none, parts, logits, host_scores(scores.data(), 2, 10));
    draw(engine, parts, host_scores(scores.data(), 2, 10), tokens);
    commit(engine, none, stop, parts, tokens);
    for (const std::int64_t i : {0, 1}) expect_same_row(whole, i, parts, i);
    EXPECT_EQ(whole.status(0),
              row[0] == FILTER ? Status::undefined_distribution : Status::invalid_parameter);
  }
}

}  // namespace
