// SPDX-License-Identifier: Apache-2.0
// The parts of a step on both engines: scores in place and in narrow types, draws from them,
// commits of several tokens, flags and reasons.
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/edge_chains.cuh"

namespace cuda_test {
namespace {

constexpr std::int64_t PARTS_VOCAB = 450;

class Parts : public testing::Test {
 protected:
  using Both = BothEngines<Bounded, Rules>;
  static constexpr std::int64_t ROWS = 5;

  Bounded sampler(double p) const {
    return chain(SuppressTokens{{4}}, tables_.biased_by(tables_index_), RepetitionPenalty{1.2},
                 Temperature{0.9}, TopK{40}, TopP{p}, MinP{0.01});
  }
  Rules rules() const {
    return criterion(EndOfSequence{{3, 9}}, MaxNewTokens{per_row(most_)},
                     tables_.stopped_by(tables_index_));
  }
  std::unique_ptr<Both> begun() const {
    const Shape shape{.rows = ROWS, .capacity = 40, .vocab = PARTS_VOCAB, .seed = 5};
    auto both = std::make_unique<Both>(shape, sampler(0.9), rules(), CudaOptions{.cluster = 2});
    both->admit({{.row = 0, .prompt = {1}},
                 {.row = 1, .prompt = {1, 2}, .generated = {5}},
                 {.row = 2, .prompt = {7}, .budget = 2},
                 {.row = 4, .prompt = {0}}});
    return both;
  }
  LogitsMemory logits_of(DType type, std::int64_t rows) const {
    std::mt19937 random(9);
    LogitsMemory logits(type, rows, PARTS_VOCAB + 4, PARTS_VOCAB + 11);
    for (std::int64_t i = 0; i < rows; ++i) {
      std::vector<float> row = random_row(random, PARTS_VOCAB);
      row.resize(PARTS_VOCAB + 4, 60.0f);  // would be drawn, were it in the vocabulary
      logits.set_row(i, row);
    }
    return logits;
  }

