// SPDX-License-Identifier: Apache-2.0
// One version of the library at work, as a function named REPORT.
#include <logitchain/logitchain.hpp>

#include <string>
#include <vector>

namespace lc = logitchain;

std::string REPORT();

std::string REPORT() {
  const auto chain = lc::chain(lc::Temperature{0.7}, lc::TopP{0.9});
  const auto stop = lc::criterion(lc::MaxNewTokens{0});
  lc::host_engine engine;
  lc::StepState state(engine, {.rows = 1, .capacity = 8, .vocab = 3}, lc::needs(chain, stop));
  lc::admit(engine, chain, stop, state, {{.row = 0, .prompt = {0}, .seed = 42}});
  const std::vector<float> logits{1.0f, 1.1f, 0.9f};
  std::vector<lc::StepResult> results(1);
  const std::string fingerprint = lc::fingerprint(chain, stop);
  std::string text = fingerprint.substr(0, fingerprint.find(',')) + ", draws";
  for (int step = 0; step < 4; ++step) {
    lc::step(engine, chain, stop, state, lc::host_logits(logits.data(), 1, 3),
             {.results = results});
    text += ' ' + std::to_string(results[0].token);
  }
  return text;
}
