// SPDX-License-Identifier: Apache-2.0
// The CUDA engine: one kernel per step, on a stream of the caller's.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include <logitchain/core/error.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/engine/cuda/detail/device_guard.cuh>
#include <logitchain/engine/cuda/detail/device_limits.cuh>
#include <logitchain/engine/cuda/detail/load.cuh>
#include <logitchain/engine/cuda/detail/shared.cuh>
#include <logitchain/engine/cuda/detail/stream_buffer.cuh>
#include <logitchain/engine/cuda/error.cuh>
#include <logitchain/engine/cuda/policy.cuh>
#include <logitchain/state/memory.hpp>
#include <logitchain/state/shape.hpp>

namespace logitchain::inline v0 {

/// How a CUDA engine works. It changes speed, never a result.
struct CudaOptions {
  /// Blocks that hold one row together, or, up to 4, stream it: 1, 2, 4, 8 or 16; 0: as the number
  /// of items suggests. With `Residence::streaming` it is for rows that are streamed alone. Where
  /// the device has no clusters a row has one block.
  int cluster = 0;
  /// Where the rows of `step` and `draw` lie. A chain whose first filter needs the whole row, say
  /// Typical, is never streamed. States are made with the residence of the engine that steps them:
  /// their workspace hangs on it.
  Residence residence = Residence::automatic;
};

/// Runs steps on the current device, in the order of `stream`. Cheap to make and to copy: it holds
/// a stream and what the device is like. Calls on one state are put on one stream, or ordered by
/// the caller; no call makes the host wait, unless it says so. Making a state may: see
/// `memory_hooks`.
class cuda_engine {
 public:
  static constexpr Space space = Space::device;

  /// @throws runtime_error where there is no device of sm_80 or newer; invalid_argument for options
  /// outside of their range
  explicit cuda_engine(cudaStream_t stream = nullptr, CudaOptions options = {})
      : stream_(stream), options_(options) {
    const int size = options.cluster;
    if (size < 0 || size > 16 || (size & (size - 1)) != 0) {
      refuse("cuda_engine", "cluster", size, "0, 1, 2, 4, 8 or 16");
    }
    using detail::cuda::check;
    check("cuda_engine", "cudaGetDevice", cudaGetDevice(&device_));
    limits_ = detail::cuda::limits_of_device(device_);
  }

  cudaStream_t stream() const { return stream_; }
  int device() const { return device_; }
  const CudaOptions& options() const { return options_; }
  const DeviceLimits& limits() const { return limits_; }
  /// Blocks that hold a row together, as asked for; 0: as the number of items suggests.
  int holding_cluster() const {
    return options_.residence == Residence::streaming ? 0 : options_.cluster;
  }

  /// Bytes of working memory that a state of this shape keeps for this engine: scratch rows for
  /// steps that stream, and for devices without clusters.
  /// @throws invalid_argument where the device's shared memory does not hold a row of this shape
  std::size_t workspace_bytes(const Shape& shape) const {
    const int cluster = holding_cluster();
    const std::int64_t most = largest_vocab(limits_, cluster);
    if (shape.vocab > most) {
      refuse(
          "cuda_engine", "vocab", shape.vocab,
          detail::text_of("at most ", most, ": a row lies in the shared memory of ",
                          cluster != 0 ? cluster : detail::cuda::MAX_CLUSTER, " blocks of device ",
                          device_, ", ", limits_.shared_bytes, " bytes each"));
    }
    return static_cast<std::size_t>(
        scratch_rows(limits_, shape.rows, shape.vocab, options_.residence) *
        scratch_row_bytes(shape.vocab));
  }

  /// Bytes of one row of scratch memory.
  std::int64_t scratch_row_bytes(std::int64_t vocab) const {
    using namespace detail::cuda;
    const int blocks = limits_.has_clusters() ? MAX_STREAMING_CLUSTER : 1;
    return std::int64_t{strip_of(vocab, blocks)} * blocks * WARPS *
           static_cast<std::int64_t>(sizeof(float));
  }

  /// Stream-ordered memory on the engine's device, whichever is current: a state is freed when the
  /// stream comes to that place. The copy of a state's first records comes from pageable memory and
  /// may make the host wait for the stream.
  MemoryHooks memory_hooks() const {
    return {allocate, release, write, static_cast<void*>(stream_)};
  }

 private:
  static void* allocate(std::size_t bytes, int device, void* stream) {
    return detail::cuda::allocate_in_order("StepState", bytes, device,
                                           static_cast<cudaStream_t>(stream));
  }
  static void release(void* memory, int device, void* stream) noexcept {
    detail::cuda::free_in_order(memory, device, static_cast<cudaStream_t>(stream));
  }
  static void write(void* to, const void* from, std::size_t bytes, int device, void* stream) {
    const detail::cuda::DeviceGuard guard(device);
    detail::cuda::check("StepState", "cudaSetDevice", guard.fault());
    detail::cuda::check("StepState", "cudaMemcpyAsync",
                        cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice,
                                        static_cast<cudaStream_t>(stream)));
  }

  cudaStream_t stream_;
  CudaOptions options_;
  int device_ = 0;
  DeviceLimits limits_;
};

}  // namespace logitchain::inline v0
