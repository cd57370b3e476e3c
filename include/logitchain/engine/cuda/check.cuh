// SPDX-License-Identifier: Apache-2.0
// What became of the rows: flags of finished rows, and an error for faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

#include <logitchain/chain/criterion.hpp>
#include <logitchain/core/error.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/engine/cuda/cuda_engine.cuh>
#include <logitchain/engine/cuda/detail/call_checks.cuh>
#include <logitchain/engine/cuda/detail/launch_blocks.cuh>
#include <logitchain/engine/cuda/detail/row_kernels.cuh>
#include <logitchain/engine/cuda/error.cuh>
#include <logitchain/state/faults.hpp>
#include <logitchain/state/row_record.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

/// The records of all rows, as they are when the stream comes to this; waits for that.
/// @throws invalid_argument for a state that does not lie on the engine's device; runtime_error for
/// what went wrong on the device
inline std::vector<RowRecord> read_records(const cuda_engine& engine, const StepState& state) {
  using namespace detail::cuda;
  constexpr const char* where = "read_records";
  check_state(where, engine, state);
  std::vector<RowRecord> records(static_cast<std::size_t>(state.rows()));
  check(where, "cudaMemcpyAsync",
        cudaMemcpyAsync(records.data(), state.view().records, records.size() * sizeof(RowRecord),
                        cudaMemcpyDeviceToHost, engine.stream()));
  check(where, "cudaStreamSynchronize", cudaStreamSynchronize(engine.stream()));
  return records;
}

/// Throws where rows ended by a fault of their data, naming the first 8 of them with the reasons.
/// Rows that generate, finished or were released are no faults. Waits for the stream.
/// @throws runtime_error for such rows and for what went wrong on the device; invalid_argument as
/// `read_records`
inline void check(const cuda_engine& engine, const StepState& state) {
  const std::vector<RowRecord> records = read_records(engine, state);
  detail::fail_for_faults(host_span<const RowRecord>(records));
}

/// Writes one flag per row of the state, in the order of the stream: 1 where the row finished, by a
/// criterion or its budget.
/// @throws invalid_argument where there are not as many flags as rows; runtime_error where the
/// launch fails
template <class Stop>
void stopped(const cuda_engine& engine, const Stop& stop, const StepState& state,
             device_span<std::uint8_t> flags) {
  detail::demand_stop<Stop>();
  if constexpr (detail::is_criterion<Stop>) {
    using namespace detail::cuda;
    constexpr const char* where = "stopped";
    check_state(where, engine, state);
    detail::check_fit(where, "criterion", stop, state, false);
    if (flags.size() != state.rows()) {
      refuse(where, "the number of flags", flags.size(),
             detail::text_of("the state's rows, ", state.rows()));
    }
    launch_blocks(where, engine, stopped_kernel<THREADS>, (flags.size() + THREADS - 1) / THREADS,
                  state.view(), flags.data());
  }
}

}  // namespace logitchain::inline v0
