// SPDX-License-Identifier: Apache-2.0
// Shapes and layouts at their limits: one token, no rows, unaligned rows, strides of any sign;
// seeds and positions at the ends of their range.
#include <cstdint>
#include <limits>
#include <string>
#include <typeinfo>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

const auto STOP = criterion();

TEST(BadInput, E23_AVocabularyOfOneTokenGivesThatToken) {
  host_engine engine;
  const auto sampler =
      chain(RepetitionPenalty{1.1}, Temperature{0.5}, TopK{5}, TopP{0.5}, MinP{0.5}, Typical{0.5},
            EtaCutoff{0.1}, TopH{.fraction = 0.5}, Renormalize{});
  StepState state = state_of(engine, sampler, STOP, 1, {RowStart{.prompt = {0}}});
  const float logit = -3.5f;
  std::vector<std::int32_t> tokens(1);
  for (int i = 0; i < 3; ++i) {
    step(engine, sampler, STOP, state, host_logits(&logit, 1, 1), {.tokens = tokens});
    EXPECT_EQ(tokens[0], 0);
  }
}

TEST(BadInput, E24_RowsMayLieAnywhereInMemory) {
  constexpr std::int64_t VOCAB = 1037;  // no multiple of any vector
  host_engine engine;
  const auto sampler = chain(Temperature{0.7}, TopK{50}, TopP{0.9}, Renormalize{});
  std::mt19937 random(8);
  const std::vector<std::vector<float>> rows = {
      random_row(random, VOCAB), random_row(random, VOCAB), random_row(random, VOCAB)};
  for (const DType type : {DType::f32, DType::f16, DType::bf16}) {
    std::vector<std::uint32_t> expected;
    for (const std::int64_t stride : {VOCAB, VOCAB + 3, -VOCAB, -VOCAB - 5}) {
      for (const std::int64_t offset : {0, 1, 2, 3, 5}) {
        LogitsMemory memory(type, 3, VOCAB, stride, offset);
        for (std::int64_t row = 0; row < 3; ++row) memory.set_row(row, rows[index_of(row)]);
        StepState state = state_of(engine, sampler, STOP, VOCAB, std::vector<RowStart>(3));
        std::vector<float> scores(index_of(3 * VOCAB + 1));
        apply(engine, sampler, state, memory.view(), host_scores(scores.data() + 1, 3, VOCAB));
        if (expected.empty()) expected = bits(scores);
        EXPECT_EQ(bits(scores), expected) << name_of(type) << ' ' << stride << ' ' << offset;
      }
    }
  }
}

TEST(BadInput, E24_AStrideOfZeroIsReadAndNeverWritten) {
  host_engine engine;
  const auto best = chain(Greedy{});
  const std::vector<float> logits = {1, 3, 2};
  std::vector<float> scores(9);
  StepState state = state_of(engine, best, STOP, 3, std::vector<RowStart>(3));
  std::vector<std::int32_t> tokens(3);
  step(engine, best, STOP, state, host_logits(logits.data(), 3, 3, 0), {.tokens = tokens});
  EXPECT_EQ(tokens, (std::vector<std::int32_t>{1, 1, 1}));
  for (const std::int64_t stride : {0, 1, 2, -1, -2}) {
    EXPECT_EQ(
        refusal_of([&] { host_scores(scores.data(), 3, 3, stride); }),
        "host_scores: stride is " + std::to_string(stride) + "; it must be at least the width, 3");
  }
}

