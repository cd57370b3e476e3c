// SPDX-License-Identifier: Apache-2.0
// Device memory in the order of a stream: had and freed when the stream comes to that place.
#pragma once

#include <cstddef>
#include <utility>

#include <cuda_runtime_api.h>

#include <logitchain/core/error.hpp>
#include <logitchain/engine/cuda/detail/device_guard.cuh>

namespace logitchain::inline v0::detail::cuda {

/// @param stream of `device`, whichever device is current
/// @throws runtime_error naming the library's call and the bytes; the runtime's error is told by
/// that and stands no more
inline void* allocate_in_order(const char* where, std::size_t bytes, int device,
                               cudaStream_t stream) {
  const DeviceGuard guard(device);
  void* memory = nullptr;
  cudaError_t failed = guard.fault();
  if (failed == cudaSuccess) failed = cudaMallocAsync(&memory, bytes, stream);
  if (failed == cudaSuccess) return memory;
  (void)cudaGetLastError();  // the one error that this call may have left
  fail(where, ": ", bytes,
       " bytes of device memory could not be allocated: ", cudaGetErrorName(failed), ", ",
       cudaGetErrorString(failed));
}

/// Frees what `allocate_in_order` gave, or null.
inline void free_in_order(void* memory, int device, cudaStream_t stream) noexcept {
  if (!memory) return;
  const DeviceGuard guard(device);
  (void)cudaFreeAsync(memory, stream);
}

/// Owns such memory.
class StreamBuffer {
 public:
  StreamBuffer() = default;
  /// @param bytes may be 0: then there is no memory
  StreamBuffer(const char* where, std::size_t bytes, int device, cudaStream_t stream)
      : device_(device), stream_(stream) {
    if (bytes > 0) data_ = allocate_in_order(where, bytes, device, stream);
  }
  StreamBuffer(StreamBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        device_(other.device_),
        stream_(other.stream_) {}
  StreamBuffer& operator=(StreamBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(device_, other.device_);
    std::swap(stream_, other.stream_);
    return *this;
  }
  ~StreamBuffer() { free_in_order(data_, device_, stream_); }

  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  void* data_ = nullptr;
  int device_ = 0;
  cudaStream_t stream_ = nullptr;
};

}  // namespace logitchain::inline v0::detail::cuda
