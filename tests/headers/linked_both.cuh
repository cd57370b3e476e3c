// SPDX-License-Identifier: Apache-2.0
// What two translation units with every header for nvcc do alike.
#pragma once

#include "everything.cuh"

inline void step_of_both(const logitchain::cuda_engine& engine, logitchain::StepState& state,
                         const logitchain::device_logits& logits) {
  const auto chain = logitchain::chain(logitchain::Temperature{0.7});
  const auto stop = logitchain::criterion(logitchain::MaxNewTokens{2});
  logitchain::admit(engine, chain, stop, state, {{.row = 0, .prompt = {1}, .seed = 1}});
  logitchain::step(engine, chain, stop, state, logits);
}

using StepOfBoth = decltype(&step_of_both);

StepOfBoth step_of_second();
