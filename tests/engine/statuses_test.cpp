// SPDX-License-Identifier: Apache-2.0
// A fault of a row's data ends that row with a status and touches no other.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

constexpr std::int64_t VOCAB = 600;
const auto STOP = criterion();

std::vector<float> good_row(unsigned seed) {
  std::mt19937 random(seed);
  return random_row(random, VOCAB);
}

/// One step over rows of logits that may be bad; what came out.
struct Outcome {
  std::vector<std::int32_t> tokens;
  std::vector<StepResult> results;
  std::vector<Status> statuses;
  std::string faults;
};

template <class ChainType>
Outcome outcome(const ChainType& chain, const std::vector<std::vector<float>>& rows) {
  host_engine engine;
  std::vector<RowStart> starts(rows.size(), {.prompt = {1, 2}});
  StepState state = state_of(engine, chain, STOP, VOCAB, starts);
  const std::vector<float> logits = joined(rows);
  Outcome found;
  found.tokens.resize(rows.size(), -9);
  found.results.resize(rows.size());
  step(engine, chain, STOP, state,
       host_logits(logits.data(), static_cast<std::int64_t>(rows.size()), VOCAB),
       {.tokens = found.tokens, .results = found.results});
  for (std::int64_t row = 0; row < state.rows(); ++row) {
    found.statuses.push_back(state.status(row));
    const bool bad = state.status(row) != Status::ok;
    EXPECT_EQ(state.active(row), !bad);
    EXPECT_EQ(state.total(row), bad ? 2 : 3) << "row " << row;
  }
  found.faults = refusal_of([&] { check(engine, state); });
  return found;
}

/// Bad rows among good ones: the bad are refused, the good draw what they draw without them.
template <class ChainType>
void expect_refused(const ChainType& chain, const std::vector<float>& bad, const char* what) {
  SCOPED_TRACE(what);
  const Outcome with = outcome(chain, {good_row(1), bad, good_row(2), bad, good_row(3)});
  const Outcome without =
      outcome(chain, {good_row(1), good_row(8), good_row(2), good_row(9), good_row(3)});
  for (const std::size_t row : {std::size_t{0}, std::size_t{2}, std::size_t{4}}) {
    EXPECT_EQ(with.statuses[row], Status::ok);
    EXPECT_EQ(with.tokens[row], without.tokens[row]);
    EXPECT_GE(with.tokens[row], 0);
  }
  for (const std::size_t row : {std::size_t{1}, std::size_t{3}}) {
    EXPECT_EQ(with.statuses[row], Status::undefined_distribution);
    EXPECT_EQ(with.tokens[row], -1);
    EXPECT_EQ(text_of_result(with.results[row]),
              "token -1, generated 0, undefined_distribution, criterion -1, entry -1");
  }
  EXPECT_EQ(with.faults,
            "check: row 1: undefined_distribution (nothing to draw from, or a NaN or +inf at the "
            "draw); row 3: undefined_distribution (nothing to draw from, or a NaN or +inf at the "
            "draw)");
  EXPECT_EQ(without.faults, "accepted");
}

std::vector<float> row_with(float logit, std::size_t at) {
  std::vector<float> row = good_row(4);
  row[at] = logit;
  return row;
}

template <class ChainType>
void expect_bad_rows_refused(const ChainType& chain) {
  expect_refused(chain, std::vector<float>(index_of(VOCAB), FILTER), "nothing left");
  expect_refused(chain, std::vector<float>(index_of(VOCAB), NOT_A_NUMBER), "all NaN");
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{31}, std::size_t{32}, std::size_t{599}}) {
    expect_refused(chain, row_with(NOT_A_NUMBER, at), "a NaN");
    expect_refused(chain, row_with(-NOT_A_NUMBER, at), "a NaN with its sign");
    expect_refused(chain, row_with(INFINITE, at), "+inf");
  }
}

