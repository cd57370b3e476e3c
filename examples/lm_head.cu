// SPDX-License-Identifier: Apache-2.0
// A language model's last layer and its sampler in one kernel: each block computes the logits of
// its row in shared memory, and `BlockStep` makes a token of them. They never go to global memory,
// and the block goes on with the next token without returning to the host.
//
// The model is a toy (the hidden state is the newest token's embedding), the weights are made up.
// The same rows are then decoded by a kernel that writes logits and `step`: the tokens are equal.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <type_traits>
#include <vector>

#include <logitchain/logitchain.cuh>

namespace lc = logitchain;

namespace {

constexpr int ROWS = 4;
constexpr int VOCAB = 2'000;
constexpr int HIDDEN = 32;
constexpr int TOKENS = 12;

const auto sampler =
    lc::chain(lc::RepetitionPenalty{1.3}, lc::Temperature{0.8}, lc::TopK{40}, lc::TopP{0.95});
const auto rules = lc::criterion(lc::EndOfSequence{{0}}, lc::MaxNewTokens{TOKENS});
using Sampler = std::remove_const_t<decltype(sampler)>;
using Rules = std::remove_const_t<decltype(rules)>;
using Step = lc::BlockStep<Sampler, Rules>;

/// Both kernels round alike: the products are added in one order, each with one rounding.
__device__ float logit_of(const float* weights, const float* embeddings, int last, int token) {
  float sum = 0;
  for (int i = 0; i < HIDDEN; ++i) {
    sum = __fmaf_rn(weights[token * HIDDEN + i], embeddings[last * HIDDEN + i], sum);
  }
  return sum;
}

/// Decodes a row per block until it ends. @param tokens [ROWS, TOKENS], -1 behind a row's end
__global__ void __launch_bounds__(512, 1)
    decode(const __grid_constant__ Sampler chain, const __grid_constant__ Rules stop,
           lc::StateView state, const float* weights, const float* embeddings, const int* prompt,
           int* tokens) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto& storage = *reinterpret_cast<Step::TempStorage*>(memory);
  auto* const scores = reinterpret_cast<float*>(memory + sizeof(storage));
  const int row = static_cast<int>(blockIdx.x);
  int last = prompt[row];
  for (int i = 0; i < TOKENS; ++i) {
    for (int token = static_cast<int>(threadIdx.x); token < VOCAB;
         token += static_cast<int>(blockDim.x)) {
      scores[token] = logit_of(weights, embeddings, last, token);
    }
    const lc::StepResult result = Step(storage).step(chain, stop, state, row, scores);
    if (threadIdx.x == 0) tokens[row * TOKENS + i] = result.token;
    if (result.token >= 0) last = result.token;
  }
}

/// The same logits, written to memory. @param newest the row's newest token, -1 where it has ended
__global__ void write_logits(const float* weights, const float* embeddings, const int* newest,
                             float* logits) {
  const int row = static_cast<int>(blockIdx.y);
  const int token = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (token >= VOCAB || newest[row] < 0) return;
  logits[row * VOCAB + token] = logit_of(weights, embeddings, newest[row], token);
}

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "lm_head: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

template <class T>
T* on_device(const std::vector<T>& values) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, values.size() * sizeof(T)));
  check(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return static_cast<T*>(memory);
}

/// A state whose rows begin with one token each.
lc::StepState begin(const lc::cuda_engine& engine, const std::vector<int>& prompt) {
  lc::StepState state(engine, {.rows = ROWS, .capacity = 64, .vocab = VOCAB, .seed = 7},
                      lc::needs(sampler, rules));
  std::vector<lc::Request> requests;
  for (int row = 0; row < ROWS; ++row) {
    requests.push_back({.row = row, .prompt = {prompt[static_cast<std::size_t>(row)]}});
  }
  lc::admit(engine, sampler, rules, state, lc::host_span<const lc::Request>(requests));
  return state;
}

}  // namespace

int main() {
  const lc::cuda_engine engine(nullptr);
  std::mt19937 random(5);
  std::normal_distribution<float> bell;
  std::vector<float> weights(VOCAB * HIDDEN);
  std::vector<float> embeddings(VOCAB * HIDDEN);
  for (float& weight : weights) weight = bell(random);
  for (float& weight : embeddings) weight = 0.5f * bell(random);
  const std::vector<int> prompt = {11, 500, 1'234, 42};
  const float* const w = on_device(weights);
  const float* const e = on_device(embeddings);
  int* const newest = on_device(prompt);

  int* const fused = on_device(std::vector<int>(ROWS * TOKENS, -1));
  const lc::StepState state = begin(engine, prompt);
  Step::check(engine, state, sampler, rules);
  const std::size_t bytes = Step::shared_bytes(VOCAB);
  check(cudaFuncSetAttribute(decode, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)));
  decode<<<ROWS, 512, bytes>>>(sampler, rules, state.view(), w, e, newest, fused);
  check(cudaGetLastError());
  std::vector<int> tokens(ROWS * TOKENS);
  check(cudaMemcpy(tokens.data(), fused, tokens.size() * sizeof(int), cudaMemcpyDeviceToHost));

  lc::StepState other = begin(engine, prompt);
  float* const logits = on_device(std::vector<float>(ROWS * VOCAB, 0.0f));
  int different = 0;
  for (int i = 0; i < TOKENS; ++i) {
    write_logits<<<dim3((VOCAB + 255) / 256, ROWS), 256>>>(w, e, newest, logits);
    lc::step(engine, sampler, rules, other,
             lc::device_logits(logits, lc::DType::f32, ROWS, VOCAB, VOCAB),
             {.tokens = lc::device_span<int>(newest, ROWS)});
    std::vector<int> drawn(ROWS);
    check(cudaMemcpy(drawn.data(), newest, ROWS * sizeof(int), cudaMemcpyDeviceToHost));
    for (std::size_t row = 0; row < ROWS; ++row) {
      different += drawn[row] != tokens[row * TOKENS + static_cast<std::size_t>(i)] ? 1 : 0;
    }
  }
  for (std::size_t row = 0; row < ROWS; ++row) {
    std::printf("row %zu:", row);
    for (std::size_t i = 0; i < TOKENS; ++i) std::printf(" %d", tokens[row * TOKENS + i]);
    std::printf("\n");
  }
  std::printf("%d tokens, %d of them other than by a kernel that writes logits\n", ROWS * TOKENS,
              different);
  return different == 0 ? 0 : 1;
}
