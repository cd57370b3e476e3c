// SPDX-License-Identifier: Apache-2.0
// Failures of other penalties and n-gram bans: what counts as history, how often, and in which row.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

using Ids = std::vector<std::int32_t>;
using LongIds = std::vector<std::int64_t>;

/// The scores of all rows of a state under a chain, from one row of logits.
template <class ChainType>
std::vector<std::vector<float>> scores_of_rows(host_engine& engine, const ChainType& chain,
                                               StepState& state, const std::vector<float>& logits) {
  const std::int64_t vocab = static_cast<std::int64_t>(logits.size());
  std::vector<float> scores(index_of(state.rows() * vocab));
  apply(engine, chain, state, host_logits(logits.data(), state.rows(), vocab, 0),
        host_scores(scores.data(), state.rows(), vocab));
  std::vector<std::vector<float>> rows;
  for (std::int64_t row = 0; row < state.rows(); ++row) {
    rows.emplace_back(scores.begin() + row * vocab, scores.begin() + (row + 1) * vocab);
  }
  return rows;
}

TEST(RepetitionPenalty, B12_IsAppliedOncePerTokenWhateverItsCount) {
  std::vector<float> logits = {0.0f, FILTER, -1.0f, 0.0f, 0.0f, 3.0f, 0.0f, 2.0f};
  const RowStart start{.prompt = {7, 7, 0, 1}, .generated = {7, 2}};
  const std::vector<float> scores =
      scores_in_every_batch(chain(RepetitionPenalty{1.2}), logits, start);
  EXPECT_NEAR(scores[7], 1.666667f, 1e-6);
  EXPECT_NEAR(scores[2], -1.2f, 1e-6);
  EXPECT_EQ(scores[5], 3.0f);
  EXPECT_EQ(scores[0], 0.0f);
  EXPECT_EQ(scores[1], FILTER);
}

/// Row A generated 4 and 5 behind a padded prompt, row B's prompt is full.
StepState padded_rows(host_engine& engine, bool row_b_draws_zero) {
  const auto penalty = chain(FrequencyPenalty{0.5}, RepetitionPenalty{2});
  StepState state(engine, {.rows = 2, .capacity = 16, .vocab = 8, .seed = 1},
                  needs(penalty, criterion()));
  const Ids ids = {0, 0, 0, 6, 6, 6, 6, 6};
  const Ids mask = {0, 0, 0, 1, 1, 1, 1, 1};
  import_padded(engine, penalty, criterion(), state,
                {.ids = ids, .rows = 2, .width = 4, .mask = mask});
  const Ids drawn = row_b_draws_zero ? Ids{4, 5, 0, 1} : Ids{4, 5, 1, 1};
  commit(engine, penalty, criterion(), state, drawn, Ids{2, 2});
  return state;
}

TEST(FrequencyPenalty, B13_DoesNotCountPadding) {
  host_engine engine;
  const std::vector<float> ones(8, 1.0f);
  StepState state = padded_rows(engine, false);
  const auto scores = scores_of_rows(engine, chain(FrequencyPenalty{0.5}), state, ones);
  EXPECT_EQ(scores[0], (std::vector<float>{1, 1, 1, 1, 0.5f, 0.5f, 1, 1}));
  EXPECT_EQ(scores[1], (std::vector<float>{1, 0, 1, 1, 1, 1, 1, 1}));
  StepState other = padded_rows(engine, true);
  const auto with_zero = scores_of_rows(engine, chain(FrequencyPenalty{0.5}), other, ones);
  EXPECT_EQ(with_zero[0], scores[0]);
  EXPECT_EQ(with_zero[1], (std::vector<float>{0.5f, 0.5f, 1, 1, 1, 1, 1, 1}));
}

