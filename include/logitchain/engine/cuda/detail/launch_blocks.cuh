// SPDX-License-Identifier: Apache-2.0
// The launch of a kernel whose blocks work alone.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

#include <logitchain/core/error.hpp>
#include <logitchain/engine/cuda/cuda_engine.cuh>
#include <logitchain/engine/cuda/detail/block.cuh>
#include <logitchain/engine/cuda/error.cuh>

namespace logitchain::inline v0::detail::cuda {

/// Puts a kernel on the engine's stream. What is told is the launch's own fault, or the device's:
/// after `<<< >>>` only the last error of the thread could be asked for, and that may be one that
/// somebody else left, of which nothing is to be told here.
/// @throws invalid_argument for more blocks than a grid has; runtime_error where the launch fails
template <class... Parameters, class... Arguments>
void launch_blocks(const char* where, const cuda_engine& engine, void (*kernel)(Parameters...),
                   std::int64_t blocks, const Arguments&... arguments) {
  constexpr std::int64_t MOST = 2147483647;
  if (blocks > MOST) refuse(where, "the number of blocks", blocks, text_of("at most ", MOST));
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(THREADS);
  config.stream = engine.stream();
  check(where, "the launch of its kernel", cudaLaunchKernelEx(&config, kernel, arguments...));
}

}  // namespace logitchain::inline v0::detail::cuda