TEST(ABadRow, IsRefusedByTheDraw) { expect_bad_rows_refused(chain()); }
TEST(ABadRow, IsRefusedAfterGreedy) { expect_bad_rows_refused(chain(Greedy{})); }
TEST(ABadRow, IsRefusedAfterATemperatureOfZero) { expect_bad_rows_refused(chain(Temperature{0})); }
TEST(ABadRow, IsRefusedAfterASmallTemperature) {
  expect_bad_rows_refused(chain(Temperature{1e-40}, TopK{3}));
}
TEST(ABadRow, IsRefusedAfterFilters) {
  expect_bad_rows_refused(chain(TopK{5}, TopP{0.5}, MinP{0.1}, Typical{0.5}));
}
TEST(ABadRow, IsRefusedAfterCutoffsAndNormalisation) {
  expect_bad_rows_refused(
      chain(EpsilonCutoff{0.01}, EtaCutoff{0.01}, TopH{.fraction = 0.5}, Renormalize{}));
}

TEST(ABadRow, PassesEveryFilterUnchanged) {
  std::vector<float> bad = row_with(NOT_A_NUMBER, 17);
  bad[40] = INFINITE;
  bad[41] = FILTER;
  const std::vector<std::uint32_t> expected = bits(bad);
  EXPECT_EQ(bits(scores_of(chain(TopK{5}), bad)), expected);
  EXPECT_EQ(bits(scores_of(chain(TopP{0.5}), bad)), expected);
  EXPECT_EQ(bits(scores_of(chain(MinP{0.5}), bad)), expected);
  EXPECT_EQ(bits(scores_of(chain(Typical{0.5}), bad)), expected);
  EXPECT_EQ(bits(scores_of(chain(EpsilonCutoff{0.5}), bad)), expected);
  EXPECT_EQ(bits(scores_of(chain(EtaCutoff{0.5}), bad)), expected);
  EXPECT_EQ(bits(scores_of(chain(TopH{.fraction = 0.5}), bad)), expected);
  EXPECT_EQ(bits(scores_of(chain(JointTopKTopP{.k = 3, .p = 0.5}), bad)), expected);
  EXPECT_EQ(bits(scores_of(chain(Renormalize{}), bad)), expected);
  EXPECT_EQ(bits(scores_of(chain(Greedy{}), bad)), expected);
  EXPECT_EQ(bits(scores_of(chain(Temperature{0}), bad)), expected);
}

TEST(ANaN, ThatWasBannedBeforeDoesNoHarm) {
  std::vector<float> row = good_row(4);
  row[17] = NOT_A_NUMBER;
  row[18] = INFINITE;
  std::vector<float> banned = row;
  banned[17] = banned[18] = FILTER;
  const auto sampler = chain(SuppressTokens{{17, 18}}, TopK{7}, TopP{0.9});
  EXPECT_EQ(bits(scores_of(sampler, row)), bits(scores_of(chain(TopK{7}, TopP{0.9}), banned)));
  const Outcome found = outcome(sampler, {row});
  EXPECT_EQ(found.statuses[0], Status::ok);
}

TEST(ABanOfEverything, AfterAFilterLeavesARowThatIsRefused) {
  const std::vector<float> row = row_with(30.0f, 5);
  const Outcome found = outcome(chain(TopK{1}, SuppressTokens{5}), {row, good_row(1)});
  EXPECT_EQ(found.statuses[0], Status::undefined_distribution);
  EXPECT_EQ(found.statuses[1], Status::ok);
}

TEST(AParameterOutOfItsRange, EndsItsOwnRowOnly) {
  const auto tokens_with = [](float bad, std::int32_t k) {
    const std::vector<float> ps = {0.5f, bad, 0.9f};
    const std::vector<std::int32_t> ks = {3, 5, k};
    return outcome(chain(TopP{per_row(ps)}, TopK{per_row(ks)}),
                   {good_row(1), good_row(2), good_row(3)});
  };
  const Outcome good = tokens_with(0.7f, 4);
  EXPECT_EQ(good.faults, "accepted");
  for (const float bad : {1.5f, -0.1f, NOT_A_NUMBER, INFINITE}) {
    const Outcome found = tokens_with(bad, 4);
    EXPECT_EQ(found.statuses,
              (std::vector<Status>{Status::ok, Status::invalid_parameter, Status::ok}));
    EXPECT_EQ(found.tokens, (std::vector<std::int32_t>{good.tokens[0], -1, good.tokens[2]}));
    EXPECT_EQ(found.faults,
              "check: row 1: invalid_parameter (a per-row number or a token id outside of its "
              "range)");
  }
  EXPECT_EQ(tokens_with(0.7f, -1).statuses[2], Status::invalid_parameter);
}

