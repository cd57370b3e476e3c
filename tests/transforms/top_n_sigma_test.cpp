// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"
#include "support/rows.hpp"

namespace lc = logitchain;
using logitchain_test::bits;
using logitchain_test::INFINITE;
using logitchain_test::joined;
using logitchain_test::NOT_A_NUMBER;
using logitchain_test::scores_in_every_batch;
using logitchain_test::scores_of;
using testing::ElementsAre;

namespace {

using Scores = std::vector<float>;
using Ids = std::vector<int>;

constexpr float NONE = lc::FILTER;

// Mean 2, population deviation 4.28296 over the ten finite ones.
const Scores TWELVE{-3.25f, 4.5f,  0.125f, 6.75f, NONE, 2.875f,
                    5.0f,   -7.5f, 6.625f, 1.5f,  NONE, 3.375f};

Ids kept_by(double n, const Scores& scores) {
  return logitchain_test::kept(scores_in_every_batch(lc::chain(lc::TopNSigma{n}), scores));
}

/// Rows of equal width under one chain, in one call. @param width of the logits in memory
template <class ChainType>
Scores scores_of_rows(const ChainType& chain, const Scores& logits, std::int64_t rows,
                      std::int64_t vocab, std::int64_t width) {
  lc::host_engine engine;
  lc::StepState state = logitchain_test::state_of(
      engine, chain, lc::criterion(), vocab,
      std::vector<logitchain_test::RowStart>(static_cast<std::size_t>(rows)));
  Scores scores(static_cast<std::size_t>(rows * vocab), NOT_A_NUMBER);
  lc::apply(engine, chain, state, lc::host_logits(logits.data(), rows, width),
            lc::host_scores(scores.data(), rows, vocab));
  return scores;
}

TEST(TopNSigma, B11_TokensAtMinusInfinityDoNotCount) {
  const Scores scores{4, 3, 2, 1, NONE};
  EXPECT_THAT(kept_by(1, scores), ElementsAre(0, 1));
  EXPECT_THAT(kept_by(0.8, scores), ElementsAre(0));
  EXPECT_THAT(kept_by(2, scores), ElementsAre(0, 1, 2));
  EXPECT_THAT(kept_by(3, scores), ElementsAre(0, 1, 2, 3)) << "-inf stays -inf";
}

TEST(TopNSigma, DoesNotCountWhatAFilterBeforeItRemoved) {
  const auto four = lc::chain(lc::TopK{4}, lc::TopNSigma{0.8});
  EXPECT_THAT(logitchain_test::kept(scores_in_every_batch(four, {4, 3, 2, 1, -60})),
              ElementsAre(0));
  EXPECT_THAT(kept_by(0.8, {4, 3, 2, 1, -60}), ElementsAre(0, 1, 2, 3));
}

TEST(TopNSigma, KeepsWhatItsDefinitionSays) {
  std::mt19937 random(11);
  for (const std::int64_t size : {2, 17, 300, 5000}) {
    const Scores scores = logitchain_test::random_row(random, size);
    double mean = 0;
    for (const float score : scores) mean += static_cast<double>(score);
    mean /= static_cast<double>(size);
    double squares = 0;
    for (const float score : scores) squares += std::pow(static_cast<double>(score) - mean, 2);
    const double deviation = std::sqrt(squares / static_cast<double>(size));
    const double maximum = static_cast<double>(*std::max_element(scores.begin(), scores.end()));
    for (const double n : {0.1, 0.77, 1.3, 2.9}) {
      Ids expected;
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const double above = static_cast<double>(scores[i]) - (maximum - n * deviation);
        ASSERT_GT(std::abs(above), 1e-5) << "too near to the limit to judge by doubles";
        if (above > 0) expected.push_back(static_cast<int>(i));
      }
      EXPECT_EQ(kept_by(n, scores), expected) << size << " tokens, n " << n;
    }
  }
}

