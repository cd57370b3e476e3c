// SPDX-License-Identifier: Apache-2.0
// Faults of the CUDA runtime: the call that failed and the runtime's own words.
#pragma once

#include <cuda_runtime_api.h>

#include <logitchain/core/error.hpp>

namespace logitchain::inline v0::detail::cuda {

/// @throws runtime_error naming the library's call, the runtime's, and its text. The runtime's
/// error state is left as it is: a sticky error is the caller's to see.
inline void check(const char* where, const char* call, cudaError_t error) {
  if (error == cudaSuccess) return;
  fail(where, ": ", call, " failed: ", cudaGetErrorName(error), ", ", cudaGetErrorString(error));
}

}  // namespace logitchain::inline v0::detail::cuda
