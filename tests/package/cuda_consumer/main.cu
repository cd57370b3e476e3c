// SPDX-License-Identifier: Apache-2.0
// A program with device code that uses the library: eight draws of one row among near equals, which
// are those of the host engine, in every other package as well.
#include <logitchain/logitchain.cuh>

#include <cstdio>
#include <vector>

#include "elsewhere.cuh"

namespace lc = logitchain;

int main() {
  const DrawChain chain = lc::chain(lc::Temperature{0.7}, lc::TopP{0.9});
  const DrawStop stop = lc::criterion(lc::MaxNewTokens{0});
  const lc::cuda_engine engine;
  lc::StepState state(engine, {.rows = 1, .capacity = 16, .vocab = 5}, lc::needs(chain, stop));
  lc::admit(engine, chain, stop, state, {{.row = 0, .prompt = {0}, .seed = 42}});

  const std::vector<float> near{1.0f, 1.1f, 0.9f, 1.05f, 0.95f};
  float* logits = nullptr;
  std::int32_t* token = nullptr;
  if (cudaMalloc(&logits, near.size() * sizeof(float)) != cudaSuccess ||
      cudaMalloc(&token, sizeof(std::int32_t)) != cudaSuccess ||
      cudaMemcpy(logits, near.data(), near.size() * sizeof(float), cudaMemcpyHostToDevice) !=
          cudaSuccess) {
    std::puts("no device memory");
    return 2;
  }
  const lc::device_logits rows(logits, 1, 5);
  const lc::device_span<std::int32_t> tokens(token, 1);

  const std::vector<std::int32_t> expected{2, 1, 3, 3, 4, 1, 3, 1};
  bool equal = true;
  std::printf("draws");
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (i % 2 == 0) {
      lc::step(engine, chain, stop, state, rows, {.tokens = tokens});
    } else {
      step_elsewhere(engine, chain, stop, state, rows, tokens);
    }
    std::int32_t drawn = -1;
    if (cudaMemcpy(&drawn, token, sizeof drawn, cudaMemcpyDeviceToHost) != cudaSuccess) return 3;
    std::printf(" %d", drawn);
    equal = equal && drawn == expected[i];
  }
  lc::check(engine, state);
  std::puts(equal ? "" : ", and others were to be");
  (void)cudaFree(logits);
  (void)cudaFree(token);
  return equal ? 0 : 1;
}
