// SPDX-License-Identifier: Apache-2.0
// An array in device memory that the host writes and reads in the order of a stream.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include <cuda_runtime_api.h>

namespace generate {

/// @throws std::runtime_error with CUDA's words
inline void check_cuda(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(error));
}

/// Room for `size` elements.
template <class T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t size) {
    check_cuda(cudaMalloc(&data_, (size > 0 ? size : 1) * sizeof(T)), "cudaMalloc");
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer() { (void)cudaFree(data_); }

  T* data() const { return static_cast<T*>(data_); }

  /// Copies what lies at `from`, which stays as it is until the stream has been waited for.
  void write(const T* from, std::size_t count, cudaStream_t stream) {
    check_cuda(cudaMemcpyAsync(data_, from, count * sizeof(T), cudaMemcpyHostToDevice, stream),
               "cudaMemcpyAsync");
  }
  /// @copydoc write
  void read(T* to, std::size_t count, cudaStream_t stream) const {
    check_cuda(cudaMemcpyAsync(to, data_, count * sizeof(T), cudaMemcpyDeviceToHost, stream),
               "cudaMemcpyAsync");
  }

 private:
  void* data_ = nullptr;
};

/// A stream that does not wait for the default one.
class Stream {
 public:
  Stream() {
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { (void)cudaStreamDestroy(stream_); }

  cudaStream_t get() const { return stream_; }
  void wait() const { check_cuda(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace generate
