// SPDX-License-Identifier: Apache-2.0
#include "replay.hpp"

#include <stdexcept>
#include <vector>

namespace device_bench {

CacheFlush::CacheFlush(std::size_t bytes)
    : written_(bytes / 16 * 16), read_(bytes / 16 * 16), words_(std::size_t{1} << 16) {
  check(cudaMemset(read_.data(), 1, read_.size()), "cudaMemset");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

void CacheFlush::enqueue(cudaStream_t stream) const {
  check(cudaMemsetAsync(written_.data(), 2, written_.size(), stream), "cudaMemsetAsync");
  read_memory(read_.data(), read_.size(), words_.data(), stream);
}

void CacheFlush::delay(cudaStream_t stream) const {
  for (int i = 0; i < 4; ++i) {
    check(cudaMemsetAsync(written_.data(), 3, written_.size(), stream), "cudaMemsetAsync");
  }
}

Replay::Replay(Contender& contender, const CacheFlush& flush, cudaStream_t stream)
    : contender_(contender), flush_(flush), stream_(stream) {
  contender_.restart();
  cudaGraph_t captured = nullptr;
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
  contender_.enqueue();
  check(cudaStreamEndCapture(stream_, &captured), "cudaStreamEndCapture");
  const cudaError_t counted = cudaGraphGetNodes(captured, nullptr, &nodes_);
  const cudaError_t made = cudaGraphInstantiate(&graph_, captured, 0);
  check(cudaGraphDestroy(captured), "cudaGraphDestroy");
  check(counted, "cudaGraphGetNodes");
  check(made, "cudaGraphInstantiate");
  launch();
  expect_right(1);
}

Replay::~Replay() { (void)cudaGraphExecDestroy(graph_); }

void Replay::launch() { check(cudaGraphLaunch(graph_, stream_), "cudaGraphLaunch"); }

void Replay::expect_right(int steps) {
  if (const std::string fault = contender_.fault(steps); !fault.empty()) {
    throw std::runtime_error(fault);
  }
}

double Replay::warm(int replays) {
  contender_.restart();
  flush_.delay(stream_);
  launch();  // brings the logits into the cache
  begin_.record(stream_);
  for (int i = 0; i < replays; ++i) launch();
  end_.record(stream_);
  expect_right(replays + 1);
  return begin_.until(end_);
}

double Replay::cold(int replays) {
  contender_.restart();
  const std::vector<Event> begins(static_cast<std::size_t>(replays));
  const std::vector<Event> ends(static_cast<std::size_t>(replays));
  for (std::size_t i = 0; i < begins.size(); ++i) {
    flush_.enqueue(stream_);
    begins[i].record(stream_);
    launch();
    ends[i].record(stream_);
  }
  expect_right(replays);
  double seconds = 0;
  for (std::size_t i = 0; i < begins.size(); ++i) seconds += begins[i].until(ends[i]);
  return seconds;
}

}  // namespace device_bench
