// SPDX-License-Identifier: Apache-2.0
// Vocabularies of every size, rows anywhere in memory, items that share them or name none: both
// engines say the same.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/edge_chains.cuh"

namespace cuda_test {
namespace {

/// Where rows of logits lie.
struct Place {
  DType type;
  std::int64_t beyond;  ///< elements of a row behind the vocabulary
  std::int64_t gap;     ///< elements between rows
  bool backwards;
  std::int64_t offset;  ///< elements by which the device's rows are moved
};

Bounded sampler(const Tables& tables) {
  return chain(SuppressTokens{}, tables.biased_by(tables.none), RepetitionPenalty{1.2},
               Temperature{0.9}, TopK{40}, TopP{0.9}, MinP{0.01});
}

void expect_same(std::int64_t vocab, std::int64_t rows, const Place& place,
                 const CudaOptions& options) {
  SCOPED_TRACE(testing::Message() << "vocabulary " << vocab << ", cluster " << options.cluster);
  const Tables tables(vocab);
  BothEngines both({.rows = rows, .capacity = 40, .vocab = vocab, .seed = 5}, sampler(tables),
                   tables.no_rules(), options);
  std::mt19937 random(static_cast<unsigned>(vocab));
  const std::int64_t width = vocab + place.beyond;
  const std::int64_t stride = width + place.gap;
  LogitsMemory logits(place.type, rows, width, place.backwards ? -stride : stride);
  std::vector<Request> requests;
  for (std::int64_t i = 0; i < rows; ++i) {
    requests.push_back({.row = i, .prompt = {i % vocab, vocab - 1}});
    logits.set_row(i, random_row(random, vocab));
  }
  both.admit(requests);
  EXPECT_EQ(both.step(logits.view(), {}, place.offset), "");
  for (const StepResult& result : both.results()) EXPECT_EQ(result.status, Status::ok);
}

TEST(Shapes, OfEveryVocabularyAreTheSameOnBothEngines) {
  expect_same(1, 3, {DType::f32, 5, 0, false, 0}, {.cluster = 1});
  expect_same(2, 2, {DType::bf16, 0, 0, false, 1}, {.cluster = 4});
  expect_same(31, 3, {DType::f16, 1, 2, true, 1}, {.cluster = 1});
  expect_same(33, 2, {DType::f32, 0, 1, false, 1}, {.cluster = 8});
  expect_same(4097, 2, {DType::bf16, 3, 1, true, 7}, {.cluster = 1});
  expect_same(4097, 2, {DType::f32, 7, 4, false, 3}, {});
}

TEST(Shapes, OfRowsThatAreStreamedAreTheSameOnBothEngines) {
  const CudaOptions streaming{.residence = Residence::streaming};
  expect_same(1, 3, {DType::f32, 5, 0, false, 0}, streaming);
  expect_same(33, 2, {DType::bf16, 0, 0, false, 1}, streaming);
  expect_same(4097, 2, {DType::bf16, 3, 1, true, 7}, streaming);
  expect_same(4104, 2, {DType::f16, 0, 0, false, 0}, streaming);
  expect_same(20'003, 2, {DType::f32, 1, 0, false, 0}, streaming);
  expect_same(262'144, 1, {DType::bf16, 0, 0, false, 0}, streaming);
  // More rows than blocks: they take turns.
  expect_same(64, 135, {DType::f32, 0, 0, false, 0}, streaming);
  // Several blocks of a cluster per row, some of them with nothing to read.
  for (const int cluster : {2, 4}) {
    const CudaOptions clusters{.cluster = cluster, .residence = Residence::streaming};
    expect_same(33, 2, {DType::bf16, 0, 0, false, 1}, clusters);
    expect_same(300, 70, {DType::f16, 0, 0, false, 0}, clusters);  // they take turns
    expect_same(20'003, 2, {DType::f32, 1, 0, false, 0}, clusters);
    expect_same(151'936, 1, {DType::bf16, 0, 0, false, 0}, clusters);
  }
}

TEST(Shapes, OfLargeVocabulariesAreTheSameOnBothEngines) {
  const DeviceLimits limits = cuda_engine().limits();
  const std::int64_t largest = largest_vocab(limits);
  // Not every device has the shared memory for these two.
  if (largest >= 151'936) expect_same(151'936, 1, {DType::bf16, 128, 1, false, 1}, {});
  if (largest_vocab(limits, 16) >= 262'144) {
    expect_same(262'144, 1, {DType::f32, 0, 0, false, 1}, {.cluster = 16});
  }
  expect_same(largest, 1, {DType::f16, 0, 0, false, 0}, {});
}

TEST(Shapes, OfOneRowThatAllRowsReadAreTheSameOnBothEngines) {
  constexpr std::int64_t VOCAB = 500;
  const Tables tables(VOCAB);
  BothEngines both({.rows = 5, .capacity = 40, .vocab = VOCAB, .seed = 5}, sampler(tables),
                   tables.no_rules(), {.cluster = 1});
  both.admit({{.row = 0, .prompt = {1}}, {.row = 3, .prompt = {2}}, {.row = 4, .prompt = {3}}});
  std::mt19937 random(3);
  const std::vector<float> row = random_row(random, VOCAB);
  EXPECT_EQ(both.step(host_logits(row.data(), DType::f32, 5, VOCAB, 0), {}, 1), "");
  EXPECT_GE(both.tokens()[0], 0);
  EXPECT_EQ(both.tokens()[1], -1) << "nobody was admitted there";
}

/// 64 rows of a state that share 3 rows of logits.
class Items64 : public testing::Test {
 protected:
  static constexpr std::int64_t VOCAB = 150;
  static constexpr std::int32_t ROWS = 64;

  Items64() {
    std::vector<Request> requests;
    std::mt19937 random(4);
    for (std::int32_t i = 0; i < 3; ++i) logits_.set_row(i, random_row(random, VOCAB));
    for (std::int32_t i = 0; i < ROWS; ++i) {
      requests.push_back({.row = i, .prompt = {i, i % 7}});
      logits_rows_.push_back(i % 3);
      state_rows_.push_back((i * 37 + 5) % ROWS);
    }
    both_.admit(requests);
  }

  Tables tables_{VOCAB};
  BothEngines<Bounded, Rules> both_{{.rows = ROWS, .capacity = 40, .vocab = VOCAB, .seed = 5},
                                    sampler(tables_),
                                    tables_.no_rules(),
                                    {.cluster = 1}};
  LogitsMemory logits_{DType::f32, 3, VOCAB + 1, VOCAB + 9};
  Ids logits_rows_;
  Ids state_rows_;
};

/// Rows of logits are shared, rows of the state are in no order.
TEST_F(Items64, ThatNameNoRowAreSkippedAndTheOthersStep) {
  Items device{logits_rows_, state_rows_};
  Items host = device;
  const auto skip = [&](int i, std::int32_t logits_row, std::int32_t state_row) {
    const std::size_t at = static_cast<std::size_t>(i);
    (*device.logits_row)[at] = logits_row;
    (*device.state_row)[at] = state_row;
    (*host.state_row)[at] = -1;  // the host refuses what is no row and not -1
  };
  skip(0, -1, 3);
  skip(1, 0, -1);
  skip(7, 3, 1);
  skip(8, -2147483647 - 1, 2);
  skip(20, 2, ROWS);
  skip(21, 1, 2147483647);
  skip(63, 0, -5);
  EXPECT_EQ(both_.step(logits_.view(), host, device, 0), "");
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_EQ(both_.tokens()[i] >= 0, (*host.state_row)[i] >= 0) << "item " << i;
  }
}

TEST_F(Items64, OfWhichTwoNameOneRowEndItAndNoOther) {
  Items device{logits_rows_, state_rows_};
  const std::int32_t twice = state_rows_[10];
  (*device.state_row)[50] = twice;  // and nobody names the row that was there
  Items host = device;
  (*host.state_row)[10] = -1;
  (*host.state_row)[50] = -1;
  const DeviceLogits on_device(logits_.view());
  const ItemsOnDevice items(device);
  Ids tokens(64, -7);
  std::vector<StepResult> results(64);
  const DeviceArray<std::int32_t> device_tokens(tokens);
  const DeviceArray<StepResult> device_results(results);
  step(both_.device(), both_.device_chain(), both_.device_stop(), both_.device_state(),
       on_device.view(),
       {.tokens = device_tokens.span(), .results = device_results.span(), .items = items.view()});
  host_engine engine;
  step(engine, sampler(tables_), tables_.no_rules(), both_.host_state(), logits_.view(),
       {.tokens = tokens, .results = results, .items = host.on_host()});
  RowRecord& named_twice = both_.host_state().view().records[twice];
  named_twice.status = Status::duplicate_row;
  named_twice.active = 0;
  for (const std::size_t i : {10u, 50u})
    results[i] = {.token = -1, .status = Status::duplicate_row};
  EXPECT_EQ(device_tokens.read(), tokens);
  EXPECT_EQ(texts_of(device_results.read()), texts_of(results));
  EXPECT_EQ(both_.states(), "") << "rows that were named once are as they would be";
  EXPECT_EQ(both_.look_at_ends(), "");
}

}  // namespace
}  // namespace cuda_test
