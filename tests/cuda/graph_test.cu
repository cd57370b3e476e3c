// SPDX-License-Identifier: Apache-2.0
// Captured steps, whole and in parts, replayed: parameters, items and rows are read anew, and the
// draws are those of eager steps.
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.cuh>

#include "cuda/support/device_array.cuh"
#include "cuda/support/same_state.cuh"

namespace {

using namespace logitchain;
using logitchain_test::cuda_check;
using logitchain_test::DeviceArray;
using logitchain_test::difference_of_states;

constexpr std::int64_t VOCAB = 3000;
constexpr std::int64_t ROWS = 4;

/// A stream and the graph of some calls on it.
struct Replay {
  cudaStream_t stream = nullptr;
  cudaGraphExec_t graph = nullptr;

  Replay() { cuda_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  ~Replay() {
    if (graph != nullptr) (void)cudaGraphExecDestroy(graph);
    (void)cudaStreamDestroy(stream);
  }
  /// @param kernels that the calls are
  template <class Call>
  void capture(std::size_t kernels, Call call) {
    cudaGraph_t captured = nullptr;
    cuda_check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    call();
    cuda_check(cudaStreamEndCapture(stream, &captured));
    std::size_t nodes = 0;
    cuda_check(cudaGraphGetNodes(captured, nullptr, &nodes));
    EXPECT_EQ(nodes, kernels) << "a call is one kernel and nothing else";
    cuda_check(cudaGraphInstantiate(&graph, captured, 0));
    cuda_check(cudaGraphDestroy(captured));
  }
  void run() const { cuda_check(cudaGraphLaunch(graph, stream)); }
  void wait() const { cuda_check(cudaStreamSynchronize(stream)); }
};

TEST(Graph, ReplaysReadRowsItemsAndParametersAnew) {
  Replay replay;
  const cuda_engine device(replay.stream);
  host_engine host;
  std::vector<float> temperatures = {0.7f, 1.0f, 1.3f, 0.0f};
  std::vector<std::int32_t> ks = {20, 0, 5, 50};
  std::vector<std::int32_t> rows = {0, 1, -1, 3};
  DeviceArray<float> device_temperatures(temperatures);
  DeviceArray<std::int32_t> device_ks(ks);
  DeviceArray<std::int32_t> device_rows(rows);
  const auto host_chain = chain(RepetitionPenalty{1.2}, Temperature{per_row(temperatures)},
                                TopK{per_row(ks)}, TopP{0.9});
  const auto device_chain =
      chain(RepetitionPenalty{1.2}, Temperature{per_row(device_temperatures.view())},
            TopK{per_row(device_ks.view())}, TopP{0.9});
  const auto stop = criterion(EndOfSequence{2}, MaxNewTokens{9});
  const Shape shape{.rows = ROWS, .capacity = 64, .vocab = VOCAB, .seed = 11};
  StepState on_host(host, shape, needs(host_chain, stop));
  StepState on_device(device, shape, needs(device_chain, stop));
  const std::vector<Request> first = {{.row = 0, .prompt = {1, 2, 3}}, {.row = 1, .prompt = {7}}};
  admit(host, host_chain, stop, on_host, first);
  admit(device, device_chain, stop, on_device, first);

  std::mt19937 random(5);
  std::vector<float> logits(ROWS * VOCAB);
  DeviceArray<float> device_logits_of(logits);
  const DeviceArray<std::int32_t> tokens(static_cast<std::size_t>(ROWS));
  replay.capture(1, [&] {
    step(device, device_chain, stop, on_device, device_logits(device_logits_of.data(), ROWS, VOCAB),
         {.tokens = tokens.span(), .items = {.state_row = device_rows.view()}});
  });

  std::vector<std::int32_t> drawn_before;
  for (int number = 0; number < 12; ++number) {
    if (number % 3 == 0) {  // the same logits for three steps: draws differ all the same
      for (float& logit : logits) logit = static_cast<float>(random() % 2000) * 0.003f;
      device_logits_of.write(logits.data());
    }
    if (number == 4) {  // a row joins, another changes its numbers
      const Request joining{.row = 3, .prompt = {5, 5, 5}};
      admit(host, host_chain, stop, on_host, joining);
      admit(device, device_chain, stop, on_device, joining);
      replay.wait();
      ks[1] = 3;
      temperatures[0] = 2.0f;
      device_ks.write(ks.data());
      device_temperatures.write(temperatures.data());
    }
    if (number == 7) {  // a row leaves, items change places
      release(host, on_host, 0);
      release(device, on_device, 0);
      replay.wait();
      rows = {3, -1, 1, -1};
      device_rows.write(rows.data());
    }
    std::vector<std::int32_t> expected(ROWS);
    step(host, host_chain, stop, on_host, host_logits(logits.data(), ROWS, VOCAB),
         {.tokens = expected, .items = {.state_row = rows}});
    replay.run();
    replay.wait();
    EXPECT_EQ(tokens.read(), expected) << "step " << number;
    EXPECT_EQ(difference_of_states(on_host, on_device), "") << "step " << number;
    if (number == 1) {
      EXPECT_NE(expected, drawn_before) << "the draws of two steps over one row are the same";
    }
    drawn_before = expected;
  }
}

TEST(Graph, ReplaysThePartsOfAStepAsEagerCalls) {
  Replay replay;
  const cuda_engine device(replay.stream);
  host_engine host;
  const auto sampler = chain(Temperature{0.8}, TopK{20});
  const auto stop = criterion(EndOfSequence{2}, MaxNewTokens{3});
  const Shape shape{.rows = ROWS, .capacity = 64, .vocab = VOCAB, .seed = 12};
  StepState on_host(host, shape, needs(sampler, stop));
  StepState on_device(device, shape, needs(sampler, stop));
  const std::vector<Request> requests = {
      {.row = 0, .prompt = {1, 2}}, {.row = 1, .prompt = {7}}, {.row = 3, .prompt = {5}}};
  admit(host, sampler, stop, on_host, requests);
  admit(device, sampler, stop, on_device, requests);

  std::mt19937 random(6);
  std::vector<float> logits(ROWS * VOCAB);
  std::vector<float> scores(ROWS * VOCAB, -7.0f);
  std::vector<std::int32_t> rows = {3, 1, -1, 0};
  std::vector<std::int32_t> tokens(ROWS);
  DeviceArray<float> device_logits_of(logits);
  DeviceArray<std::int32_t> device_rows(rows);
  const DeviceArray<float> device_scores_of(scores);
  const DeviceArray<std::int32_t> device_tokens(tokens);
  replay.capture(3, [&] {
    const DeviceItems items{.state_row = device_rows.view()};
    const device_scores transformed(device_scores_of.data(), ROWS, VOCAB);
    apply(device, sampler, on_device, device_logits(device_logits_of.data(), ROWS, VOCAB),
          transformed, items);
    draw(device, on_device, transformed, device_tokens.span(), items);
    commit(device, sampler, stop, on_device, device_tokens.span(), {.items = items});
  });

  for (int number = 0; number < 5; ++number) {  // rows end after three of them
    for (float& logit : logits) logit = static_cast<float>(random() % 2000) * 0.003f;
    device_logits_of.write(logits.data());
    if (number == 2) {
      rows = {-1, 3, 0, 1};
      device_rows.write(rows.data());
    }
    const HostItems items{.state_row = rows};
    const host_scores transformed(scores.data(), ROWS, VOCAB);
    apply(host, sampler, on_host, host_logits(logits.data(), ROWS, VOCAB), transformed, items);
    draw(host, on_host, transformed, tokens, items);
    commit(host, sampler, stop, on_host, tokens, {.items = items});
    replay.run();
    replay.wait();
    EXPECT_EQ(device_tokens.read(), tokens) << "step " << number;
    EXPECT_EQ(device_scores_of.read(), scores) << "step " << number;
    EXPECT_EQ(difference_of_states(on_host, on_device), "") << "step " << number;
  }
  EXPECT_EQ(on_host.status(0), Status::finished);
}

}  // namespace
