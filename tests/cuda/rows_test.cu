// SPDX-License-Identifier: Apache-2.0
// Rows on the device are, byte by byte, what they are on the host: begun, committed to, copied,
// saved, loaded, ended.
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <logitchain/logitchain.cuh>

#include "cuda/support/device_array.cuh"
#include "cuda/support/same_state.cuh"

namespace {

using namespace logitchain;
using logitchain_test::cuda_check;
using logitchain_test::DeviceArray;
using logitchain_test::difference_of_states;
using testing::HasSubstr;

using Ids = std::vector<std::int32_t>;

constexpr std::int64_t VOCAB = 700;

/// One state on each side, and what is done to both.
class RowsOfBothEngines : public testing::Test {
 protected:
  RowsOfBothEngines()
      : chain_(chain(RepetitionPenalty{1.1}, SequenceBias{bias_})),
        stop_(criterion(EndOfSequence{2}, StopStrings{strings_}, MaxNewTokens{50})),
        device_bias_(upload(device_, bias_)),
        device_strings_(upload(device_, strings_)),
        device_chain_(chain(RepetitionPenalty{1.1}, SequenceBias{device_bias_})),
        device_stop_(criterion(EndOfSequence{2}, StopStrings{device_strings_}, MaxNewTokens{50})),
        host_state_(host_, SHAPE, needs(chain_, stop_)),
        device_state_(device_, SHAPE, needs(device_chain_, device_stop_)) {}

  static std::vector<std::string> pieces() {
    std::vector<std::string> all;
    for (std::int64_t i = 0; i < VOCAB; ++i) all.push_back("t" + std::to_string(i % 90) + " ");
    return all;
  }

  std::vector<std::int64_t> ids(int count, int below) {
    std::vector<std::int64_t> all;
    for (int i = 0; i < count; ++i) all.push_back(static_cast<std::int64_t>(random_() % below));
    return all;
  }

  void admit_to_both(const std::vector<Request>& requests) {
    admit(host_, chain_, stop_, host_state_, requests);
    admit(device_, device_chain_, device_stop_, device_state_, requests);
  }

  /// Long and short histories, placeholders beyond the vocabulary, rows that were away.
  void begin() {
    admit_to_both(
        {{.row = 0, .prompt = ids(5000, 900), .generated = ids(40, VOCAB), .seed = 5},
         {.row = 1, .prompt = ids(1, VOCAB)},
         {.row = 2, .prompt = ids(2048, VOCAB), .generated = ids(10, VOCAB), .budget = 10},
         {.row = 4, .prompt = ids(1500, 3), .budget = 20}});
  }

  std::string difference() const { return difference_of_states(host_state_, device_state_); }

  static constexpr Shape SHAPE{.rows = 5, .capacity = 6000, .vocab = VOCAB, .seed = 7};

