// SPDX-License-Identifier: Apache-2.0
// A step inside a kernel of one's own gives what a step of the engine gives.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/edge_chains.cuh"
#include "cuda/support/device_array.cuh"
#include "cuda/support/same_state.cuh"

namespace cuda_test {
namespace {

/// A block per row: logits are made, half of them where the row's scores lie, and stepped.
/// @param room `[rows, places]` of global memory for the scores; null: they are in shared memory
/// @param scores `[rows, vocab]` what `apply` leaves, looked at before the step
template <class ChainType, class StopType>
__global__ void __launch_bounds__(512, 1)
    own_kernel(const __grid_constant__ ChainType chain, const __grid_constant__ StopType stop,
               StateView state, const float* logits, float* room, float* scores,
               StepResult* results) {
  extern __shared__ __align__(16) unsigned char own_memory[];
  using Step = BlockStep<ChainType, StopType>;
  auto& storage = *reinterpret_cast<typename Step::TempStorage*>(own_memory);
  const Step step(storage);
  const std::int64_t row = blockIdx.x;
  float* const own = room ? room + row * Step::places(state.vocab)
                          : reinterpret_cast<float*>(own_memory + sizeof(storage));
  const auto fill = [&] {
    for (int token = static_cast<int>(threadIdx.x); token < state.vocab; token += 512) {
      own[token] = logits[row * state.vocab + token];
    }
  };
  fill();
  const Status status = step.apply(chain, state, row, own);
  for (int token = static_cast<int>(threadIdx.x); token < state.vocab; token += 512) {
    scores[row * state.vocab + token] = status == Status::ok ? own[token] : -1.0f;
  }
  __syncthreads();
  fill();
  const StepResult result = step.step(chain, stop, state, row, own);
  // Every thread has it: the last one writes.
  if (threadIdx.x == 511) results[row] = result;
  // A row that is none of the state's is left alone.
  const StepResult none = step.step(chain, stop, state, state.rows, own);
  if (threadIdx.x == 0 && none.status != Status::released) results[row].token = -7;
}

TEST(BlockStep, GivesWhatAStepGives) {
  constexpr std::int64_t ROWS = 6;
  for (const std::int64_t vocab : {std::int64_t{30}, std::int64_t{4'500}}) {
    const Tables tables(vocab);
    const Ids some = {0, -1, 0, 0, -1, 0};
    const std::vector<std::int32_t> ks = {3, 0, 40, 1'000'000, 0, 1};
    const std::vector<float> ps = {0.9f,  0.5f, 1.0f,
                                   0.99f, 2.0f, 1.0f};  // the last is no probability
    const Bounded own = chain(SuppressTokens{{3}}, tables.biased_by(some), RepetitionPenalty{1.2},
                              Temperature{0.8}, TopK{per_row(ks)}, TopP{per_row(ps)}, MinP{0.001});
    const Rules rules = criterion(EndOfSequence{{7}}, MaxNewTokens{5}, tables.stopped_by(some));
    const Shape shape{.rows = ROWS, .capacity = 40, .vocab = vocab, .seed = 11};
    BothEngines both(shape, own, rules);
    BothEngines alone(shape, own, rules);
    std::vector<Request> requests;
    for (std::int64_t row = 0; row < ROWS; ++row) {
      requests.push_back({.row = row, .prompt = {1, row, 5}, .budget = 8});
    }
    both.admit(requests);
    alone.admit(requests);
    using Step = BlockStep<Bounded, Rules>;
    Step::check(alone.device(), alone.device_state(), alone.device_chain(), alone.device_stop());
    const StepState bare(alone.device(), shape,
                         needs(chain(Greedy{}), criterion(EndOfSequence{7})));
    EXPECT_THROW(Step::check(alone.device(), bare, alone.device_chain(), alone.device_stop()),
                 invalid_argument);
    DeviceArray<float> room(
        std::vector<float>(static_cast<std::size_t>(ROWS * Step::places(vocab)), 1.0f));
    DeviceArray<float> scores(static_cast<std::size_t>(ROWS * vocab));
    DeviceArray<StepResult> results{static_cast<std::size_t>(ROWS)};
    const auto kernel = own_kernel<Bounded, Rules>;
    const auto bytes = static_cast<int>(Step::shared_bytes(vocab));
    ASSERT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
              cudaSuccess);
    std::mt19937 random(5);
    for (int step = 0; step < 8; ++step) {
      std::vector<float> logits;
      LogitsMemory memory(DType::f32, ROWS, vocab, vocab);
      for (std::int64_t row = 0; row < ROWS; ++row) {
        const std::vector<float> of_row = random_row(random, vocab);
        memory.set_row(row, of_row);
        logits.insert(logits.end(), of_row.begin(), of_row.end());
      }
      // Fewer than all survive: the row's own distribution is gone in the second step.
      if (step == 1) {
        for (std::int64_t i = 0; i < vocab; ++i) logits[static_cast<std::size_t>(i)] = FILTER;
        memory.set_row(0, std::vector<float>(static_cast<std::size_t>(vocab), FILTER));
      }
      ASSERT_EQ(both.step(memory.view()), "") << "step " << step;
      const DeviceArray<float> given(logits);
      // In every third step the blocks, which have nothing to do with each other, are clusters.
      cudaLaunchAttribute cluster{};
      cluster.id = cudaLaunchAttributeClusterDimension;
      cluster.val.clusterDim.x = step % 3 == 2 ? 2 : 1;
      cluster.val.clusterDim.y = 1;
      cluster.val.clusterDim.z = 1;
      cudaLaunchConfig_t config{};
      config.gridDim = dim3(ROWS);
      config.blockDim = dim3(512);
      config.dynamicSmemBytes = static_cast<std::size_t>(bytes);
      config.attrs = &cluster;
      config.numAttrs = alone.device().limits().has_clusters() ? 1 : 0;
      ASSERT_EQ(
          cudaLaunchKernelEx(&config, kernel, alone.device_chain(), alone.device_stop(),
                             alone.device_state().view(), static_cast<const float*>(given.data()),
                             step % 2 == 0 ? nullptr : room.data(), scores.data(), results.data()),
          cudaSuccess);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      EXPECT_EQ(first_difference("result", both.results(), results.read(), text_of_result), "")
          << "step " << step << ", vocab " << vocab;
      EXPECT_EQ(difference_of_states(both.host_state(), alone.device_state()), "")
          << "step " << step;
      const std::vector<float> found = scores.read();
      for (std::int64_t row = 0; row < ROWS; ++row) {
        if (both.results()[static_cast<std::size_t>(row)].token < 0) continue;
        for (std::int64_t i = row * vocab; i < (row + 1) * vocab; ++i) {
          const auto at = static_cast<std::size_t>(i);
          ASSERT_EQ(bits_of(both.scores()[at]), bits_of(found[at]))
              << "step " << step << ", row " << row << ", token " << i - row * vocab;
        }
      }
    }
    EXPECT_EQ(both.results()[0].status, Status::undefined_distribution);
    EXPECT_EQ(both.results()[4].status, Status::invalid_parameter);
    EXPECT_EQ(both.look_at_ends(), "");
  }
}

}  // namespace
}  // namespace cuda_test
