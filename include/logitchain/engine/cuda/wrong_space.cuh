// SPDX-License-Identifier: Apache-2.0
// What the CUDA engine answers to memory of the host: the compile error that says so.
#pragma once

#include <iterator>
#include <type_traits>

#include <logitchain/chain/diagnostics.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/engine/cuda/arguments.cuh>
#include <logitchain/engine/cuda/cuda_engine.cuh>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

namespace detail {

template <class Type>
concept InHostMemory =
    (requires { requires Type::space == Space::host; }) ||
    (requires(const Type& array) { std::data(array), std::size(array); } &&
     !requires { Type::space; });

/// The engine, one conversion away: calls that are right never come to the functions below, not
/// even with `{}` as their last argument.
struct AnyCudaEngine {
  explicit(false) AnyCudaEngine(const cuda_engine&) {}
};

/// What stands between the braces of a step's last argument, wherever it lies.
struct AnyBuffer {
  AnyBuffer() = default;
  template <class Type>
  explicit(false) AnyBuffer(const Type&) {}
};
struct OutputsInHostMemory {
  AnyBuffer tokens{};
  AnyBuffer results{};
  AnyBuffer items{};
};

}  // namespace detail

template <class ChainType, class StopType, detail::InHostMemory Logits, class... Rest>
void step(detail::AnyCudaEngine, const ChainType&, const StopType&, StepState&, const Logits&,
          const Rest&...) {
  (void)E07_wrong_memory_space<cuda_engine, Logits>{};
}
template <class ChainType, class StopType, detail::InHostMemory Logits>
void step(detail::AnyCudaEngine, const ChainType&, const StopType&, StepState&, const Logits&,
          const detail::OutputsInHostMemory&) {
  (void)E07_wrong_memory_space<cuda_engine, Logits>{};
}
template <class ChainType, class StopType, class Outputs = detail::OutputsInHostMemory>
void step(detail::AnyCudaEngine, const ChainType&, const StopType&, StepState&,
          const device_logits&, const std::type_identity_t<Outputs>&) {
  (void)E07_wrong_memory_space<cuda_engine, Outputs>{};
}

template <class ChainType, detail::InHostMemory Logits, class... Rest>
void apply(detail::AnyCudaEngine, const ChainType&, StepState&, const Logits&, const Rest&...) {
  (void)E07_wrong_memory_space<cuda_engine, Logits>{};
}
template <class ChainType, detail::InHostMemory Scores, class... Rest>
void apply(detail::AnyCudaEngine, const ChainType&, StepState&, const device_logits&, const Scores&,
           const Rest&...) {
  (void)E07_wrong_memory_space<cuda_engine, Scores>{};
}

template <detail::InHostMemory Scores, class... Rest>
void draw(detail::AnyCudaEngine, StepState&, const Scores&, const Rest&...) {
  (void)E07_wrong_memory_space<cuda_engine, Scores>{};
}
template <detail::InHostMemory Tokens, class... Rest>
void draw(detail::AnyCudaEngine, StepState&, const device_logits&, const Tokens&, const Rest&...) {
  (void)E07_wrong_memory_space<cuda_engine, Tokens>{};
}

template <class ChainType, class StopType, detail::InHostMemory Tokens, class... Rest>
void commit(detail::AnyCudaEngine, const ChainType&, const StopType&, StepState&, const Tokens&,
            const Rest&...) {
  (void)E07_wrong_memory_space<cuda_engine, Tokens>{};
}

}  // namespace logitchain::inline v0
