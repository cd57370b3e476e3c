// SPDX-License-Identifier: Apache-2.0
// What every call on the host engine checks of its chain, criterion and state before it begins.
#pragma once

#include <string_view>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/chain/diagnostics.hpp>
#include <logitchain/core/error.hpp>
#include <logitchain/engine/host/host_engine.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0::detail {

inline void check_space(std::string_view where, const StepState& state) {
  if (state.space() != Space::host) {
    refuse_call(where, ": the state lies on device ", state.device(),
                "; this engine works on states in host memory");
  }
}

/// Refuses a composition that reads what the state does not hold, or that does not fit its rows.
/// @param with_lists also looks at every id of lists and tables: at admission, not at each step
template <class Composed>
void check_fit(std::string_view where, std::string_view what, const Composed& composed,
               const StepState& state, bool with_lists) {
  if (!state.needs().covers(Composed::NEEDS)) {
    refuse_call(where, ": the ", what,
                " needs more than the state holds; make the state with "
                "needs(chain, stop) of every chain that will use it, united with |");
  }
  composed.refuse_for(Space::host, state.rows(), state.shape().vocab, with_lists);
}

}  // namespace logitchain::inline v0::detail