  std::mt19937 random_{3};
  host_engine host_;
  cuda_engine device_;
  BiasTable bias_ = sequence_bias({{{1, 2}, 0.5}, {{0, 1}, -1.0}, {{2}, 2.0}}, VOCAB);
  StopTable strings_ = stop_strings(pieces(), {"t5 t6 ", "never"});
  decltype(chain(RepetitionPenalty{1.1}, SequenceBias{std::declval<BiasTable&>()})) chain_;
  decltype(criterion(EndOfSequence{2}, StopStrings{std::declval<StopTable&>()},
                     MaxNewTokens{50})) stop_;
  DeviceTable<BiasTableView> device_bias_;
  DeviceTable<StopTableView> device_strings_;
  decltype(chain_) device_chain_;
  decltype(stop_) device_stop_;
  StepState host_state_;
  StepState device_state_;
};

TEST_F(RowsOfBothEngines, BeginReleased) { EXPECT_EQ(difference(), ""); }

TEST_F(RowsOfBothEngines, AreAdmittedAlike) {
  begin();
  EXPECT_EQ(difference(), "");
}

TEST_F(RowsOfBothEngines, TakeTokensFromElsewhereAlike) {
  begin();
  const std::vector<std::int32_t> tokens = {5, 6, 7, 1, 2, 3, 9, 9, 9, 1, 1, 1, 5, -1, 6};
  const std::vector<std::int32_t> counts = {3, 3, 1, 0, 3};
  std::vector<StepResult> results(5);
  const DeviceArray<std::int32_t> device_tokens(tokens);
  const DeviceArray<std::int32_t> device_counts(counts);
  const DeviceArray<StepResult> device_results(results);
  commit(host_, chain_, stop_, host_state_, tokens, {.counts = counts, .results = results});
  commit(device_, device_chain_, device_stop_, device_state_, device_tokens.view(),
         {.counts = device_counts.view(), .results = device_results.span()});
  EXPECT_EQ(difference(), "");
  const std::vector<StepResult> others = device_results.read();
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].token, others[i].token) << i;
    EXPECT_EQ(results[i].status, others[i].status) << i;
    EXPECT_EQ(results[i].criterion, others[i].criterion) << i;
  }
  EXPECT_EQ(results[4].criterion, 1);  // "t5 t6 " over two tokens
}

TEST_F(RowsOfBothEngines, ThatTwoItemsNameEndAndOneThatHadEndedSaysWhy) {
  begin();
  const Ids items = {1, 1, 2, 2, 3, 3, 0};
  const DeviceArray<std::int32_t> device_items(items);
  const DeviceArray<std::int32_t> tokens(Ids(7, 5));
  const DeviceArray<StepResult> results(7);
  commit(device_, device_chain_, device_stop_, device_state_, tokens.view(),
         {.results = results.span(), .items = {.state_row = device_items.view()}});
  const std::vector<StepResult> told = results.read();
  const auto expect = [&](std::size_t item, Status status, std::int32_t generated,
                          std::int16_t criterion) {
    EXPECT_EQ(told[item].status, status) << item;
    EXPECT_EQ(told[item].generated, generated) << item;
    EXPECT_EQ(told[item].criterion, criterion) << item;
    EXPECT_EQ(told[item].token, item == 6 ? 5 : -1) << item;
  };
  for (const std::size_t item : {0u, 1u}) expect(item, Status::duplicate_row, 0, NOT_FINISHED);
  for (const std::size_t item : {2u, 3u}) expect(item, Status::finished, 10, BUDGET_SPENT);
  for (const std::size_t item : {4u, 5u}) expect(item, Status::released, 0, NOT_FINISHED);
  expect(6, Status::ok, 41, NOT_FINISHED);
  EXPECT_EQ(read_records(device_, device_state_)[1].status, Status::duplicate_row);
}

TEST_F(RowsOfBothEngines, AreGatheredAlike) {
  begin();
  const std::vector<std::uint64_t> seeds = {1, 2, 3, 4, 5};
  gather(host_, host_state_, {1, 0, 4, 4, -1}, seeds);
  gather(device_, device_state_, {1, 0, 4, 4, -1}, seeds);
  EXPECT_EQ(difference(), "");
  const DeviceArray<std::int32_t> parents(std::vector<std::int32_t>{2, 2, 3, 0, 1});
  gather(host_, host_state_, {2, 2, 3, 0, 1});
  gather(device_, device_state_, parents.view());
  EXPECT_EQ(difference(), "");
}

TEST_F(RowsOfBothEngines, AreReleasedAlike) {
  begin();
  release(host_, host_state_, {0, 3});
  release(device_, device_state_, {0, 3});
  EXPECT_EQ(difference(), "");
  const DeviceArray<std::int32_t> rows(std::vector<std::int32_t>{4, -1, 17});
  release(host_, host_state_, 4);
  release(device_, device_state_, rows.view());
  EXPECT_EQ(difference(), "");
}

