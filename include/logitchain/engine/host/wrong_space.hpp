// SPDX-License-Identifier: Apache-2.0
// What the host engine answers to memory of a device: the compile error that says so.
#pragma once

#include <logitchain/chain/diagnostics.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/engine/host/host_engine.hpp>

namespace logitchain::inline v0 {

namespace detail {
template <class Type>
concept InDeviceMemory = requires { requires Type::space == Space::device; };
}  // namespace detail

template <class ChainType, class StopType, detail::InDeviceMemory Logits, class... Rest>
void step(host_engine&, const ChainType&, const StopType&, StepState&, const Logits&,
          const Rest&...) {
  (void)E07_wrong_memory_space<host_engine, Logits>{};
}

template <class ChainType, detail::InDeviceMemory Logits, class... Rest>
void apply(host_engine&, const ChainType&, StepState&, const Logits&, const Rest&...) {
  (void)E07_wrong_memory_space<host_engine, Logits>{};
}

template <detail::InDeviceMemory Scores, class... Rest>
void draw(host_engine&, StepState&, const Scores&, const Rest&...) {
  (void)E07_wrong_memory_space<host_engine, Scores>{};
}

}  // namespace logitchain::inline v0