TEST(AParameterOutOfItsRange, EndsARowThatWouldStopByIt) {
  host_engine engine;
  const std::vector<std::int32_t> counts = {5, -1};
  const auto stop = criterion(MaxNewTokens{per_row(counts)});
  const auto none = chain();
  StepState state = state_of(engine, none, stop, VOCAB, {RowStart{}, RowStart{}});
  const std::vector<float> logits = joined({good_row(1), good_row(2)});
  step(engine, none, stop, state, host_logits(logits.data(), 2, VOCAB));
  EXPECT_EQ(state.status(0), Status::ok);
  EXPECT_EQ(state.status(1), Status::invalid_parameter);
  EXPECT_EQ(state.total(1), 0);
}

TEST(AParameterOutOfItsRange, IsSeenByApplyAndCommitToo) {
  host_engine engine;
  const std::vector<float> temperatures = {1.0f, -2.0f};
  const auto sampler = chain(Temperature{per_row(temperatures)});
  const std::vector<float> logits = joined({good_row(1), good_row(2)});
  std::vector<float> scores(logits.size(), 5.0f);
  StepState state = state_of(engine, sampler, STOP, VOCAB, {RowStart{}, RowStart{}});
  apply(engine, sampler, state, host_logits(logits.data(), 2, VOCAB),
        host_scores(scores.data(), 2, VOCAB));
  EXPECT_EQ(state.status(1), Status::invalid_parameter);
  EXPECT_EQ(std::vector<float>(scores.begin(), scores.begin() + VOCAB), good_row(1));
  EXPECT_EQ(std::vector<float>(scores.begin() + VOCAB, scores.end()),
            std::vector<float>(index_of(VOCAB), 5.0f));

  StepState other = state_of(engine, sampler, STOP, VOCAB, {RowStart{}, RowStart{}});
  commit(engine, sampler, STOP, other, std::vector<std::int32_t>{4, 5});
  EXPECT_EQ(other.total(0), 1);
  EXPECT_EQ(other.status(1), Status::invalid_parameter);
  EXPECT_EQ(other.total(1), 0);
}

TEST(PerRowNumbers, ThatAreFewerThanTheRowsAreRefused) {
  host_engine engine;
  const std::vector<float> two = {1.0f, 1.0f};
  const auto sampler = chain(Temperature{per_row(two)});
  EXPECT_EQ(refusal_of([&] {
              state_of(engine, sampler, STOP, VOCAB, {RowStart{}, RowStart{}, RowStart{}});
            }),
            "Temperature: the size of per_row value is 2; it must be at least 3, the state's rows");
}