// tests/test-sampling.cpp of llama.cpp, in llama-cpp-python 0.3.36.
TEST(TopNSigma, AgreesWithTheTestsOfLlamaCpp) {
  const Scores logarithms{std::log(0.1f), std::log(0.2f), std::log(0.3f), std::log(0.4f)};
  EXPECT_THAT(kept_by(1, logarithms), ElementsAre(2, 3));
  EXPECT_THAT(kept_by(0, logarithms), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(kept_by(3, logarithms), ElementsAre(0, 1, 2, 3));
}

// Recorded from llama_sampler_top_n_sigma_apply of llama.cpp, in llama-cpp-python 0.3.36.
TEST(TopNSigma, AgreesWithLlamaCppOnARowWithRemovedTokens) {
  EXPECT_THAT(kept_by(0.05, TWELVE), ElementsAre(3, 8));
  EXPECT_THAT(kept_by(0.25, TWELVE), ElementsAre(3, 8));
  EXPECT_THAT(kept_by(0.5, TWELVE), ElementsAre(3, 6, 8));
  EXPECT_THAT(kept_by(1, TWELVE), ElementsAre(1, 3, 5, 6, 8, 11));
  EXPECT_THAT(kept_by(1.5, TWELVE), ElementsAre(1, 3, 5, 6, 8, 9, 11));
  EXPECT_THAT(kept_by(2, TWELVE), ElementsAre(1, 2, 3, 5, 6, 8, 9, 11));
  EXPECT_THAT(kept_by(3, TWELVE), ElementsAre(0, 1, 2, 3, 5, 6, 8, 9, 11));
  EXPECT_THAT(kept_by(4, TWELVE), ElementsAre(0, 1, 2, 3, 5, 6, 7, 8, 9, 11));
}

TEST(TopNSigma, KeepsAScoreExactlyAtTheLimit) {
  rows::Row row({1});
  lc::RowNumbers numbers;
  numbers.maximum = 4;
  numbers.deviation = 0.75f;
  const auto bound = lc::TopNSigma{2}.bind(row.view(), numbers);
  EXPECT_EQ(bound(0, 2.5f), 2.5f);
  EXPECT_EQ(bound(0, std::nextafter(2.5f, 0.0f)), NONE);
  EXPECT_THAT(kept_by(1, {1, -1, 1, -1}), ElementsAre(0, 2)) << "limit 0";
  EXPECT_THAT(kept_by(2, {1, -1, 1, -1}), ElementsAre(0, 1, 2, 3)) << "limit -1";
}

TEST(TopNSigma, KeepsAllThatTieAsTheBest) {
  EXPECT_THAT(kept_by(1e-6, {2, 7, 7, 6.9f}), ElementsAre(1, 2));
  EXPECT_THAT(kept_by(1e-60, {2, 7, 7, 6.9f}), ElementsAre(1, 2)) << "0 as a float";
}

TEST(TopNSigma, KeepsAllOfARowWithoutSpread) {
  for (const double n : {1e-60, 1.0, 1e38, 1e300}) {
    EXPECT_THAT(kept_by(n, {5, 5, NONE, 5}), ElementsAre(0, 1, 3)) << n;
    EXPECT_THAT(kept_by(n, {NONE, -2, NONE}), ElementsAre(1)) << n;
    EXPECT_THAT(kept_by(n, {3}), ElementsAre(0)) << n;
  }
}

TEST(TopNSigma, TakesTheLargestScoresAndNumbers) {
  const float largest = logitchain_test::LARGEST;
  EXPECT_THAT(kept_by(1, {largest, -largest}), ElementsAre(0));
  EXPECT_THAT(kept_by(2, {largest, -largest}), ElementsAre(0, 1));
  EXPECT_THAT(kept_by(1e300, {largest, 0, -largest, NONE}), ElementsAre(0, 1, 2));
}

TEST(TopNSigma, LeavesScoresAsTheyAre) {
  const Scores expected{4, 3, NONE, NONE, NONE};
  EXPECT_EQ(scores_of(lc::chain(lc::TopNSigma{1}), {4, 3, 2, 1, NONE}), expected);
}

TEST(TopNSigma, KeepsTheSameUnderATemperatureBeforeIt) {
  const auto kept_at = [](double temperature) {
    return logitchain_test::kept(
        scores_of(lc::chain(lc::Temperature{temperature}, lc::TopNSigma{1}), TWELVE));
  };
  EXPECT_EQ(kept_at(0.5), kept_by(1, TWELVE));
  EXPECT_EQ(kept_at(4), kept_by(1, TWELVE));
}

TEST(TopNSigma, DrawsTheOnlyTokenThatIsLeft) {
  lc::host_engine engine;
  const auto chain = lc::chain(lc::TopNSigma{0.8});
  const Scores logits{1, 2, 4, 3, NONE, 4.001f, 2, 1, 3, NONE};
  std::vector<lc::StepResult> results(2);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    lc::StepState state = logitchain_test::state_of(engine, chain, lc::criterion(), 5,
                                                    {{.seed = seed}, {.seed = seed + 20}});
    lc::step(engine, chain, lc::criterion(), state, lc::host_logits(logits.data(), 2, 5),
             {.results = results});
    EXPECT_EQ(results[0].token, 2);
    EXPECT_EQ(results[1].token, 0);
  }
}

