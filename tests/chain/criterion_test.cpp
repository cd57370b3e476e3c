// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

/// Fires at its token or above, with the token as entry.
struct From {
  std::int32_t token;
  Fired operator()(const RowView&, std::int32_t newest) const {
    return newest >= token ? Fired{newest, 0} : Fired{};
  }
};

TEST(Criterion, NamesTheFirstOfItsRulesThatFires) {
  host_engine engine;
  const auto stop =
      criterion(From{6}, From{4}, [](const RowView&, int token) { return token > 2; }, From{1});
  const std::int16_t first[] = {NOT_FINISHED, 3, 3, 2, 1, 1, 0, 0};
  for (std::int32_t token = 0; token < 8; ++token) {
    StepState state = state_of(engine, chain(), stop, 8, {RowStart{.prompt = {0}}});
    commit(engine, chain(), stop, state, std::vector<std::int32_t>{token});
    EXPECT_EQ(state.finish(0).criterion, first[token]) << token;
    if (first[token] == NOT_FINISHED) {
      EXPECT_EQ(state.status(0), Status::ok);
    } else {
      EXPECT_EQ(state.finish(0).entry, first[token] == 2 ? 0 : token)
          << "a plain rule's entry is 0";
    }
  }
}

}  // namespace
