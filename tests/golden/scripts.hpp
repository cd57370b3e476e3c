// SPDX-License-Identifier: Apache-2.0
// Forced scripts of tokens, committed through the library under a criterion.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <logitchain/logitchain.hpp>

#include "script.hpp"

namespace golden {

inline Ending ending_of(const logitchain::StepState& state, std::int64_t row) {
  return {!state.active(row), state.finish(row)};
}

/// Asks about every token as if it were the newest and nothing had stopped before: row i is
/// admitted with the tokens before i (those behind the prompt as generated ones), then token i is
/// committed.
template <class Stop>
std::vector<Ending> ask_each(const Script& script, const Stop& stop) {
  namespace lc = logitchain;
  lc::host_engine engine({.threads = 1});
  const auto chain = lc::chain();
  const std::int64_t size = script.size();
  lc::StepState state(engine, {.rows = size, .capacity = size + 2, .vocab = script.vocab},
                      lc::needs(chain, stop));
  std::vector<lc::Request> requests;
  for (std::int64_t i = 0; i < size; ++i) {
    const std::int64_t split = std::min(i, script.prompt);
    requests.push_back(
        {.row = i, .prompt = script.part(0, split), .generated = script.part(split, i), .seed = 0});
  }
  lc::admit(engine, chain, stop, state, requests);
  lc::commit(engine, chain, stop, state, script.tokens);
  std::vector<Ending> endings;
  for (std::int64_t i = 0; i < size; ++i) endings.push_back(ending_of(state, i));
  return endings;
}

/// Commits what follows the prompt, `each` tokens at a time, until the row ends.
template <class Stop>
Course run_script(const Script& script, const Stop& stop, std::int64_t each) {
  namespace lc = logitchain;
  lc::host_engine engine({.threads = 1});
  const auto chain = lc::chain();
  lc::StepState state(engine, {.rows = 1, .capacity = script.size() + 2, .vocab = script.vocab},
                      lc::needs(chain, stop));
  std::vector<lc::Request> requests{{.row = 0, .prompt = script.part(0, script.prompt), .seed = 0}};
  lc::admit(engine, chain, stop, state, requests);
  for (std::int64_t at = script.prompt; at < script.size() && state.active(0); at += each) {
    std::vector<std::int32_t> tokens(script.tokens.begin() + at,
                                     script.tokens.begin() + std::min(at + each, script.size()));
    const std::vector<std::int32_t> counts{static_cast<std::int32_t>(tokens.size())};
    lc::commit(engine, chain, stop, state, tokens, counts);
  }
  return {state.position(0), ending_of(state, 0)};
}

}  // namespace golden
