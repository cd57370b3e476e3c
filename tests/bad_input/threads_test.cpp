// SPDX-License-Identifier: Apache-2.0
// Eight threads that build tables and decode at once, each with an engine and states of its own;
// tables are shared. Built a second time under the thread sanitizer.
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

namespace {

using namespace logitchain;

const std::vector<std::string> PIECES = {"a", "b", "ab", "ba", "", "c", "cc", "abc"};

/// What a thread of its own decodes; the tables were built by whichever thread.
std::vector<std::int32_t> decoded(const BiasTable& bias, const StopTable& stops,
                                  std::uint64_t seed) {
  host_engine engine({.threads = 2});
  const auto sampler = chain(RepetitionPenalty{1.2}, SequenceBias{bias}, NoRepeatNGram{4},
                             Temperature{0.9}, TopK{6});
  const auto stop = criterion(StopStrings{stops}, MaxNewTokens{20});
  StepState state(engine, {.rows = 3, .capacity = 32, .vocab = 8, .seed = seed},
                  needs(sampler, stop));
  std::vector<std::int32_t> all;
  std::vector<std::int32_t> tokens(3);
  admit(engine, sampler, stop, state,
        {{.row = 0, .prompt = {1}}, {.row = 1, .prompt = {2, 3}}, {.row = 2, .prompt = {}}});
  const std::vector<float> logits = {1, 2, 1, 0.5f, 0, 1.5f, 1, 1};
  for (int i = 0; i < 12; ++i) {
    step(engine, sampler, stop, state, host_logits(logits.data(), 3, 8, 0), {.tokens = tokens});
    all.insert(all.end(), tokens.begin(), tokens.end());
  }
  return all;
}

TEST(BadInput, E52_EightThreadsShareTablesAndNothingElse) {
  const BiasTable bias = sequence_bias({{{0, 1}, -2.0}, {{5}, 1.0}, {{6, 6}, -9.0}}, 8);
  const StopTable stops = stop_strings(PIECES, {"abcab", "ccc"});
  std::vector<std::vector<std::int32_t>> expected;
  for (std::uint64_t seed = 0; seed < 8; ++seed) expected.push_back(decoded(bias, stops, seed));
  std::vector<std::vector<std::int32_t>> found(8);
  std::vector<std::uint32_t> tags(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      const StopTable own = stop_strings(PIECES, {"abcab", "ccc"});
      tags[i] = own.tag();
      const BiasTable shared = bias;
      found[i] = decoded(shared, i % 2 == 0 ? own : stops, i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found, expected);
  EXPECT_EQ(tags, std::vector<std::uint32_t>(8, stops.tag()));
}

}  // namespace
