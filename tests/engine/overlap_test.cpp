// SPDX-License-Identifier: Apache-2.0
// Memory that is given twice, arrays that are empty, callables that throw.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <logitchain/logitchain.hpp>

namespace lc = logitchain;
using testing::HasSubstr;

namespace {

constexpr std::int64_t VOCAB = 8;

struct Rows {
  lc::host_engine engine;
  lc::Chain<lc::TopK> chain = lc::chain(lc::TopK{2});
  lc::Criterion<> stop = lc::criterion();
  lc::StepState state;

  explicit Rows(int threads)
      : engine({.threads = threads}),
        state(engine, {.rows = 4, .capacity = 16, .vocab = VOCAB, .seed = 1},
              lc::needs(chain, stop)) {
    for (int row = 0; row < 4; ++row) {
      lc::admit(engine, chain, stop, state, lc::Request{.row = row, .prompt = {1}});
    }
  }
};

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const lc::error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Apply, WritesOverTheLogitsOnlyRowByRow) {
  Rows rows(1);
  std::vector<float> memory(5 * 16, 1.0f);
  float* const data = memory.data();
  const lc::host_logits logits(data, 4, VOCAB, 16);
  const auto into = [&](const lc::host_scores& scores, const lc::HostItems& items = {}) {
    return refusal([&] { lc::apply(rows.engine, rows.chain, rows.state, logits, scores, items); });
  };
  EXPECT_EQ(into(lc::host_scores(data, 4, VOCAB, 16)), "accepted");
  EXPECT_THAT(into(lc::host_scores(data, 4, VOCAB, VOCAB)), HasSubstr("overlap"));
  EXPECT_THAT(into(lc::host_scores(data + 16, 4, VOCAB, 16)), HasSubstr("overlap"));
  EXPECT_THAT(into(lc::host_scores(reinterpret_cast<lc::half*>(data), 4, VOCAB, 16)),
              HasSubstr("overlap"));
  const std::vector<std::int32_t> swapped{1, 0};
  EXPECT_THAT(into(lc::host_scores(data, 4, VOCAB, 16), {.logits_row = swapped}),
              HasSubstr("items.logits_row[0] is 1"));
  std::vector<float> elsewhere(4 * VOCAB);
  EXPECT_EQ(into(lc::host_scores(elsewhere.data(), 4, VOCAB), {.logits_row = swapped}), "accepted");
}

TEST(ItemArrays, AnEmptyArrayHasNoItems) {
  Rows rows(1);
  const std::vector<float> logits(4 * VOCAB, 1.0f);
  const std::vector<std::int32_t> none;
  lc::step(rows.engine, rows.chain, rows.stop, rows.state, lc::host_logits(logits.data(), 4, VOCAB),
           {.items = {.logits_row = none, .state_row = none}});
  for (int row = 0; row < 4; ++row) EXPECT_EQ(rows.state.total(row), 1);
}

TEST(Param, AnEmptyArrayIsNotOneNumberForAll) {
  const std::vector<float> none;
  EXPECT_EQ(refusal([&] { lc::chain(lc::Temperature{lc::per_row(none)}); }),
            "Temperature: the size of per_row value is 0; it must be >= 1");
}

TEST(Param, ANumberBeyondSixtyThreeBitsIsNotNegative) {
  EXPECT_THAT(refusal([] { lc::chain(lc::ForcedBOS{~std::uint64_t{0}}); }),
              HasSubstr("token is 9223372036854775807"));
  EXPECT_THAT(refusal([] {
                Rows rows(1);
                const auto stop = lc::criterion(lc::EndOfSequence{~std::uint64_t{0}});
                lc::StepState state(rows.engine, {.rows = 1, .capacity = 4, .vocab = VOCAB},
                                    lc::needs(rows.chain, stop));
                lc::admit(rows.engine, rows.chain, stop, state,
                          lc::Request{.row = 0, .prompt = {1}, .seed = 1});
              }),
              HasSubstr("9223372036854775807"));
}

TEST(Temperature, BeyondTheFloatsLeavesRemovedTokensRemoved) {
  Rows rows(1);
  const auto chain = lc::chain(lc::Temperature{1e39});
  std::vector<float> logits(4 * VOCAB, 1.0f);
  logits[3] = lc::FILTER;
  std::vector<float> scores(4 * VOCAB);
  lc::apply(rows.engine, chain, rows.state, lc::host_logits(logits.data(), 4, VOCAB),
            lc::host_scores(scores.data(), 4, VOCAB));
  EXPECT_EQ(scores[3], lc::FILTER);
  EXPECT_GE(scores[0], 0.0f);
}

struct TimesHuge {
  static constexpr const char* name = "TimesHuge";
  static constexpr lc::Kind kind = lc::Kind::map;
  static constexpr bool monotone = true;
  float factor;
  struct Bound {
    float factor;
    float operator()(std::int32_t, float score) const { return score * factor; }
  };
  Bound bind(const lc::RowView&) const { return {factor}; }
};