TEST(InactiveRows, AreTouchedByNoCall) {
  host_engine engine;
  const auto sampler = chain(RepetitionPenalty{1.1});
  const auto stop = criterion(EndOfSequence{9});
  StepState state =
      state_of(engine, sampler, stop, VOCAB, std::vector<RowStart>(4, {.prompt = {3}}));
  release(engine, state, 1);
  commit(engine, sampler, stop, state, std::vector<std::int32_t>{-1, -1, 9, 9});
  ASSERT_EQ(state.status(2), Status::finished);
  std::vector<std::vector<unsigned char>> before;
  for (std::int64_t row = 1; row < 4; ++row) before.push_back(bytes_of_row(state, row));

  const std::vector<float> logits = joined(
      {good_row(1), good_row(2), std::vector<float>(index_of(VOCAB), NOT_A_NUMBER), good_row(3)});
  const host_logits view(logits.data(), 4, VOCAB);
  std::vector<std::int32_t> tokens(4, -9);
  std::vector<StepResult> results(4);
  std::vector<float> scores(logits.size(), 5.0f);
  step(engine, sampler, stop, state, view, {.tokens = tokens, .results = results});
  EXPECT_GE(tokens[0], 0);
  EXPECT_EQ(tokens[1], -1);
  EXPECT_EQ(tokens[2], -1);
  EXPECT_EQ(text_of_result(results[1]), "token -1, generated 0, released, criterion -1, entry -1");
  EXPECT_EQ(text_of_result(results[2]), "token -1, generated 1, finished, criterion 0, entry 0");
  apply(engine, sampler, state, view, host_scores(scores.data(), 4, VOCAB));
  EXPECT_EQ(scores[index_of(VOCAB)], 5.0f);
  EXPECT_EQ(scores[index_of(2 * VOCAB)], 5.0f);
  draw(engine, state, view, tokens);
  EXPECT_EQ(tokens[1], -1);
  commit(engine, sampler, stop, state, std::vector<std::int32_t>{-1, 5, 5, 5},
         {.results = results});
  EXPECT_EQ(text_of_result(results[3]), "token -1, generated 1, finished, criterion 0, entry 0");
  for (std::int64_t row = 1; row < 4; ++row) {
    EXPECT_EQ(bytes_of_row(state, row), before[index_of(row - 1)]) << "row " << row;
  }
  EXPECT_EQ(refusal_of([&] { check(engine, state); }), "accepted");
  std::vector<std::uint8_t> flags(4);
  stopped(engine, stop, state, flags);
  EXPECT_EQ(flags, (std::vector<std::uint8_t>{0, 0, 1, 1}));
}

TEST(AListOutsideOfTheVocabulary, IsRefusedAtAdmission) {
  host_engine engine;
  const std::vector<std::int64_t> many = {1, 2, 3, 4, 5, 6, 7, 8, std::int64_t{1} << 33};
  const auto text = [&](const auto& chain, const auto& stop) {
    return refusal_of([&] { state_of(engine, chain, stop, VOCAB, {RowStart{}}); });
  };
  EXPECT_EQ(text(chain(SuppressTokens{{5, 600}}), STOP),
            "SuppressTokens: tokens[1] is 600; it must be in [0, 600)");
  EXPECT_EQ(text(chain(SuppressTokens{many}), STOP),
            "SuppressTokens: tokens[8] is 8589934592; it must be in [0, 600)");
  EXPECT_EQ(text(chain(MinNewTokens{1, 600}), STOP),
            "MinNewTokens: eos[0] is 600; it must be in [0, 600)");
  EXPECT_EQ(text(chain(), criterion(EndOfSequence{{2, 700}})),
            "EndOfSequence: eos[1] is 700; it must be in [0, 600)");
}

TEST(AListOutsideOfTheVocabulary, IsGuardedAgainstAtTheStep) {
  host_engine engine;
  std::vector<std::int64_t> list = {4, 5};
  const auto bans = chain(SuppressTokens{list});
  const auto forces = chain(ForcedEOS{list, 2});
  const std::vector<float> logits = joined({good_row(1), good_row(2)});
  for (const std::int64_t bad : {VOCAB, std::int64_t{-2}, std::int64_t{1} << 32}) {
    list = {4, 5};
    StepState banned = state_of(engine, bans, STOP, VOCAB, {RowStart{}, RowStart{}});
    StepState forced = state_of(engine, forces, STOP, VOCAB, {RowStart{.prompt = {1}}, RowStart{}});
    list[1] = bad;
    step(engine, bans, STOP, banned, host_logits(logits.data(), 2, VOCAB));
    EXPECT_EQ(banned.status(0), Status::invalid_table);
    EXPECT_EQ(banned.total(0), 0);
    step(engine, forces, STOP, forced, host_logits(logits.data(), 2, VOCAB));
    EXPECT_EQ(forced.status(0), Status::invalid_table);
    EXPECT_EQ(forced.status(1), Status::ok);  // nothing is forced in this row
  }
}

}  // namespace