TEST_F(RowsOfBothEngines, MoveBetweenTheEngines) {
  begin();
  const std::vector<std::byte> from_host = save_row(host_, host_state_, 0);
  const std::vector<std::byte> from_device = save_row(device_, device_state_, 0);
  EXPECT_EQ(from_host, from_device);
  load_row(host_, host_state_, 3, from_device);
  load_row(device_, device_state_, 3, host_span<const std::byte>(from_host));
  EXPECT_EQ(difference(), "");
}

TEST_F(RowsOfBothEngines, AreSavedAndLoadedWithoutTheHost) {
  begin();
  const DeviceArray<std::byte> blob(static_cast<std::size_t>(row_blob_bytes(device_state_)));
  save_row(device_, device_state_, 4, blob.span());
  load_row(device_, device_state_, 3, blob.view());
  load_row(host_, host_state_, 3, save_row(host_, host_state_, 4));
  EXPECT_EQ(difference(), "");
}

TEST_F(RowsOfBothEngines, RefuseADamagedBlob) {
  begin();
  const DeviceArray<std::byte> blob(static_cast<std::size_t>(row_blob_bytes(device_state_)));
  save_row(device_, device_state_, 4, blob.span());
  cuda_check(cudaMemset(blob.data() + 100, 0x11, 1));
  load_row(device_, device_state_, 3, blob.view());
  const std::vector<RowRecord> records = read_records(device_, device_state_);
  EXPECT_EQ(records[3].status, Status::invalid_table);
  EXPECT_EQ(records[3].active, 0);
  EXPECT_EQ(records[4].status, Status::ok);
}

TEST_F(RowsOfBothEngines, ComeOutOfAPaddedBatchAlike) {
  const std::vector<std::int32_t> ids = {0, 0, 5, 6, 0, 7, 8, 9};
  const PaddedPrompts prompts{.ids = ids, .rows = 2, .width = 4, .pad_id = 0, .first_row = 3};
  import_padded(host_, chain_, stop_, host_state_, prompts);
  import_padded(device_, device_chain_, device_stop_, device_state_, prompts);
  EXPECT_EQ(difference(), "");
}

TEST_F(RowsOfBothEngines, AreFlaggedAlikeWhenTheyStop) {
  begin();
  std::vector<std::uint8_t> flags(5);
  const DeviceArray<std::uint8_t> device_flags(flags);
  stopped(host_, stop_, host_state_, flags);
  stopped(device_, device_stop_, device_state_, device_flags.span());
  EXPECT_EQ(flags, device_flags.read());
  EXPECT_EQ(flags[2], 1);
}

TEST_F(RowsOfBothEngines, EndWhereARunningOneIsAdmittedAgain) {
  begin();
  admit(device_, device_chain_, device_stop_, device_state_, {.row = 1, .prompt = {3}});
  try {
    check(device_, device_state_);
    FAIL() << "the row was overwritten";
  } catch (const error& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("row 1: duplicate_row"));
  }
}

TEST_F(RowsOfBothEngines, AreRefusedByTheHostWhereItCanKnow) {
  const auto refusal = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const error& refused) {
      return refused.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal([&] { release(device_, device_state_, {9}); }),
            "release: rows[0] is 9; it must be in [0, 4]");
  EXPECT_THAT(refusal([&] {
                admit(device_, chain_, device_stop_, device_state_, {.row = 0, .prompt = {1}});
              }),
              HasSubstr("SequenceBias: table lies in the other memory space"));
  EXPECT_THAT(refusal([&] { release(device_, host_state_, {1}); }),
              HasSubstr("the state lies in host memory"));
  EXPECT_THAT(refusal([&] {
                admit(device_, device_chain_, device_stop_, device_state_,
                      {.row = 0, .prompt = {-1}});
              }),
              HasSubstr("requests[0].prompt[0] is -1"));
}

}  // namespace
