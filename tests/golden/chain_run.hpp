// SPDX-License-Identifier: Apache-2.0
// Runs a chain on a case through the library's public calls; what a generated source includes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <logitchain/logitchain.hpp>

#include "chain_registry.hpp"
#include "parameters.hpp"

namespace golden {

inline logitchain::DType type_of(Element element) {
  switch (element) {
    case Element::f16:
      return logitchain::DType::f16;
    case Element::bf16:
      return logitchain::DType::bf16;
    case Element::f32:
      break;
  }
  return logitchain::DType::f32;
}

/// `apply`, and with a seed `draw` and the fused `step` as well, on a state made for this run.
template <class Chain>
Outcome run(const Job& job, const Chain& chain) {
  namespace lc = logitchain;
  // Room behind the history: one token is committed, and a budget that is spent would end the row.
  const auto history = static_cast<std::int64_t>(job.prompt->size() + job.generated->size());
  lc::host_engine engine({.threads = 1});
  const auto stop = lc::criterion();
  lc::StepState state(engine, {.rows = job.rows, .capacity = history + 64, .vocab = job.vocab},
                      lc::needs(chain, stop));
  std::vector<lc::Request> requests;
  for (std::int64_t row = 0; row < job.rows; ++row) {
    requests.push_back({.row = row,
                        .prompt = *job.prompt,
                        .generated = *job.generated,
                        .seed = job.seed.value_or(0)});
  }
  lc::admit(engine, chain, stop, state, requests);

  Outcome outcome;
  outcome.scores.resize(static_cast<std::size_t>(job.rows * job.vocab));
  const lc::host_logits logits(job.logits, type_of(job.element), job.rows, job.vocab, job.vocab);
  const lc::host_scores scores(outcome.scores.data(), job.rows, job.vocab);
  lc::apply(engine, chain, state, logits, scores);
  if (!job.seed) return outcome;

  Drawn& drawn = outcome.drawn.emplace();
  drawn.position = state.position(0);
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(job.rows), -1);
  lc::draw(engine, state, scores, tokens);
  drawn.by_parts = tokens[0];
  std::vector<lc::StepResult> results(static_cast<std::size_t>(job.rows));
  lc::step(engine, chain, stop, state, logits, {.tokens = tokens, .results = results});
  drawn.token = tokens[0];
  drawn.status = lc::name_of(results[0].status);
  return outcome;
}

}  // namespace golden
