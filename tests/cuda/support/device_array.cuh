// SPDX-License-Identifier: Apache-2.0
// Arrays in device memory, copied from and to vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include <logitchain/core/span.hpp>

namespace logitchain_test {

inline void cuda_check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size) {
    cuda_check(cudaMalloc(&data_, (size > 0 ? size : 1) * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    write(values.data());
  }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  DeviceArray& operator=(DeviceArray&&) = delete;
  ~DeviceArray() { (void)cudaFree(data_); }

  T* data() const { return static_cast<T*>(data_); }
  std::size_t size() const { return size_; }
  logitchain::device_span<T> span() const { return {data(), static_cast<std::int64_t>(size_)}; }
  logitchain::device_span<const T> view() const {
    return {data(), static_cast<std::int64_t>(size_)};
  }

  /// The copy may still be under way when cudaMemcpy returns, and streams that do not wait for the
  /// default one would not see it.
  void write(const T* from) {
    cuda_check(cudaMemcpy(data_, from, size_ * sizeof(T), cudaMemcpyHostToDevice));
    cuda_check(cudaDeviceSynchronize());
  }
  std::vector<T> read() const {
    std::vector<T> values(size_);
    cuda_check(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  void* data_ = nullptr;
  std::size_t size_;
};

}  // namespace logitchain_test