TEST(TopNSigma, GivesPerRowWhatItGivesOneRowAtATime) {
  std::vector<float> ns{0.5f, 0, 2, 1};
  for (int order = 0; order < 2; ++order) {
    const Scores scores = scores_of_rows(lc::chain(lc::TopNSigma{lc::per_row(ns)}),
                                         joined({TWELVE, TWELVE, TWELVE, TWELVE}), 4, 12, 12);
    for (std::size_t row = 0; row < ns.size(); ++row) {
      const Scores alone =
          scores_of(lc::chain(lc::TopNSigma{static_cast<double>(ns[row])}), TWELVE);
      const auto at = scores.begin() + static_cast<std::ptrdiff_t>(row) * 12;
      EXPECT_EQ(bits({at, at + 12}), bits(alone)) << "row " << row;
    }
    std::reverse(ns.begin(), ns.end());
  }
}

TEST(TopNSigma, DoesNotDependOnThePaddingOfTheVocabulary) {
  for (const float padding : {99.0f, -99.0f, INFINITE, NOT_A_NUMBER}) {
    Scores padded = TWELVE;
    padded.resize(16, padding);
    EXPECT_EQ(bits(scores_of_rows(lc::chain(lc::TopNSigma{1}), padded, 1, 12, 16)),
              bits(scores_of(lc::chain(lc::TopNSigma{1}), TWELVE)));
  }
}

TEST(TopNSigma, IsTheIdentityAtZero) {
  rows::Row row({1});
  EXPECT_FALSE(lc::TopNSigma{}.active(row.view()));
  EXPECT_TRUE(lc::TopNSigma{1e-60}.active(row.view()));
  EXPECT_EQ(bits(scores_in_every_batch(lc::chain(lc::TopNSigma{0}), TWELVE)), bits(TWELVE));
}

TEST(TopNSigma, LeavesARowWithoutADistributionAsItIs) {
  const auto chain = lc::chain(lc::TopNSigma{0.1});
  for (const Scores& row : {Scores{4, NOT_A_NUMBER, 0, NONE}, Scores{NOT_A_NUMBER, 4, 0, 1},
                            Scores{4, INFINITE, 0, NONE}, Scores(4, NONE)}) {
    EXPECT_EQ(bits(scores_in_every_batch(chain, row)), bits(row));
    const Scores both = scores_of_rows(chain, joined({row, {4, 3, 2, 1}}), 2, 4, 4);
    EXPECT_EQ(bits({both.begin() + 4, both.end()}), bits(scores_of(chain, {4, 3, 2, 1})))
        << "its neighbour";
  }
}

TEST(TopNSigma, RefusesANumberOutOfItsRange) {
  const auto refusal = [](double n) {
    return logitchain_test::refusal_of([&] { scores_of(lc::chain(lc::TopNSigma{n}), {1, 2}); });
  };
  EXPECT_EQ(refusal(-0.5), "TopNSigma: n is -0.5; it must be finite and >= 0");
  EXPECT_EQ(refusal(NOT_A_NUMBER), "TopNSigma: n is nan; it must be finite and >= 0");
  EXPECT_EQ(refusal(INFINITE), "TopNSigma: n is inf; it must be finite and >= 0");
  EXPECT_EQ(refusal(0), "accepted");
  EXPECT_EQ(refusal(1e300), "accepted");
}

TEST(TopNSigma, EndsTheRowWhosePerRowNumberIsOutOfRange) {
  lc::host_engine engine;
  const std::vector<float> ns{1, -1, 1};
  const auto chain = lc::chain(lc::TopNSigma{lc::per_row(ns)});
  const Scores logits = joined({TWELVE, TWELVE, TWELVE});
  lc::StepState state = logitchain_test::state_of(engine, chain, lc::criterion(), 12, {{}, {}, {}});
  lc::step(engine, chain, lc::criterion(), state, lc::host_logits(logits.data(), 3, 12));
  EXPECT_EQ(state.status(0), lc::Status::ok);
  EXPECT_EQ(state.status(1), lc::Status::invalid_parameter);
  EXPECT_EQ(state.status(2), lc::Status::ok);
}

}  // namespace
