// SPDX-License-Identifier: Apache-2.0
// What no call can refuse, since it lies in device memory: numbers per row, ids in lists, tables
// and their indices. The row ends as on the host, the other rows are what they are without it.
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/edge_chains.cuh"
#include "support/table_damage.hpp"

namespace cuda_test {
namespace {

constexpr std::int64_t BAD_VOCAB = 200;
constexpr std::int32_t BAD_ROWS = 6;

/// A chain and criterion whose every number, list and table index is one per row or in memory.
struct Numbers6 {
  std::vector<float> penalty = {1.1f, 1.2f, 1, 1.3f, 1, 0.9f};
  std::vector<float> temperature = {1, 0.5f, 2, 0, 1, 0.8f};
  Ids k = {5, 0, 20, 3, 1000, 7};
  std::vector<float> p = {0.9f, 1, 0.5f, 0.8f, 0.99f, 0.7f};
  std::vector<float> min_p = {0, 0.1f, 0.01f, 0, 1, 0.2f};
  Ids most = {0, 9, 5, 0, 5, 4};
  Ids banned = {7, 8, 9, 10, 11, 12, 13, 14, 15};  // too many to travel with the chain
  Ids ends = {30, 31, 32, 33, 34, 35, 36, 37, 38};
  Ids bias = {0, -1, 0, 0, -1, 0};
  Ids strings = {0, 0, -1, 0, -1, 0};

  Bounded sampler(const Tables& tables) const {
    return chain(SuppressTokens{banned}, tables.biased_by(bias),
                 RepetitionPenalty{per_row(penalty)}, Temperature{per_row(temperature)},
                 TopK{per_row(k)}, TopP{per_row(p)}, MinP{per_row(min_p)});
  }
  Rules rules(const Tables& tables) const {
    return criterion(EndOfSequence{ends}, MaxNewTokens{per_row(most)}, tables.stopped_by(strings));
  }
};

/// Rows that begin with good data and step with bad.
class BadData : public testing::Test {
 protected:
  BadData() {
    std::mt19937 random(6);
    for (std::int32_t row = 0; row < BAD_ROWS; ++row) {
      logits_.set_row(row, random_row(random, BAD_VOCAB));
    }
    run(good_);
    for (const StepResult& result : results_) EXPECT_EQ(result.status, Status::ok);
    expected_ = texts_of(results_);
  }

  /// Admits with good data, then makes two steps with `then`, spoiled once the chain is made: the
  /// host refuses to make one with an id below zero.
  template <class Spoil>
  void run(const Numbers6& then, const Tables& tables, Spoil spoil) {
    BothEngines both({.rows = BAD_ROWS, .capacity = 40, .vocab = BAD_VOCAB, .seed = 5},
                     good_.sampler(tables_), good_.rules(tables_), {.cluster = 1});
    both.admit(requests());
    EXPECT_EQ(both.states(), "") << "after admission";
    const Bounded sampler = then.sampler(tables);
    const Rules rules = then.rules(tables);
    spoil();
    both.use(sampler, rules);
    EXPECT_EQ(both.step(logits_.view()), "");
    results_ = both.results();
    EXPECT_EQ(both.step(logits_.view()), "") << "the second step";
    EXPECT_EQ(both.look_at_ends(), "");
  }
  void run(const Numbers6& then) {
    run(then, tables_, [] {});
  }
  static std::vector<Request> requests() {
    std::vector<Request> all;
    for (std::int32_t row = 0; row < BAD_ROWS; ++row) {
      all.push_back({.row = row, .prompt = {1, 27}, .generated = {row}});
    }
    return all;
  }

  /// The rows of `bad` end with a status, the others are as with good data.
  void expect_ended(const std::vector<std::size_t>& bad, Status status) const {
    std::size_t at = 0;
    for (std::size_t row = 0; row < results_.size(); ++row) {
      if (at < bad.size() && bad[at] == row) {
        EXPECT_EQ(results_[row].status, status) << "row " << row;
        EXPECT_EQ(results_[row].token, -1) << "row " << row;
        ++at;
      } else {
        EXPECT_EQ(text_of_result(results_[row]), expected_[row]) << "row " << row;
      }
    }
  }

