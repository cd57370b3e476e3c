// SPDX-License-Identifier: Apache-2.0
// What every call on the host engine checks of its state before it begins.
#pragma once

#include <string_view>

#include <logitchain/core/error.hpp>
#include <logitchain/engine/call_checks.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0::detail {

inline void check_space(std::string_view where, const StepState& state) {
  if (state.space() != Space::host) {
    refuse_call(where, ": the state lies on device ", state.device(),
                "; this engine works on states in host memory");
  }
}

}  // namespace logitchain::inline v0::detail
