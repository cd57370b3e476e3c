// SPDX-License-Identifier: Apache-2.0
// Runs one chain on each shape of the table, a marked step each, and says which: what was counted
// between the marks is counts.py's to read.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include <logitchain/logitchain.cuh>

namespace counts {

using namespace logitchain;

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "counts: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

/// Logits as models give them: a bell, and a head that falls like a power. The same everywhere.
inline std::vector<float> typical_logits(std::int64_t rows, std::int64_t vocab) {
  std::mt19937 random(17);
  std::vector<float> logits(static_cast<std::size_t>(rows * vocab));
  for (std::size_t i = 0; i < logits.size(); ++i) {
    float bell = 0;
    for (int n = 0; n < 4; ++n) bell += static_cast<float>(random() % 4096) * 0x1p-12f - 0.5f;
    logits[i] = 3 * bell;
  }
  for (std::int64_t row = 0; row < rows; ++row) {
    for (int rank = 0; rank < 200; ++rank) {
      const std::size_t at =
          static_cast<std::size_t>(row * vocab) + random() % static_cast<std::uint64_t>(vocab);
      logits[at] = 14 - 1.5f * std::log(1.0f + static_cast<float>(rank));
    }
  }
  return logits;
}

template <class ChainType>
void run_case(const char* name, const ChainType& chain, DType type, std::int64_t items,
              std::int64_t vocab) {
  const cuda_engine engine;
  const auto stop = criterion(EndOfSequence{2}, MaxNewTokens{100});
  StepState state(engine, {.rows = items, .capacity = 1024, .vocab = vocab, .seed = 1},
                  needs(chain, stop));
  std::mt19937 random(3);
  std::vector<Request> requests;
  for (std::int64_t row = 0; row < items; ++row) {
    TokenIds prompt;
    for (int i = 0; i < 600; ++i) prompt.push_back(random() % static_cast<std::uint64_t>(vocab));
    requests.push_back({.row = row, .prompt = prompt});
  }
  admit(engine, chain, stop, state, host_span<const Request>(requests));
  const std::vector<float> logits = typical_logits(items, vocab);
  std::vector<std::uint16_t> narrow;
  for (const float logit : logits) narrow.push_back(to_bfloat16(logit).bits);
  const void* from = type == DType::f32 ? static_cast<const void*>(logits.data()) : narrow.data();
  const std::size_t bytes = logits.size() * static_cast<std::size_t>(size_of(type));
  void* memory = nullptr;
  StepResult* results = nullptr;
  check(cudaMalloc(&memory, bytes));
  check(cudaMalloc(&results, static_cast<std::size_t>(items) * sizeof(StepResult)));
  check(cudaMemcpy(memory, from, bytes, cudaMemcpyHostToDevice));
  check(cudaDeviceSynchronize());
  check(cudaProfilerStart());
  step(engine, chain, stop, state, device_logits(memory, type, items, vocab, vocab),
       {.results = device_span<StepResult>(results, items)});
  check(cudaProfilerStop());
  check(cudaDeviceSynchronize());
  std::printf("{\"chain\":\"%s\",\"type\":\"%s\",\"items\":%lld,\"vocab\":%lld}\n", name,
              name_of(type), static_cast<long long>(items), static_cast<long long>(vocab));
  check(cudaFree(memory));
  check(cudaFree(results));
}

template <class ChainType>
int run_all(const char* name, const ChainType& chain) {
  for (const DType type : {DType::f32, DType::bf16}) {
    for (const std::int64_t items : {1, 4}) run_case(name, chain, type, items, 151'936);
  }
  run_case(name, chain, DType::f32, 1, 32'000);
  return 0;
}

}  // namespace counts