TEST(OrderedMap, ThatTakesTheBestScoreOffTheFloatsHasTheRowRefused) {
  for (const float sign : {1.0f, -1.0f}) {
    Rows rows(1);
    const auto chain = lc::chain(lc::TopK{3}, TimesHuge{1e38f});
    const auto first = lc::chain(lc::MinP{1e-30}, TimesHuge{1e38f}, lc::TopP{0.5});
    std::vector<float> logits(4 * VOCAB, 100.0f * sign);
    const lc::host_logits from(logits.data(), 4, VOCAB);
    std::vector<std::int32_t> tokens(4);
    lc::step(rows.engine, chain, rows.stop, rows.state, from, {.tokens = tokens});
    EXPECT_EQ(tokens, std::vector<std::int32_t>(4, -1));
    EXPECT_EQ(rows.state.status(0), lc::Status::undefined_distribution);
    Rows others(1);
    lc::step(others.engine, first, others.stop, others.state, from, {.tokens = tokens});
    EXPECT_EQ(tokens, std::vector<std::int32_t>(4, -1));
  }
}

TEST(Automaton, ThatMissedTokensIsNoticed) {
  lc::host_engine engine;
  const auto stop = lc::criterion();
  const lc::BiasTable table = lc::sequence_bias({{{1, 2}, 100.0}}, VOCAB);
  const auto biased = lc::chain(lc::SequenceBias{table});
  const auto plain = lc::chain();
  lc::StepState state(engine, {.rows = 1, .capacity = 16, .vocab = VOCAB},
                      lc::needs(biased, stop) | lc::needs(plain, stop));
  lc::admit(engine, biased, stop, state, lc::Request{.row = 0, .prompt = {3, 1}, .seed = 1});
  const std::vector<float> logits(VOCAB, 0.0f);
  std::vector<float> scores(VOCAB);
  const lc::host_logits from(logits.data(), 1, VOCAB);
  const lc::host_scores to(scores.data(), 1, VOCAB);
  lc::apply(engine, biased, state, from, to);
  EXPECT_EQ(scores[2], 100.0f);
  lc::commit(engine, plain, stop, state, std::vector<std::int32_t>{5});
  lc::apply(engine, biased, state, from, to);
  EXPECT_EQ(state.status(0), lc::Status::invalid_table);
}

TEST(Callable, ThatThrowsLeavesTheOtherRowsStepped) {
  for (const int threads : {1, 3}) {
    Rows rows(threads);
    const auto chain = lc::chain([](const lc::RowView& row, int, float score) {
      if (row.row() == 1 || row.row() == 2) throw std::runtime_error(std::to_string(row.row()));
      return score;
    });
    const std::vector<float> logits(4 * VOCAB, 1.0f);
    try {
      lc::step(rows.engine, chain, rows.stop, rows.state, lc::host_logits(logits.data(), 4, VOCAB));
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "1") << "the first item's exception, with any number of threads";
    }
    EXPECT_EQ(rows.state.total(0), 2);
    EXPECT_EQ(rows.state.total(1), 1);
    EXPECT_EQ(rows.state.total(2), 1);
    EXPECT_EQ(rows.state.total(3), 2);
  }
}

TEST(Callable, IsNeverGivenARemovedToken) {
  Rows rows(1);
  std::atomic<int> removed{0};
  const auto count = [&removed](const lc::RowView&, int, float score) {
    if (score == lc::FILTER) ++removed;
    return score;
  };
  std::vector<float> logits(4 * VOCAB, 1.0f);
  logits[3] = lc::FILTER;
  std::vector<float> scores(4 * VOCAB);
  const lc::host_logits from(logits.data(), 4, VOCAB);
  const lc::host_scores to(scores.data(), 4, VOCAB);
  lc::apply(rows.engine, lc::chain(count), rows.state, from, to);
  lc::apply(rows.engine, lc::chain(count, count, lc::TopK{1}, count), rows.state, from, to);
  EXPECT_EQ(removed, 0);
}

TEST(Commit, TakesRowsOfTheNumberNamed) {
  Rows rows(1);
  const std::vector<std::int32_t> tokens{1, 2, 3, 4};
  lc::commit(rows.engine, rows.chain, rows.stop, rows.state, tokens, {.each = 2});
  EXPECT_EQ(rows.state.total(0), 3);
  EXPECT_EQ(rows.state.total(1), 3);
  EXPECT_EQ(rows.state.total(2), 1);
  EXPECT_THAT(refusal([&] {
                lc::commit(rows.engine, rows.chain, rows.stop, rows.state, tokens, {.each = 3});
              }),
              HasSubstr("the number of tokens is 4"));
  const std::vector<std::int32_t> counts{40, 1, 1, 1};
  EXPECT_THAT(refusal([&] {
                lc::commit(rows.engine, rows.chain, rows.stop, rows.state, tokens,
                           {.counts = counts, .each = (std::int64_t{1} << 62) + 1});
              }),
              HasSubstr("the number of tokens is 4"));
}

}  // namespace
