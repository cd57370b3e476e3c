// SPDX-License-Identifier: Apache-2.0
// An engine neither is made nor works where floats are computed otherwise than the library defines.
#include <cfenv>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

/// What `call` is refused with where floats are rounded upward, without the reason.
template <class Call>
std::string refusal_of_upward(Call call) {
  std::string text;
  std::fesetround(FE_UPWARD);
  try {
    call();
  } catch (const error& refusal) {
    text = refusal.what();
  }
  std::fesetround(FE_TONEAREST);
  // What is noticed first depends on the compiler.
  return text.substr(0, text.rfind(": ") + 2);
}

TEST(HostEngine, RefusesToBeMadeAndToWorkWhereFloatsAreRoundedOtherwise) {
  const std::string sentence = "host_engine: results would not be those that the library defines: ";
  EXPECT_EQ(refusal_of_upward([] { host_engine engine; }), sentence);

  host_engine engine;
  const auto warm = chain(Temperature{0.7});
  StepState state = state_of(engine, warm, criterion(), 4, {RowStart{}});
  const std::vector<unsigned char> before = bytes_of_row(state, 0);
  std::vector<float> scores = {1, 2, 3, 4};
  const host_logits logits(scores.data(), 1, 4);
  std::vector<std::int32_t> tokens(1, 77);
  const std::vector<float> unchanged = scores;
  EXPECT_EQ(refusal_of_upward(
                [&] { step(engine, warm, criterion(), state, logits, {.tokens = tokens}); }),
            sentence);
  EXPECT_EQ(refusal_of_upward(
                [&] { apply(engine, warm, state, logits, host_scores(scores.data(), 1, 4)); }),
            sentence);
  EXPECT_EQ(bytes_of_row(state, 0), before);
  EXPECT_EQ(tokens[0], 77);
  EXPECT_EQ(scores, unchanged);
  step(engine, warm, criterion(), state, logits, {.tokens = tokens});
  EXPECT_EQ(state.position(0), 1);
}

}  // namespace
