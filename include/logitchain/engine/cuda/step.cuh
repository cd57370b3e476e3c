// SPDX-License-Identifier: Apache-2.0
// The decode step on the CUDA engine, whole and in parts: each call is one kernel launch and
// nothing else.
#pragma once

#include <cstdint>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/engine/cuda/arguments.cuh>
#include <logitchain/engine/cuda/cuda_engine.cuh>
#include <logitchain/engine/cuda/detail/call_checks.cuh>
#include <logitchain/engine/cuda/detail/launch.cuh>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

/// One decode step: logits -> transforms -> draw -> commit -> stop, for every item, as one kernel:
/// nothing is copied, allocated or waited for, and a CUDA graph may capture it. A replay reads
/// items, per-row numbers, seeds and positions anew. Rows that are not active are left alone; a
/// fault of a row's data ends that row with a status and touches no other.
///
/// @param logits `[rows, width]`, width at least the state's vocab
/// @param step where tokens and results go, and which items there are (all rows, in order, if
/// absent)
/// @throws invalid_argument for arguments that do not fit together; runtime_error where the launch
/// fails. Nothing was changed then
template <class ChainType, class StopType>
void step(const cuda_engine& engine, const ChainType& chain, const StopType& stop, StepState& state,
          const device_logits& logits, const DeviceStep& step = {}) {
  detail::demand_chain<ChainType>();
  detail::demand_stop<StopType>();
  if constexpr (detail::is_chain<ChainType> && detail::is_criterion<StopType>) {
    using namespace detail::cuda;
    constexpr const char* where = "step";
    check_state(where, engine, state);
    detail::check_fit(where, "chain", chain, state, false);
    detail::check_fit(where, "criterion", stop, state, false);
    StepArguments arguments = arguments_of(where, "logits", state, logits, step.items);
    if (step.tokens.asked()) {
      detail::check_room(where, "tokens", step.tokens.size(), arguments.items.count);
    }
    if (!step.results.empty()) {
      detail::check_room(where, "results", step.results.size(), arguments.items.count);
      arguments.results = step.results.data();
    }
    arguments.tokens = {step.tokens.data(), step.tokens.wide()};
    launch_step<Part::step>(where, engine, chain, stop, state, arguments);
  }
}

/// The transformed scores of every item: removed tokens, and what lies beyond the vocabulary, are
/// `FILTER`. Scores of items that are skipped, or whose row is not active or is refused, are left
/// as they were. In place where `scores` is the logits' own memory.
///
/// @param scores `[items, width]`: item i writes row i, in float or rounded to its own type
/// @throws as `step`
template <class ChainType>
void apply(const cuda_engine& engine, const ChainType& chain, StepState& state,
           const device_logits& logits, const device_scores& scores,
           const DeviceItems& items = {}) {
  detail::demand_chain<ChainType>();
  if constexpr (detail::is_chain<ChainType>) {
    using namespace detail::cuda;
    constexpr const char* where = "apply";
    check_state(where, engine, state);
    detail::check_fit(where, "chain", chain, state, false);
    detail::check_width(where, "scores", scores.logits().width(), state);
    StepArguments arguments = arguments_of(where, "logits", state, logits, items);
    detail::check_room(where, "scores", scores.logits().rows(), arguments.items.count);
    refuse_overwritten_logits(where, logits, scores, items);
    arguments.scores = rows_argument(scores.logits());
    launch_step<Part::apply>(where, engine, chain, Criterion<>{}, state, arguments);
  }
}

/// Draws one token per item from scores as `apply` gives them; nothing is committed. -1 for an item
/// that is skipped, whose row is not active, or whose row has no distribution; the last ends with
/// the status `undefined_distribution`.
///
/// @param scores `[items, width]`: item i reads row `items.logits_row[i]`, or i
/// @throws as `step`
template <class = void>  // its kernel is compiled where it is called
void draw(const cuda_engine& engine, StepState& state, const device_logits& scores,
          const DeviceTokens& tokens, const DeviceItems& items = {}) {
  using namespace detail::cuda;
  constexpr const char* where = "draw";
  check_state(where, engine, state);
  StepArguments arguments = arguments_of(where, "scores", state, scores, items);
  detail::check_room(where, "tokens", tokens.size(), arguments.items.count);
  arguments.tokens = {tokens.data(), tokens.wide()};
  launch_step<Part::draw>(where, engine, Chain<>{}, Criterion<>{}, state, arguments);
}

}  // namespace logitchain::inline v0
