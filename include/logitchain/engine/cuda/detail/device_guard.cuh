// SPDX-License-Identifier: Apache-2.0
// A device that is current for the length of a scope.
#pragma once

#include <cuda_runtime_api.h>

namespace logitchain::inline v0::detail::cuda {

/// Streams that are no objects, such as the default one, belong to the device that is current.
/// Nothing is set where that is the one asked for.
class DeviceGuard {
 public:
  explicit DeviceGuard(int device) noexcept {
    int current = device;
    fault_ = cudaGetDevice(&current);
    if (fault_ != cudaSuccess || current == device) return;
    fault_ = cudaSetDevice(device);
    if (fault_ == cudaSuccess) former_ = current;
  }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;
  ~DeviceGuard() {
    if (former_ >= 0) (void)cudaSetDevice(former_);
  }

  /// Why the device is not current; cudaSuccess where it is.
  cudaError_t fault() const { return fault_; }

 private:
  int former_ = -1;
  cudaError_t fault_ = cudaSuccess;
};

}  // namespace logitchain::inline v0::detail::cuda