  const Tables tables_{BAD_VOCAB};
  const Numbers6 good_;
  LogitsMemory logits_{DType::bf16, BAD_ROWS, BAD_VOCAB, BAD_VOCAB};
  std::vector<StepResult> results_;
  std::vector<std::string> expected_;
};

TEST_F(BadData, NumbersOutOfRangeEndTheirRows) {
  Numbers6 bad = good_;
  bad.penalty[0] = 0;
  bad.temperature[1] = NOT_A_NUMBER;
  bad.k[2] = -1;
  bad.p[4] = 1.5f;
  bad.min_p[5] = -INFINITE;
  run(bad);
  expect_ended({0, 1, 2, 4, 5}, Status::invalid_parameter);
  bad = good_;
  bad.penalty[5] = NOT_A_NUMBER;
  bad.temperature[4] = INFINITE;
  bad.p[2] = NOT_A_NUMBER;
  bad.min_p[0] = 1.0001f;
  bad.most[3] = -1;
  run(bad);
  expect_ended({0, 2, 3, 4, 5}, Status::invalid_parameter);
}

TEST_F(BadData, IdsOutOfRangeInAListEndTheRowsThatUseIt) {
  for (const std::int32_t id : {200, -2, 2147483647, -2147483647 - 1}) {
    Numbers6 bad = good_;
    run(bad, tables_, [&] { bad.banned[8] = id; });
    expect_ended({0, 1, 2, 3, 4, 5}, Status::invalid_table);
  }
  Numbers6 bad = good_;
  run(bad, tables_, [&] { bad.ends[0] = -2; });  // a token that never comes
  expect_ended({}, Status::ok);
}

TEST_F(BadData, TableIndicesOutOfRangeEndTheirRows) {
  Numbers6 bad = good_;
  bad.bias[0] = 1;
  bad.bias[3] = 2147483647;
  bad.strings[1] = -2;
  bad.strings[5] = 1;
  run(bad);
  expect_ended({0, 1, 3, 5}, Status::invalid_table);
}

TEST_F(BadData, TableIndicesOutOfRangeAtAdmissionEndTheirRows) {
  Numbers6 bad = good_;
  bad.bias[0] = 2;
  bad.strings[5] = -2;
  const cuda_engine device(nullptr, {.cluster = 1});
  DeviceMemory memory(device);
  const auto sampler = on_device(bad.sampler(tables_), memory);
  const auto rules = on_device(bad.rules(tables_), memory);
  StepState state(device, {.rows = BAD_ROWS, .capacity = 40, .vocab = BAD_VOCAB, .seed = 5},
                  needs(sampler, rules));
  admit(device, sampler, rules, state, host_span<const Request>(requests()));
  const DeviceLogits logits(logits_.view());
  const DeviceArray<StepResult> results(BAD_ROWS);
  step(device, sampler, rules, state, logits.view(), {.results = results.span()});
  results_ = results.read();
  expect_ended({0, 5}, Status::invalid_table);
}

/// Words of a table that steps and walks run into: the host answers each of them with a status.
TEST_F(BadData, DamagedTablesEndTheRowsThatWalkThem) {
  for (const std::int32_t word : {-1, 1'000'000, -2147483647 - 1}) {
    // Where the ids of a bias table's entries lie, and all nodes of a stop table.
    const std::size_t items = static_cast<std::size_t>(tables_.bias.count());
    std::vector<std::byte> bias = copy_of(tables_.bias.storage());
    for (std::size_t i = 0; i < items; ++i) set_word(bias, bias.size() - 12 * items + 4 * i, word);
    std::vector<std::byte> strings = copy_of(tables_.strings.storage());
    const std::size_t nodes = 8 * static_cast<std::size_t>(BAD_VOCAB + 1);
    for (std::size_t i = 0; i <= static_cast<std::size_t>(tables_.strings.shape().nodes); ++i) {
      set_word(strings, nodes + 4 * i, word);
    }
    Tables damaged(BAD_VOCAB);
    damaged.bias_views = {{bias.data(), damaged.bias.shape()}};
    run(good_, damaged, [] {});
    expect_ended({0, 2, 3, 5}, Status::invalid_table);
    damaged = Tables(BAD_VOCAB);
    damaged.bias_views = {damaged.bias.view()};
    damaged.string_views = {{strings.data(), damaged.strings.shape()}};
    run(good_, damaged, [] {});
    expect_ended({0, 1, 3, 5}, Status::invalid_table);
  }
}

/// Any damage: nothing is read outside of the arrays, and rows without a table notice nothing. A
/// damaged table that contradicts itself nowhere is a table of other content.
TEST_F(BadData, TablesOfAnyDamageHarmNoOtherRow) {
  std::mt19937 random(17);
  for (int trial = 0; trial < 10; ++trial) {
    SCOPED_TRACE(trial);
    const std::vector<std::byte> bias = damaged_copy(tables_.bias.storage(), random);
    const std::vector<std::byte> strings = damaged_copy(tables_.strings.storage(), random);
    Tables damaged(BAD_VOCAB);
    damaged.bias_views = {{bias.data(), damaged.bias.shape()}};
    damaged.string_views = {{strings.data(), damaged.strings.shape()}};
    BothEngines both({.rows = BAD_ROWS, .capacity = 40, .vocab = BAD_VOCAB, .seed = 5},
                     good_.sampler(damaged), good_.rules(damaged), {.cluster = 1});
    both.admit({{.row = 0, .prompt = {1, 2}},
                {.row = 1, .prompt = {1, 27}, .generated = {1}},
                {.row = 4, .prompt = {1, 27}, .generated = {4}}});
    EXPECT_EQ(both.states(), "");
    (void)both.step(logits_.view());
    const std::vector<RowRecord> records = read_records(both.device(), both.device_state());
    for (const std::size_t row : {0u, 1u}) {
      EXPECT_EQ(records[row].status == Status::invalid_table,
                both.results()[row].status == Status::invalid_table)
          << "row " << row;
    }
    EXPECT_EQ(text_of_result(both.results()[4]), expected_[4]);
    EXPECT_EQ(records[4].last_token, both.tokens()[4]);
    EXPECT_EQ(records[4].status, Status::ok);
  }
}

}  // namespace
}  // namespace cuda_test