TEST(BadInput, E30_RowsOfOneSeedDrawAlikeAndTheStatesSeedGivesEachItsOwn) {
  host_engine engine;
  const auto none = chain();
  const std::vector<float> flat(512, 0.0f);
  const auto tokens_of = [&](StepState& state) {
    std::vector<std::vector<std::int32_t>> of_row(index_of(state.rows()));
    std::vector<std::int32_t> tokens(index_of(state.rows()));
    for (int i = 0; i < 4; ++i) {
      step(engine, none, STOP, state, host_logits(flat.data(), state.rows(), 512, 0),
           {.tokens = tokens});
      for (std::size_t row = 0; row < tokens.size(); ++row) of_row[row].push_back(tokens[row]);
    }
    return of_row;
  };
  StepState same = state_of(engine, none, STOP, 512, std::vector<RowStart>(3, {.seed = 77}));
  const auto alike = tokens_of(same);
  EXPECT_EQ(alike[0], alike[1]);
  EXPECT_EQ(alike[0], alike[2]);
  EXPECT_NE(alike[0][0], alike[0][1]) << "each position draws anew";

  StepState own(engine, {.rows = 3, .capacity = 8, .vocab = 512, .seed = 77}, needs(none, STOP));
  admit(engine, none, STOP, own,
        {{.row = 0, .prompt = {}}, {.row = 1, .prompt = {}}, {.row = 2, .prompt = {}}});
  const auto apart = tokens_of(own);
  EXPECT_NE(apart[0], apart[1]);
  EXPECT_NE(apart[1], apart[2]);
}

TEST(BadInput, E31_EverySeedIsASeedAndPositionsReachTheEndOfTheirRange) {
  constexpr std::uint64_t LAST = std::numeric_limits<std::uint64_t>::max();
  host_engine engine;
  const auto none = chain();
  const std::vector<float> flat(1000, 0.0f);
  const std::int64_t negative = -1;
  const std::vector<RowStart> starts = {{.seed = 0},
                                        {.seed = LAST},
                                        {.seed = static_cast<std::uint64_t>(negative)},
                                        {.seed = std::uint64_t{1} << 63}};
  StepState state = state_of(engine, none, STOP, 1000, starts);
  std::vector<std::int32_t> tokens(4);
  for (std::uint64_t position = 0; position < 3; ++position) {
    step(engine, none, STOP, state, host_logits(flat.data(), 4, 1000, 0), {.tokens = tokens});
    for (std::size_t row = 0; row < 4; ++row) {
      EXPECT_EQ(tokens[row], drawn(flat, draw_number(starts[row].seed, position)));
    }
    EXPECT_EQ(tokens[1], tokens[2]);
  }
  EXPECT_NE(draw_number(LAST, LAST), draw_number(LAST, 0));
  EXPECT_NE(draw_number(0, LAST), draw_number(0, LAST - 1));
}

TEST(BadInput, E36_ABatchOfNoRowsIsNoFault) {
  host_engine engine;
  const auto sampler = chain(TopK{5});
  StepState state = state_of(engine, sampler, STOP, 10, {RowStart{.prompt = {1}}});
  const std::vector<unsigned char> before = bytes_of_row(state, 0);
  const float* const nowhere = nullptr;
  const host_logits none(nowhere, 0, 10);
  std::vector<std::int32_t> tokens;
  step(engine, sampler, STOP, state, none);
  step(engine, sampler, STOP, state, none, {.tokens = tokens});
  apply(engine, sampler, state, none, host_scores(static_cast<float*>(nullptr), 0, 10));
  draw(engine, state, none, tokens);
  commit(engine, sampler, STOP, state, tokens);
  admit(engine, sampler, STOP, state, host_span<const Request>());
  release(engine, state, host_span<const std::int32_t>());
  import_padded(engine, sampler, STOP, state, {.ids = tokens, .rows = 0, .width = 4});
  EXPECT_EQ(bytes_of_row(state, 0), before);
}

TEST(BadInput, E54_TwoVersionsInOneProgramHaveNamesOfTheirOwn) {
  for (const char* const name :
       {typeid(StepState).name(), typeid(host_engine).name(), typeid(chain(TopK{1})).name()}) {
    EXPECT_NE(std::string(name).find("2v0"), std::string::npos) << name;
  }
}

}  // namespace
