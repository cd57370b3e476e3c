// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/engine/host/check.hpp>
#include <logitchain/engine/host/host_engine.hpp>
#include <logitchain/engine/host/rows.hpp>

#include "support/state_doubles.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

class Check : public ::testing::Test {
 protected:
  host_engine engine;
  StepState state{engine, {.rows = 12, .capacity = 12, .vocab = 16, .seed = 7}, {}};
};

TEST_F(Check, IsSilentAboutRowsThatGenerateFinishedOrWereReleased) {
  state.view().records[0].status = Status::ok;
  state.view().records[1].status = Status::finished;
  EXPECT_NO_THROW(check(engine, state));
}

TEST_F(Check, NamesRowsAndReasons) {
  state.view().records[3].status = Status::undefined_distribution;
  state.view().records[7].status = Status::invalid_parameter;
  EXPECT_EQ(
      text_of_error<runtime_error>([&] { check(engine, state); }),
      "check: row 3: undefined_distribution (nothing to draw from, or a NaN or +inf at the "
      "draw); row 7: invalid_parameter (a per-row number or a token id outside of its range)");
}

TEST_F(Check, HasAReasonForEveryFault) {
  for (const Status status : {Status::undefined_distribution, Status::invalid_parameter,
                              Status::invalid_table, Status::duplicate_row, Status::capacity}) {
    state.view().records[5].status = status;
    const std::string text = text_of_error<runtime_error>([&] { check(engine, state); });
    EXPECT_EQ(text.find(std::string("check: row 5: ") + name_of(status) + " ("), 0u) << text;
  }
}

TEST_F(Check, NamesTheFirstEightOfManyRows) {
  for (std::int64_t row = 0; row < 8; ++row) state.view().records[row].status = Status::capacity;
  const std::string all = text_of_error<runtime_error>([&] { check(engine, state); });
  EXPECT_NE(all.find("row 7: "), std::string::npos);
  EXPECT_EQ(all.find("more rows"), std::string::npos) << all;
  for (std::int64_t row = 8; row < 12; ++row) state.view().records[row].status = Status::capacity;
  const std::string text = text_of_error<runtime_error>([&] { check(engine, state); });
  EXPECT_NE(text.find("row 7: "), std::string::npos);
  EXPECT_EQ(text.find("row 8: "), std::string::npos);
  EXPECT_NE(text.find("; and 4 more rows"), std::string::npos) << text;
}

TEST_F(Check, FlagsRowsThatFinishedAndNoOthers) {
  const auto nothing = chain();
  const auto stop = criterion([](const RowView&, std::int32_t token) { return token == 2; });
  admit(engine, nothing, stop, state,
        {{.row = 0, .prompt = {1}},
         {.row = 1, .prompt = {1}},
         {.row = 2, .prompt = {1}, .budget = 0},
         {.row = 3, .prompt = {1}}});
  commit_token(state.view(), 1, 2, nothing, stop);
  commit_token(state.view(), 3, 77, nothing, stop);
  std::vector<std::uint8_t> bytes(12, 9);
  stopped(engine, stop, state, bytes);
  EXPECT_EQ(bytes, (std::vector<std::uint8_t>{0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  bool flags[12];
  stopped(engine, stop, state, flags);
  for (std::size_t row = 0; row < 12; ++row) EXPECT_EQ(flags[row], bytes[row] == 1) << row;
}

TEST_F(Check, WantsOneFlagPerRow) {
  std::vector<std::uint8_t> few(11);
  EXPECT_EQ(text_of_error([&] { stopped(engine, criterion(), state, few); }),
            "stopped: the number of flags is 11; it must be the state's rows, 12");
}

}  // namespace
