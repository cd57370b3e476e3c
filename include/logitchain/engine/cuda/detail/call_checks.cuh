// SPDX-License-Identifier: Apache-2.0
// What every call on the CUDA engine checks before it launches: all that the host can know.
#pragma once

#include <cstdint>
#include <string_view>

#include <cuda_runtime_api.h>

#include <logitchain/core/error.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/engine/call_checks.hpp>
#include <logitchain/engine/cuda/arguments.cuh>
#include <logitchain/engine/cuda/cuda_engine.cuh>
#include <logitchain/engine/cuda/detail/arguments.cuh>
#include <logitchain/engine/cuda/error.cuh>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0::detail::cuda {

inline void check_state(const char* where, const cuda_engine& engine, const StepState& state) {
  int current = -1;
  check(where, "cudaGetDevice", cudaGetDevice(&current));
  if (current != engine.device()) {
    refuse_call(where, ": device ", current, " is current and the engine was made for device ",
                engine.device());
  }
  if (state.space() != Space::device) {
    refuse_call(where, ": the state lies in host memory; this engine works on states on device ",
                engine.device());
  }
  if (state.device() != engine.device()) {
    refuse_call(where, ": the state lies on device ", state.device(), "; this engine works on ",
                engine.device());
  }
}

inline RowsArgument rows_argument(const device_logits& rows) {
  return {const_cast<void*>(rows.data()), rows.rows(), rows.width(), rows.stride(), rows.type()};
}

inline ItemsArgument items_argument(std::string_view where, const StepState& state,
                                    const DeviceItems& items, std::int64_t rows) {
  const std::int64_t count = count_items(where, state, items, rows);
  return {items.logits_row.given() ? items.logits_row.data() : nullptr,
          items.state_row.given() ? items.state_row.data() : nullptr, count};
}

/// The arguments of a kernel, checked.
inline StepArguments arguments_of(std::string_view where, std::string_view rows,
                                  const StepState& state, const device_logits& logits,
                                  const DeviceItems& items) {
  check_width(where, rows, logits.width(), state);
  StepArguments arguments;
  arguments.view = state.view();
  arguments.logits = rows_argument(logits);
  arguments.items = items_argument(where, state, items, logits.rows());
  return arguments;
}

/// Refuses scores that lie over the logits, unless each item writes just the row that it reads.
inline void refuse_overwritten_logits(std::string_view where, const device_logits& logits,
                                      const device_scores& scores, const DeviceItems& items) {
  const device_logits& written = scores.logits();
  if (logits.end() <= written.begin() || written.end() <= logits.begin()) return;
  if (written.data() != logits.data() || written.type() != logits.type() ||
      written.stride() != logits.stride()) {
    refuse_call(where,
                ": the scores overlap the logits; they may only lie in the logits' own rows, "
                "with the same type and stride");
  }
  if (items.logits_row.given()) {
    refuse_call(where,
                ": items.logits_row is given and the scores lie over the logits; item i would "
                "write row i and another item read it");
  }
}

}  // namespace logitchain::inline v0::detail::cuda
