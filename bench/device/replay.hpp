// SPDX-License-Identifier: Apache-2.0
// A contender's step as a graph, and the time of its replays on the device.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "check.hpp"
#include "contender.hpp"

namespace device_bench {

/// A stream that waits for no other.
class Stream {
 public:
  Stream() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { (void)cudaStreamDestroy(stream_); }
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { (void)cudaEventDestroy(event_); }
  void record(cudaStream_t stream) const {
    check(cudaEventRecord(event_, stream), "cudaEventRecord");
  }
  /// Seconds to a later event that has passed.
  double until(const Event& later) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, event_, later.event_), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Empties the second-level cache of everything else.
class CacheFlush {
 public:
  /// @param bytes more than the cache holds
  explicit CacheFlush(std::size_t bytes);

  /// Writes some memory and then reads other memory: what was written has left the cache by then,
  /// and a step that is timed has nobody else's bytes to write back.
  void enqueue(cudaStream_t stream) const;
  /// Something that takes the device longer than the host needs to put a batch on the stream.
  void delay(cudaStream_t stream) const;

 private:
  DeviceMemory<unsigned char> written_;
  DeviceMemory<unsigned char> read_;
  DeviceMemory<unsigned> words_;
};

class Replay {
 public:
  /// Captures a step, replays it once, and looks at what it did.
  /// @throws runtime_error where it was not right
  Replay(Contender& contender, const CacheFlush& flush, cudaStream_t stream);
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;
  ~Replay();

  /// Seconds of so many replays, one right behind the other, in all.
  double warm(int replays);
  /// The same, the cache being flushed before each, which is not timed.
  double cold(int replays);
  /// Kernels and other nodes of the graph.
  std::size_t nodes() const { return nodes_; }

 private:
  void launch();
  void expect_right(int steps);

  Contender& contender_;
  const CacheFlush& flush_;
  cudaStream_t stream_;
  cudaGraphExec_t graph_ = nullptr;
  std::size_t nodes_ = 0;
  Event begin_;
  Event end_;
};

}  // namespace device_bench
