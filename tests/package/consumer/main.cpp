// SPDX-License-Identifier: Apache-2.0
// A program that uses the library: two steps of one row, ended by a stop string over two tokens.
#include <logitchain/logitchain.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "stops.hpp"

namespace lc = logitchain;

int main() {
  const lc::StopTable table = stops_of_consumer();
  const auto chain = lc::chain(lc::RepetitionPenalty{1.5}, lc::Temperature{0.5}, lc::TopK{3});
  const auto stop = lc::criterion(lc::StopStrings{{table.view()}}, lc::MaxNewTokens{9});
  lc::host_engine engine({.threads = 2});
  lc::StepState state(engine, {.rows = 1, .capacity = 16, .vocab = 5}, lc::needs(chain, stop));
  lc::admit(engine, chain, stop, state, {{.row = 0, .prompt = {0, 1}, .seed = 7}});

  // By a wide margin "c!" and then "?": whatever is drawn with any seed.
  const std::vector<std::vector<float>> logits{{0, 0, 0, 0, 90}, {0, 0, 0, 90, 0}};
  const std::vector<int> expected{4, 3};
  std::vector<lc::StepResult> results(1);
  for (std::size_t step = 0; step < logits.size(); ++step) {
    lc::step(engine, chain, stop, state, lc::host_logits(logits[step].data(), 1, 5),
             {.results = results});
    std::printf("token %d, %s\n", results[0].token, lc::name_of(results[0].status));
    if (results[0].token != expected[step]) return 1;
  }
  if (results[0].status != lc::Status::finished || results[0].criterion != 0) return 2;
  if (state.finish(0).begin != 1) return 3;  // "c!?": behind the c

  // One draw among near equals: the same number with every compiler and in every package.
  const auto free_chain = lc::chain(lc::Temperature{0.7}, lc::TopP{0.9});
  const auto never = lc::criterion(lc::MaxNewTokens{0});
  lc::StepState drawn(engine, {.rows = 1, .capacity = 16, .vocab = 5},
                      lc::needs(free_chain, never));
  lc::admit(engine, free_chain, never, drawn, {{.row = 0, .prompt = {0}, .seed = 42}});
  const std::vector<float> near{1.0f, 1.1f, 0.9f, 1.05f, 0.95f};
  std::printf("draws");
  for (int step = 0; step < 8; ++step) {
    lc::step(engine, free_chain, never, drawn, lc::host_logits(near.data(), 1, 5),
             {.results = results});
    std::printf(" %d", results[0].token);
  }
  std::printf("\n%s\n", lc::fingerprint(chain, stop).c_str());
}
