// SPDX-License-Identifier: Apache-2.0
// Forced scripts of tokens, committed through the CUDA engine under a criterion: what stands in for
// the file of this name where the engine is `cuda`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#pragma nv_diag_suppress 20014
#include <logitchain/logitchain.cuh>

#include "cuda/support/device_array.cuh"
#include "cuda/support/on_device.cuh"
#include "script.hpp"

namespace golden {

/// The criterion with its lists and tables in device memory.
template <class... Rules, int... I>
auto on_device(const logitchain::Criterion<Rules...>& stop, logitchain_test::DeviceMemory& memory,
               std::integer_sequence<int, I...>) {
  return logitchain::criterion(logitchain_test::on_device(stop.template stage<I>(), memory)...);
}
template <class... Rules>
auto on_device(const logitchain::Criterion<Rules...>& stop, logitchain_test::DeviceMemory& memory) {
  return on_device(stop, memory,
                   std::make_integer_sequence<int, static_cast<int>(sizeof...(Rules))>{});
}

inline Ending ending_of(const logitchain::RowRecord& record) {
  return {record.active == 0, {record.finish_criterion, record.finish_entry, record.finish_begin}};
}

/// See the host's file.
template <class Stop>
std::vector<Ending> ask_each(const Script& script, const Stop& on_host) {
  namespace lc = logitchain;
  const lc::cuda_engine engine;
  logitchain_test::DeviceMemory memory(engine);
  const auto stop = on_device(on_host, memory);
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
  lc::admit(engine, chain, stop, state, lc::host_span<const lc::Request>(requests));
  const logitchain_test::DeviceArray<std::int32_t> tokens(script.tokens);
  lc::commit(engine, chain, stop, state, tokens.span());
  std::vector<Ending> endings;
  for (const lc::RowRecord& record : lc::read_records(engine, state)) {
    endings.push_back(ending_of(record));
  }
  return endings;
}

/// See the host's file.
template <class Stop>
Course run_script(const Script& script, const Stop& on_host, std::int64_t each) {
  namespace lc = logitchain;
  using logitchain_test::DeviceArray;
  const lc::cuda_engine engine;
  logitchain_test::DeviceMemory memory(engine);
  const auto stop = on_device(on_host, memory);
  const auto chain = lc::chain();
  lc::StepState state(engine, {.rows = 1, .capacity = script.size() + 2, .vocab = script.vocab},
                      lc::needs(chain, stop));
  std::vector<lc::Request> requests{{.row = 0, .prompt = script.part(0, script.prompt), .seed = 0}};
  lc::admit(engine, chain, stop, state, lc::host_span<const lc::Request>(requests));
  lc::RowRecord record = lc::read_records(engine, state)[0];
  for (std::int64_t at = script.prompt; at < script.size() && record.active; at += each) {
    const DeviceArray<std::int32_t> tokens(std::vector<std::int32_t>(
        script.tokens.begin() + at, script.tokens.begin() + std::min(at + each, script.size())));
    const DeviceArray<std::int32_t> counts(
        std::vector<std::int32_t>{static_cast<std::int32_t>(tokens.size())});
    lc::commit(engine, chain, stop, state, tokens.span(), {.counts = counts.view()});
    record = lc::read_records(engine, state)[0];
  }
  return {record.generated, ending_of(record)};
}

}  // namespace golden
