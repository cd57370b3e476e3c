// SPDX-License-Identifier: Apache-2.0
// The rows that are counted over, and what marks a step.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

namespace counts {

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

/// Device memory for the length of the program.
template <class T>
T* device_memory(std::size_t count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)));
  return static_cast<T*>(memory);
}

/// What `call` does is counted as one step; nothing else is.
template <class Call>
void mark(Call call) {
  check(cudaDeviceSynchronize());
  check(cudaProfilerStart());
  call();
  check(cudaProfilerStop());
  check(cudaDeviceSynchronize());
}

/// Says which case the step just marked was.
/// @param share elements of a row that one block reads at most; 0 where that is not known
inline void tell(const char* name, const char* type, const char* shape, std::int64_t items,
                 std::int64_t vocab, std::int64_t share) {
  std::printf(
      "{\"chain\":\"%s\",\"type\":\"%s\",\"shape\":\"%s\",\"items\":%lld,\"vocab\":%lld,\"share\":%"
      "lld}\n",
      name, type, shape, static_cast<long long>(items), static_cast<long long>(vocab),
      static_cast<long long>(share));
}

}  // namespace counts
