// SPDX-License-Identifier: Apache-2.0
// One chain of the consumer's, stepped from two translation units.
#pragma once

#include <logitchain/logitchain.cuh>

using DrawChain = decltype(logitchain::chain(logitchain::Temperature{0.7}, logitchain::TopP{0.9}));
using DrawStop = decltype(logitchain::criterion(logitchain::MaxNewTokens{0}));

/// The step, as another translation unit compiles it.
void step_elsewhere(const logitchain::cuda_engine& engine, const DrawChain& chain,
                    const DrawStop& stop, logitchain::StepState& state,
                    const logitchain::device_logits& logits,
                    logitchain::device_span<std::int32_t> token);
