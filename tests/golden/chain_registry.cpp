// SPDX-License-Identifier: Apache-2.0
#include "chain_registry.hpp"

#include <map>

#include <logitchain/logitchain.hpp>

namespace golden {
namespace {

namespace lc = logitchain;

std::map<std::string, Run>& registry() {
  static std::map<std::string, Run> chains;
  return chains;
}

}  // namespace

Registered::Registered(const char* sequence, Run run) { registry()[sequence] = run; }

Run find_chain(const std::string& sequence) {
  const auto found = registry().find(sequence);
  return found == registry().end() ? nullptr : found->second;
}

std::size_t chain_count() { return registry().size(); }

std::int32_t draw_from(const std::vector<float>& scores, std::int64_t vocab, std::uint64_t seed) {
  lc::host_engine engine({.threads = 1});
  const auto chain = lc::chain();
  const auto stop = lc::criterion();
  lc::StepState state(engine, {.rows = 1, .capacity = 2, .vocab = vocab}, lc::needs(chain, stop));
  std::vector<lc::Request> requests{{.row = 0, .prompt = {0}, .seed = seed}};
  lc::admit(engine, chain, stop, state, requests);
  std::vector<std::int32_t> tokens(1, -1);
  lc::draw(engine, state, lc::host_logits(scores.data(), 1, vocab), tokens);
  return tokens[0];
}

}  // namespace golden
