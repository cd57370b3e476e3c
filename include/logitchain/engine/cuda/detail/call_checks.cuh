// SPDX-License-Identifier: Apache-2.0
// What every call on the CUDA engine checks before it launches: all that the host can know.
#pragma once

#include <cstdint>
#include <string_view>

#include <cuda_runtime_api.h>

#include <logitchain/core/error.hpp>
#include <logitchain/core/span.hpp>
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

/// Refuses a composition that reads what the state does not hold, or that does not fit its rows.
/// @param with_lists also looks at every id of lists and tables: at admission, not at each step
template <class Composed>
void check_composition(std::string_view where, std::string_view what, const Composed& composed,
                       const StepState& state, bool with_lists) {
  if (!state.needs().covers(Composed::NEEDS)) {
    refuse_call(where, ": the ", what,
                " needs more than the state holds; make the state with "
                "needs(chain, stop) of every chain that will use it, united with |");
  }
  composed.refuse_for(Space::device, state.rows(), state.shape().vocab, with_lists);
}

inline void check_width(std::string_view where, std::string_view argument, std::int64_t width,
                        const StepState& state) {
  if (width < state.shape().vocab) {
    refuse(where, text_of("the width of ", argument), width,
           text_of("at least the state's vocab, ", state.shape().vocab));
  }
}

inline void check_room(std::string_view where, std::string_view buffer, std::int64_t size,
                       std::int64_t count) {
  if (size < count) {
    refuse(where, text_of("the size of ", buffer), size,
           text_of("at least ", count, ", the number of items"));
  }
}

inline RowsArgument rows_argument(const device_logits& rows) {
  return {const_cast<void*>(rows.data()), rows.rows(), rows.width(), rows.stride(), rows.type()};
}

inline ItemsArgument items_argument(std::string_view where, const StepState& state,
                                    const DeviceItems& items, std::int64_t rows) {
  const bool maps_logits = items.logits_row.given();
  const bool maps_state = items.state_row.given();
  if (maps_logits && maps_state && items.logits_row.size() != items.state_row.size()) {
    refuse(where, "the size of items.state_row", items.state_row.size(),
           text_of(items.logits_row.size(), ", that of items.logits_row"));
  }
  const std::int64_t count = maps_logits  ? items.logits_row.size()
                             : maps_state ? items.state_row.size()
                                          : rows;
  if (!maps_state && count > state.rows()) {
    refuse(where, "the number of items", count,
           text_of("at most ", state.rows(), ", the state's rows, without items.state_row"));
  }
  return {maps_logits ? items.logits_row.data() : nullptr,
          maps_state ? items.state_row.data() : nullptr, count};
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
