// SPDX-License-Identifier: Apache-2.0
// Runs a chain on a case through the CUDA engine: what a generated source includes where the engine
// is `cuda`, in place of the file of this name for the host.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Parameters are shown to a visitor that only the host has.
#pragma nv_diag_suppress 20014
#include <logitchain/logitchain.cuh>

#include "chain_registry.hpp"
#include "cuda/support/device_array.cuh"
#include "cuda/support/on_device.cuh"
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

/// The chain with its lists and tables in device memory.
template <class... Stages, int... I>
auto on_device(const logitchain::Chain<Stages...>& chain, logitchain_test::DeviceMemory& memory,
               std::integer_sequence<int, I...>) {
  return logitchain::chain(logitchain_test::on_device(chain.template stage<I>(), memory)...);
}

/// `apply`, and with a seed `draw` and the fused `step` as well, on a state made for this run.
template <class... Stages>
Outcome run(const Job& job, const logitchain::Chain<Stages...>& on_host) {
  namespace lc = logitchain;
  using logitchain_test::DeviceArray;
  const lc::cuda_engine engine;
  logitchain_test::DeviceMemory memory(engine);
  const auto chain = on_device(
      on_host, memory, std::make_integer_sequence<int, static_cast<int>(sizeof...(Stages))>{});
  const auto stop = lc::criterion();
  const auto history = static_cast<std::int64_t>(job.prompt->size() + job.generated->size());
  lc::StepState state(engine, {.rows = job.rows, .capacity = history + 64, .vocab = job.vocab},
                      lc::needs(chain, stop));
  std::vector<lc::Request> requests;
  for (std::int64_t row = 0; row < job.rows; ++row) {
    requests.push_back({.row = row,
                        .prompt = *job.prompt,
                        .generated = *job.generated,
                        .seed = job.seed.value_or(0)});
  }
  lc::admit(engine, chain, stop, state, lc::host_span<const lc::Request>(requests));

  const auto rows = static_cast<std::size_t>(job.rows);
  const auto count = rows * static_cast<std::size_t>(job.vocab);
  const lc::DType type = type_of(job.element);
  const auto* const bytes = static_cast<const unsigned char*>(job.logits);
  const DeviceArray<unsigned char> given(std::vector<unsigned char>(
      bytes, bytes + count * static_cast<std::size_t>(lc::size_of(type))));
  const lc::device_logits logits(given.data(), type, job.rows, job.vocab, job.vocab);
  const DeviceArray<float> scores(std::vector<float>(count, 0.0f));
  const lc::device_scores written(scores.data(), job.rows, job.vocab);
  lc::apply(engine, chain, state, logits, written);
  Outcome outcome;
  outcome.scores = scores.read();
  if (!job.seed) return outcome;

  Drawn& drawn = outcome.drawn.emplace();
  drawn.position = lc::read_records(engine, state)[0].generated;
  const DeviceArray<std::int32_t> tokens(std::vector<std::int32_t>(rows, -1));
  lc::draw(engine, state, written, tokens.span());
  drawn.by_parts = tokens.read()[0];
  const DeviceArray<lc::StepResult> results(std::vector<lc::StepResult>{rows});
  lc::step(engine, chain, stop, state, logits,
           {.tokens = tokens.span(), .results = results.span()});
  drawn.token = tokens.read()[0];
  drawn.status = lc::name_of(results.read()[0].status);
  return outcome;
}

}  // namespace golden
