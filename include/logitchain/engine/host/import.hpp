// SPDX-License-Identifier: Apache-2.0
// Padded prompt batches come in without their holes.
#pragma once

#include <string_view>
#include <vector>

#include <logitchain/core/span.hpp>
#include <logitchain/engine/host/detail/home.hpp>
#include <logitchain/engine/host/rows.hpp>
#include <logitchain/state/padded_prompts.hpp>
#include <logitchain/state/request.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

/// Begins one row per prompt of a padded batch, as `admit` would with the real tokens alone: what
/// was padding enters no history, no count and no automaton, wherever it stood.
/// @throws invalid_argument as `admit`, and for arguments that do not fit together; nothing is
/// changed then
template <detail::RunsOnHost Engine, class Chain, class Stop>
void import_padded(const Engine&, const Chain& chain, const Stop& stop, StepState& state,
                   const PaddedPrompts& prompts) {
  constexpr std::string_view where = "import_padded";
  const std::vector<Request> requests = detail::requests_of(prompts, state);
  detail::admit_as(where, chain, stop, state, host_span<const Request>(requests));
}

}  // namespace logitchain::inline v0
