// SPDX-License-Identifier: Apache-2.0
// Padded prompt batches come in without their holes.
#pragma once

#include <vector>

#include <logitchain/core/span.hpp>
#include <logitchain/engine/cuda/cuda_engine.cuh>
#include <logitchain/engine/cuda/rows.cuh>
#include <logitchain/state/padded_prompts.hpp>
#include <logitchain/state/request.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

/// Begins one row per prompt of a padded batch in host memory, as `admit` would with the real
/// tokens alone: what was padding enters no history, no count and no automaton, wherever it stood.
/// @throws as `admit`, and invalid_argument for arguments that do not fit together; nothing is
/// changed then
template <class ChainType, class StopType>
void import_padded(const cuda_engine& engine, const ChainType& chain, const StopType& stop,
                   StepState& state, const PaddedPrompts& prompts) {
  const std::vector<Request> requests = detail::requests_of(prompts, state);
  detail::cuda::admit_as("import_padded", engine, chain, stop, state,
                         host_span<const Request>(requests));
}

}  // namespace logitchain::inline v0
