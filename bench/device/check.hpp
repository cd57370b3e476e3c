// SPDX-License-Identifier: Apache-2.0
// Faults of the CUDA runtime as exceptions, and memory of the device.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

namespace device_bench {

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

template <class T>
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t count) : count_(count) {
    check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { (void)cudaFree(data_); }

  T* data() const { return static_cast<T*>(data_); }
  std::size_t size() const { return count_; }

  /// Waits for `stream`, so that what it wrote is read.
  std::vector<T> read(cudaStream_t stream) const {
    std::vector<T> values(count_);
    check(cudaMemcpyAsync(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost, stream),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    return values;
  }

 private:
  void* data_ = nullptr;
  std::size_t count_;
};

}  // namespace device_bench
