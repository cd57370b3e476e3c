// SPDX-License-Identifier: Apache-2.0
// What became of the rows, for a host that asks: flags of finished rows, and an error for faults.
#pragma once

#include <cstdint>

#include <logitchain/chain/criterion.hpp>
#include <logitchain/core/error.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/host/detail/call_checks.hpp>
#include <logitchain/engine/host/detail/home.hpp>
#include <logitchain/state/faults.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

namespace detail {

template <class Stop, class Flag>
void write_flags(const Stop& stop, const StepState& state, host_span<Flag> flags) {
  demand_stop<Stop>();
  if constexpr (is_criterion<Stop>) {
    check_space("stopped", state);
    check_fit("stopped", "criterion", stop, state, false);
    if (flags.size() != state.rows()) {
      refuse("stopped", "the number of flags", flags.size(),
             text_of("the state's rows, ", state.rows()));
    }
    for (std::int64_t row = 0; row < flags.size(); ++row) {
      flags[row] = static_cast<Flag>(state.view().records[row].status == Status::finished);
    }
  }
}

}  // namespace detail

/// Throws where rows ended by a fault of their data, naming the first 8 of them with the reasons.
/// Rows that generate, finished or were released are no faults.
/// @throws runtime_error
template <detail::RunsOnHost Engine>
void check(const Engine&, const StepState& state) {
  detail::check_space("check", state);
  detail::fail_for_faults({state.view().records, state.rows()});
}

/// Writes one flag per row of the state: 1 where the row finished, by a criterion or its budget.
/// @throws invalid_argument where there are not as many flags as rows
template <detail::RunsOnHost Engine, class Stop>
void stopped(const Engine&, const Stop& stop, const StepState& state,
             host_span<std::uint8_t> flags) {
  detail::write_flags(stop, state, flags);
}
/// @copydoc stopped
template <detail::RunsOnHost Engine, class Stop>
void stopped(const Engine&, const Stop& stop, const StepState& state, host_span<bool> flags) {
  detail::write_flags(stop, state, flags);
}

}  // namespace logitchain::inline v0
