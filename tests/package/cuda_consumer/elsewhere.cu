// SPDX-License-Identifier: Apache-2.0
// The second of two translation units with the whole library.
#include "elsewhere.cuh"

void step_elsewhere(const logitchain::cuda_engine& engine, const DrawChain& chain,
                    const DrawStop& stop, logitchain::StepState& state,
                    const logitchain::device_logits& logits,
                    logitchain::device_span<std::int32_t> token) {
  logitchain::step(engine, chain, stop, state, logits, {.tokens = token});
}
