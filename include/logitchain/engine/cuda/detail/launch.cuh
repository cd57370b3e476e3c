// SPDX-License-Identifier: Apache-2.0
// The launch of a step's kernel: shape, shared memory, cluster.
#pragma once

#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <logitchain/core/error.hpp>
#include <logitchain/engine/cuda/cuda_engine.cuh>
#include <logitchain/engine/cuda/detail/arguments.cuh>
#include <logitchain/engine/cuda/detail/step_kernel.cuh>
#include <logitchain/engine/cuda/error.cuh>
#include <logitchain/engine/cuda/policy.cuh>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0::detail::cuda {

/// Blocks per row where rows are held, by the engine's option or the policy.
inline int cluster_of_call(const char* where, const cuda_engine& engine, std::int64_t vocab,
                           std::int64_t items) {
  const DeviceLimits& limits = engine.limits();
  if (!limits.has_clusters()) return 1;
  const int forced = engine.holding_cluster();
  const int size = forced != 0 ? forced : cluster_for(limits, items, vocab);
  if (size == 0 || !holds_row(limits, vocab, size)) {
    refuse_call(where, ": a row of ", vocab, " scores does not fit the shared memory of ",
                size == 0 ? MAX_CLUSTER : size, " blocks of device ", engine.device());
  }
  return size;
}

/// Blocks per row where rows are streamed, by the engine's option or the policy.
inline int streaming_cluster_of_call(const cuda_engine& engine, std::int64_t vocab,
                                     std::int64_t items) {
  if (!engine.limits().has_clusters()) return 1;
  const int forced = engine.options().cluster;
  if (forced == 0) return streaming_cluster_for(engine.limits(), items, vocab);
  return forced < MAX_STREAMING_CLUSTER ? forced : MAX_STREAMING_CLUSTER;
}

/// Whether a call's rows are streamed: as the engine was told, else where the policy says so and
/// the state has a scratch row for those that must be held after all.
/// @param sizes of a block that would stream
template <Part What, class ChainType>
bool streams_of_call(const cuda_engine& engine, const StepState& state, std::int64_t items,
                     const StreamSizes& sizes) {
  if constexpr (What == Part::apply || !may_stream<ChainType>) {
    return false;
  } else {
    const DeviceLimits& limits = engine.limits();
    const std::int64_t vocab = state.shape().vocab;
    if (stream_bytes(sizes) > static_cast<std::size_t>(limits.shared_bytes)) return false;
    const Residence asked = engine.options().residence;
    if (asked != Residence::automatic) return asked == Residence::streaming;
    const bool has_scratch =
        static_cast<std::int64_t>(state.workspace().size) >= engine.scratch_row_bytes(vocab);
    return has_scratch && streams_for(limits, items, vocab);
  }
}

template <Part What, class ChainType, class StopType>
void launch_step(const char* where, const cuda_engine& engine, const ChainType& chain,
                 const StopType& stop, const StepState& state, StepArguments& arguments) {
  static_assert(std::is_trivially_copyable_v<ChainType> && std::is_trivially_copyable_v<StopType>,
                "a kernel gets its chain and criterion by value: their stages must be trivially "
                "copyable");
  if (arguments.items.count == 0) return;
  const DeviceLimits& limits = engine.limits();
  const std::int64_t vocab = state.shape().vocab;
  const std::int64_t items = arguments.items.count;
  const int streaming_size = streaming_cluster_of_call(engine, vocab, items);
  const std::int64_t part = std::int64_t{strip_of(vocab, streaming_size)} * WARPS;
  arguments.sizes =
      stream_sizes(part < vocab ? part : vocab, lists_tokens<ChainType>, limits.shared_bytes);
  arguments.streams = streams_of_call<What, ChainType>(engine, state, items, arguments.sizes);
  const int size =
      arguments.streams ? streaming_size : cluster_of_call(where, engine, vocab, items);
  arguments.strip = strip_of(vocab, size);
  std::int64_t clusters = items;
  std::size_t bytes = sizeof(Shared);
  if (arguments.streams) {
    bytes = stream_bytes(arguments.sizes);
  } else if (limits.has_clusters()) {
    bytes = shared_bytes(std::int64_t{arguments.strip} * WARPS);
  }
  if (arguments.streams || !limits.has_clusters()) {
    const std::int64_t rows =
        static_cast<std::int64_t>(state.workspace().size) / engine.scratch_row_bytes(vocab);
    const std::int64_t known = limits.rows_at_once(size);
    const std::int64_t at_once = known > 0 ? known : 1;
    const std::int64_t most = rows < at_once ? rows : at_once;
    clusters = clusters < most ? clusters : most;
    arguments.scratch = reinterpret_cast<float*>(state.workspace().data);
    if (rows < 1) {
      refuse_call(where, ": the state's workspace has ", state.workspace().size,
                  " bytes; this engine needs ", engine.workspace_bytes(state.shape()),
                  ": a state is made with the residence of the engine that steps it");
    }
  }
  const auto kernel = step_kernel<What, ChainType, StopType>;
  check(where, "cudaFuncSetAttribute",
        // Of the kernel, not of the call: another thread may launch it for another vocabulary.
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             limits.shared_bytes));
  if (size > 8) {
    check(where, "cudaFuncSetAttribute",
          cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  }
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = static_cast<unsigned>(size);
  cluster.val.clusterDim.y = 1;
  cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(clusters * size));
  config.blockDim = dim3(THREADS);
  config.dynamicSmemBytes = bytes;
  config.stream = engine.stream();
  config.attrs = &cluster;
  config.numAttrs = limits.has_clusters() ? 1 : 0;
  check(where, "the launch of its kernel",
        cudaLaunchKernelEx(&config, kernel, chain, stop, arguments));
}

}  // namespace logitchain::inline v0::detail::cuda