  Tables tables_{PARTS_VOCAB};
  Ids tables_index_ = {0, 0, -1, 0, 0};
  Ids most_ = {0, 4, 0, 0, 2};
};

TEST_F(Parts, WriteOverTheirLogitsInEveryTypeAlike) {
  for (const DType type : {DType::f32, DType::f16, DType::bf16}) {
    auto both = begun();
    EXPECT_EQ(both->step_in_parts(logits_of(type, ROWS), type), "");
    EXPECT_EQ(both->step_in_parts(logits_of(type, ROWS), type), "") << "again";
    EXPECT_EQ(both->tokens()[3], -1) << "nobody was admitted there";
  }
}

TEST_F(Parts, WriteScoresOfEveryTypeAlikeAndDrawFromThem) {
  const Items shared{Ids{1, 0, -1, 1}, Ids{4, 2, 1, 0}};
  for (const DType type : {DType::f32, DType::f16, DType::bf16}) {
    auto both = begun();
    EXPECT_EQ(both->step_in_parts(logits_of(DType::f32, 2), type, shared), "");
    EXPECT_EQ(both->tokens()[2], -1);
  }
}

TEST_F(Parts, GiveWhatAStepGives) {
  auto whole = begun();
  auto parts = begun();
  const LogitsMemory logits = logits_of(DType::bf16, ROWS);
  EXPECT_EQ(whole->step(logits.view()), "");
  const Ids tokens = whole->tokens();
  EXPECT_EQ(parts->step_in_parts(logits, DType::f32), "");
  EXPECT_EQ(parts->tokens(), tokens);
  EXPECT_EQ(texts_of(parts->results()), texts_of(whole->results()));
}

TEST_F(Parts, GiveTokensOf64BitsAlike) {
  const auto both = begun();
  const LogitsMemory logits = logits_of(DType::f32, ROWS);
  const DeviceLogits device_rows(logits.view());
  std::vector<std::int64_t> tokens(ROWS, -7);
  const DeviceArray<std::int64_t> device_tokens(tokens);
  host_engine host;
  draw(host, both->host_state(), logits.view(), tokens);
  draw(both->device(), both->device_state(), device_rows.view(), device_tokens.span());
  EXPECT_EQ(device_tokens.read(), tokens);
  EXPECT_EQ(tokens[3], -1);
  step(host, sampler(0.9), rules(), both->host_state(), logits.view(), {.tokens = tokens});
  step(both->device(), both->device_chain(), both->device_stop(), both->device_state(),
       device_rows.view(), {.tokens = device_tokens.span()});
  EXPECT_EQ(device_tokens.read(), tokens);
  EXPECT_EQ(both->states(), "");
}

TEST_F(Parts, TakeSeveralTokensPerRowAlike) {
  auto both = begun();
  const std::vector<std::int64_t> first = {5, 6, 7, -1, 8, -1, 11, 12, 13, 1, 1, 1, 2, 449, 0};
  EXPECT_EQ(both->commit(first, 3, {3, 2, 1, 3, 0}), "");
  EXPECT_EQ(both->results()[0].generated, 3);
  EXPECT_EQ(both->results()[2].generated, 1);
  EXPECT_EQ(both->results()[4].generated, 0);
  // An end in the middle, an entry of a list, a budget, a count, a stop string over two tokens.
  const Ids second = {9, 5, 5, 8, 8, 8, 11, 11, 11, 1, 1, 1, 27, 28, 5};
  EXPECT_EQ(both->commit(second, 3), "");
  EXPECT_EQ(text_of_result(both->results()[0]),
            "token 9, generated 4, finished, criterion 0, entry 1");
  EXPECT_EQ(both->results()[1].criterion, 1);
  EXPECT_EQ(both->results()[2].criterion, BUDGET_SPENT);
  EXPECT_EQ(both->results()[4].token, 28);
  EXPECT_EQ(both->results()[4].criterion, 1) << "the second token is the last that it may have";
  EXPECT_EQ(both->look_at_ends(), "");
}

TEST_F(Parts, TakeRowsOfTokensByItemsAlike) {
  auto both = begun();
  most_[4] = 0;
  both->use(sampler(0.9), rules());
  const std::vector<std::int64_t> tokens = {27, 28, 20, 21};
  EXPECT_EQ(both->commit(tokens, 2, {2, 1}, {Ids{0, 1, -1, 0}, Ids{4, 2, 0, 1}}), "");
  EXPECT_EQ(both->results()[0].criterion, 2) << "a stop string over two tokens";
  EXPECT_EQ(both->results()[1].token, 20);
  EXPECT_EQ(both->results()[3].criterion, 2);
  EXPECT_EQ(both->look_at_ends(), "");
}

/// What the host refuses is a status of the row where only the device reads it.
TEST_F(Parts, EndARowByAnIdOrACountThatCannotBe) {
  constexpr std::int64_t LOWEST = std::numeric_limits<std::int64_t>::min();
  for (const bool bad_count : {false, true}) {
    for (const std::int64_t bad :
         {PARTS_VOCAB, std::int64_t{-2}, (std::int64_t{1} << 32) + 5, LOWEST}) {
      const std::vector<std::int64_t> tokens = {20, 21, 22, bad_count ? 22 : bad, 24, 25};
      const Ids counts = {2, bad_count ? static_cast<std::int32_t>(bad >= 0 ? 3 : -1) : 2, 2};
      auto fresh = begun();
      const DeviceArray<std::int64_t> device_tokens(tokens);
      const DeviceArray<std::int32_t> device_counts(counts);
      const DeviceArray<std::int32_t> rows(Ids{0, 1, 4});
      const DeviceArray<StepResult> results(3);
      commit(fresh->device(), fresh->device_chain(), fresh->device_stop(), fresh->device_state(),
             device_tokens.view(),
             {.counts = device_counts.view(),
              .results = results.span(),
              .items = {.state_row = rows.view()}});
      host_engine host;
      commit(host, sampler(0.9), rules(), fresh->host_state(), Ids{20, 21, 24, 25},
             {.items = {.state_row = Ids{0, 4}}, .each = 2});
      RowRecord& refused = fresh->host_state().view().records[1];
      refused.status = Status::invalid_parameter;
      refused.active = 0;
      EXPECT_EQ(fresh->states(), "") << bad;
      EXPECT_EQ(text_of_result(results.read()[1]),
                "token -1, generated 1, invalid_parameter, criterion -1, entry -1");
      EXPECT_EQ(fresh->look_at_ends(), "");
    }
  }
}

}  // namespace
}  // namespace cuda_test
