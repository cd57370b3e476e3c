// SPDX-License-Identifier: Apache-2.0
// What a device offers, asked once per device and process: engines are cheap to make.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

#include <cuda_runtime_api.h>

#include <logitchain/core/error.hpp>
#include <logitchain/engine/cuda/detail/block.cuh>
#include <logitchain/engine/cuda/error.cuh>
#include <logitchain/engine/cuda/policy.cuh>

namespace logitchain::inline v0::detail::cuda {

/// Does nothing: tells which architecture the program's device code was compiled for.
template <int>
__global__ void probe_kernel() {}

/// Asks how many clusters of each size the current device holds at once; where it does not say, the
/// policy goes by the multiprocessors.
inline void count_clusters(DeviceLimits& limits) {
  const auto kernel = probe_kernel<0>;
  bool knows = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    limits.shared_bytes) == cudaSuccess &&
               cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) ==
                   cudaSuccess;
  for (unsigned i = 0; knows && i < 4; ++i) {
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = 2u << i;
    cluster.val.clusterDim.y = 1;
    cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(2u << i);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = static_cast<std::size_t>(limits.shared_bytes);
    config.attrs = &cluster;
    config.numAttrs = 1;
    knows =
        cudaOccupancyMaxActiveClusters(&limits.clusters_at_once[i], kernel, &config) == cudaSuccess;
  }
  if (!knows) (void)cudaGetLastError();  // no fault of anybody's
}

/// @param device the current one
/// @throws runtime_error where it is older than sm_80 or cannot be asked
inline DeviceLimits limits_of_device(int device) {
  static std::mutex mutex;
  static std::map<int, DeviceLimits> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(device);
  if (found != known.end()) return found->second;
  const auto attribute = [&](cudaDeviceAttr which) {
    int value = 0;
    check("cuda_engine", "cudaDeviceGetAttribute", cudaDeviceGetAttribute(&value, which, device));
    return value;
  };
  DeviceLimits limits;
  limits.architecture = 10 * attribute(cudaDevAttrComputeCapabilityMajor) +
                        attribute(cudaDevAttrComputeCapabilityMinor);
  // Code that was compiled for an older architecture knows nothing of clusters.
  cudaFuncAttributes code{};
  check("cuda_engine", "cudaFuncGetAttributes", cudaFuncGetAttributes(&code, probe_kernel<0>));
  if (code.ptxVersion < limits.architecture) limits.architecture = code.ptxVersion;
  limits.multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  limits.shared_bytes = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  if (limits.architecture < 80) {
    fail("cuda_engine: device ", device, " has compute capability ", limits.architecture / 10, '.',
         limits.architecture % 10, "; 8.0 or newer is needed");
  }
  if (limits.has_clusters()) count_clusters(limits);
  return known[device] = limits;
}

}  // namespace logitchain::inline v0::detail::cuda