TEST(RepetitionPenalty, B13_DoesNotCountPadding) {
  host_engine engine;
  const std::vector<float> ones(8, 1.0f);
  StepState state = padded_rows(engine, false);
  const auto scores = scores_of_rows(engine, chain(RepetitionPenalty{2}), state, ones);
  EXPECT_EQ(scores[0], (std::vector<float>{1, 1, 1, 1, 0.5f, 0.5f, 0.5f, 1}));
  EXPECT_EQ(scores[1], (std::vector<float>{1, 0.5f, 1, 1, 1, 1, 0.5f, 1}));
}

TEST(Padding, B13_ThatIsAlsoTheEndOfSequenceIsNotHistory) {
  host_engine engine;
  const auto none = chain();
  for (const bool left : {true, false}) {
    StepState state(engine, {.rows = 1, .capacity = 16, .vocab = 8, .seed = 1},
                    needs(none, criterion()));
    const Ids ids = left ? Ids{0, 0, 0, 4, 5} : Ids{4, 5, 0, 0, 0};
    import_padded(engine, none, criterion(), state,
                  {.ids = ids, .rows = 1, .width = 5, .pad_id = 0});
    EXPECT_EQ(Ids(state.history(0).begin(), state.history(0).end()), (Ids{4, 5}));
  }
}

TEST(Penalties, B14_CountEveryAcceptedToken) {
  host_engine engine;
  const auto rules = chain(FrequencyPenalty{0.5}, MinNewTokens{4, 1});
  const auto stop = criterion();
  StepState state = state_of(engine, rules, stop, 10, {RowStart{.prompt = {2, 3}}});
  const std::vector<float> twos(10, 2.0f);
  commit(engine, rules, stop, state, Ids{8, 8, 9}, Ids{3});
  std::vector<float> scores = scores_of_rows(engine, rules, state, twos)[0];
  EXPECT_EQ(scores, (std::vector<float>{2, FILTER, 2, 2, 2, 2, 2, 2, 1, 1.5f}));
  commit(engine, rules, stop, state, Ids{6}, Ids{1});
  scores = scores_of_rows(engine, rules, state, twos)[0];
  EXPECT_EQ(scores, (std::vector<float>{2, 2, 2, 2, 2, 2, 1.5f, 2, 1, 1.5f}));
}

TEST(ExponentialDecayLengthPenalty, B15_RaisesANegativeScore) {
  const auto eos_score = [](const std::vector<std::int64_t>& generated) {
    return scores_in_every_batch(chain(ExponentialDecayLengthPenalty{2, 1.5, 1}),
                                 {0.0f, -2.0f, 0.0f},
                                 {.prompt = {0, 0, 0}, .generated = generated})[1];
  };
  EXPECT_EQ(eos_score({0, 0}), -2.0f);
  EXPECT_EQ(eos_score({0, 0, 0}), -1.0f);
  EXPECT_EQ(eos_score({0, 0, 0, 0, 0}), 2.75f);
}

TEST(RepetitionPenalty, S01_CountsAPromptThatWasThereBefore) {
  host_engine engine;
  const auto penalty = chain(RepetitionPenalty{1.1});
  std::vector<float> logits(10, 1.0f);
  logits[5] = 2.0f;
  EXPECT_NEAR(scores_of(penalty, logits, {.prompt = {3, 5, 5, 9}})[5], 1.818182f, 1e-6);
  EXPECT_NEAR(scores_of(penalty, logits, {.prompt = {3}, .generated = {5, 5, 9}})[5], 1.818182f,
              1e-6);
  // A row that was away: saved here, loaded there.
  StepState here = state_of(engine, penalty, criterion(), 10, {RowStart{.prompt = {3, 5, 5, 9}}});
  const std::vector<std::byte> saved = save_row(engine, here, 0);
  StepState there(engine, {.rows = 1, .capacity = 64, .vocab = 10}, needs(penalty, criterion()));
  load_row(engine, there, 0, saved);
  EXPECT_NEAR(scores_of_rows(engine, penalty, there, logits)[0][5], 1.818182f, 1e-6);
}

TEST(NoRepeatNGram, S03_BansByTheRulesOfEverySize) {
  const std::vector<float> logits(5, 1.0f);
  const auto banned = [&](int size, const RowStart& start) {
    const std::vector<float> scores =
        scores_in_every_batch(chain(NoRepeatNGram{size}), logits, start);
    std::vector<int> found;
    for (int token = 0; token < 5; ++token) {
      if (scores[index_of(token)] == FILTER) found.push_back(token);
    }
    return found;
  };
  using Tokens = std::vector<int>;
  for (const RowStart& start :
       {RowStart{.prompt = {1, 2, 3, 1}}, RowStart{.prompt = {1, 2}, .generated = {3, 1}}}) {
    EXPECT_EQ(banned(0, start), Tokens{});
    EXPECT_EQ(banned(1, start), (Tokens{1, 2, 3}));
    EXPECT_EQ(banned(2, start), (Tokens{2}));
    EXPECT_EQ(banned(3, start), Tokens{});
    EXPECT_EQ(banned(4, start), Tokens{});
    EXPECT_EQ(banned(5, start), Tokens{});
  }
  EXPECT_EQ(refusal_of([] { chain(NoRepeatNGram{-1}); }),
            "NoRepeatNGram: size is -1; it must be in [0, 2147483647]");
}

TEST(NoRepeatNGram, S03_TakesPaddingForNoMember) {
  host_engine engine;
  const auto bans = chain(NoRepeatNGram{2});
  StepState state(engine, {.rows = 2, .capacity = 16, .vocab = 5, .seed = 1},
                  needs(bans, criterion()));
  const Ids ids = {0, 0, 1, 2, 3, 1,  //
                   0, 0, 0, 0, 4, 0};
  const Ids mask = {0, 0, 1, 1, 1, 1,  //
                    0, 0, 0, 0, 1, 1};
  import_padded(engine, bans, criterion(), state,
                {.ids = ids, .rows = 2, .width = 6, .mask = mask});
  const auto scores = scores_of_rows(engine, bans, state, std::vector<float>(5, 1.0f));
  EXPECT_EQ(kept(scores[0]), (std::vector<int>{0, 1, 3, 4}));
  EXPECT_EQ(kept(scores[1]), (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(NoRepeatNGram, S03_ReadsEachBeamsOwnHistory) {
  host_engine engine;
  const auto bans = chain(NoRepeatNGram{2});
  StepState state =
      state_of(engine, bans, criterion(), 5, {RowStart{.prompt = {1}}, RowStart{.prompt = {4}}});
  gather(engine, state, {0, 0});
  commit(engine, bans, criterion(), state, Ids{2, 1, 3, 1}, Ids{2, 2});
  const auto scores = scores_of_rows(engine, bans, state, std::vector<float>(5, 1.0f));
  EXPECT_EQ(kept(scores[0]), (std::vector<int>{0, 1, 3, 4}));
  EXPECT_EQ(kept(scores[1]), (std::vector<int>{0, 1, 2, 4}));
}

TEST(SequenceBias, S07_SumsTheBiasesOfOneLastToken) {
  const BiasTable table = sequence_bias({{{1, 5}, 2.0}, {{3, 5}, -1.0}, {{5}, 0.5}}, 10);
  const auto bias_of_five = [&](const LongIds& context) {
    return scores_in_every_batch(chain(SequenceBias{table}), std::vector<float>(10, 0.0f),
                                 {.prompt = context})[5];
  };
  EXPECT_EQ(bias_of_five({7, 1}), 2.5f);
  EXPECT_EQ(bias_of_five({7, 3}), -0.5f);
  EXPECT_EQ(bias_of_five({7, 9}), 0.5f);
  EXPECT_EQ(bias_of_five({3, 1}), 2.5f);
  // As the reference has it, an entry that is longer than the history is skipped.
  EXPECT_EQ(bias_of_five({1}), 0.5f);
  EXPECT_EQ(bias_of_five({3}), 0.5f);
  EXPECT_EQ(bias_of_five({9}), 0.5f);
}

}  // namespace
