// SPDX-License-Identifier: Apache-2.0
// Rows begin on the device: a block per row writes its history, its distinct tokens and its
// automata.
#pragma once

#include <cstdint>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/composition.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/block.cuh>
#include <logitchain/engine/cuda/detail/seen_together.cuh>
#include <logitchain/state/commit.hpp>
#include <logitchain/state/seen_list.hpp>
#include <logitchain/state/state_view.hpp>

namespace logitchain::inline v0::detail::cuda {

/// A checked request: its tokens lie behind one another, the prompt's first.
struct Beginning {
  std::int64_t row;
  std::int64_t first;  ///< of its tokens among those of the call
  std::uint64_t seed;
  std::uint64_t admission;
  std::int32_t prompt;
  std::int32_t generated;
  std::int32_t budget;
  std::int32_t reserved = 0;
};

/// Looks at the tables that one row names, nothing else: its automata are about to walk them.
struct TableCheck {
  std::int64_t row;
  bool sound = true;

  template <class T>
  __device__ void number(const char*, const Param<T>&, Range) {}
  __device__ void token_id(const char*, const Param<std::int32_t>&) {}
  __device__ void tokens(const char*, const TokenList&) {}
  template <class Ref>
  __device__ void table(const char*, const Ref& ref) {
    sound = sound && ref.valid(row);
  }
};

template <class Composed>
__device__ bool names_tables(const Composed& composed, std::int64_t row) {
  TableCheck check{row};
  for_each_index<Composed::SIZE>(
      [&](auto i) { visit_parameters(composed.template stage<decltype(i)::value>(), check); });
  return check.sound;
}

/// Begins the automata of a row. False where the row names a table that is not there.
template <class ChainType, class StopType>
__device__ bool start_automata(const StateView& view, std::int64_t row, const ChainType& chain,
                               const StopType& stop) {
  if (view.slots) {
    for (std::int32_t i = 0; i < view.slot_count; ++i) {
      view.transform_slots_of(row)[i] = AutomatonSlot{};
    }
  }
  if constexpr (ChainType::SLOTS + StopType::SLOTS > 0) {
    if (!names_tables(chain, row) || !names_tables(stop, row)) return false;
    const RowView::Fields fields = view.fields(row);
    chain.start_slots(fields, view.transform_slots_of(row));
    stop.start_slots(fields, view.criterion_slots_of(row));
  }
  return true;
}

/// Moves the automata of a row over its prompt and then over `generated` more tokens, of which its
/// record takes in one after the other. False where a table is damaged: what had not been walked is
/// not in the record.
template <class ChainType, class StopType>
__device__ bool walk_history(const StateView& view, std::int64_t row, std::int32_t generated,
                             const ChainType& chain, const StopType& stop) {
  RowRecord& record = view.records[row];
  const std::int32_t* const tokens = view.tokens_of(row);
  if constexpr (ChainType::SLOTS + StopType::SLOTS > 0) {
    AutomatonSlot* const transforms = view.transform_slots_of(row);
    AutomatonSlot* const criteria = view.criterion_slots_of(row);
    RowView::Fields fields = view.fields(row);
    for (std::int32_t i = 0; i < fields.prompt_length + generated; ++i) {
      const bool own = i >= record.prompt_length;
      if (own) ++fields.generated;
      if (!chain.advance_slots(fields, transforms, tokens[i], own) ||
          !stop.advance_slots(fields, criteria, tokens[i], own)) {
        return false;
      }
      record.generated = fields.generated;
      if (own) record.last_token = tokens[i];
    }
  }
  record.generated = generated;
  if (generated > 0) record.last_token = tokens[record.prompt_length + generated - 1];
  return true;
}

template <class... Stages>
constexpr bool walks_distinct_tokens(const Composition<Stages...>*) {
  return (false || ... ||
          (has(components_of<Stages>(), Components::slot) &&
           has(components_of<Stages>(), Components::seen)));
}
/// True where an automaton reads the distinct tokens as they are when it gets there.
template <class Composed>
inline constexpr bool walks_distinct = walks_distinct_tokens(static_cast<const Composed*>(nullptr));

/// Appends generated tokens one by one, as commits do. False where a table is damaged.
template <class ChainType, class StopType>
__device__ bool append_history(const StateView& view, std::int64_t row, std::int32_t generated,
                               const ChainType& chain, const StopType& stop) {
  const std::int32_t* const tokens = view.tokens_of(row) + view.records[row].prompt_length;
  for (std::int32_t i = 0; i < generated; ++i) {
    const std::int32_t token = tokens[i];
    const std::int32_t known = find_seen(view, row, token);
    if (append_token(view, row, token, known, chain, stop) != Status::ok) return false;
  }
  return true;
}

/// A block per beginning. A row that still generates is not overwritten: it ends, as a row does
/// that a call names twice.
template <class ChainType, class StopType>
__global__ void __launch_bounds__(THREADS)
    begin_kernel(const __grid_constant__ ChainType chain, const __grid_constant__ StopType stop,
                 const __grid_constant__ StateView view, const Beginning* beginnings,
                 const std::int32_t* all_tokens) {
  __shared__ SeenChunk chunk;
  __shared__ std::int32_t walked;  // of the generated tokens
  __shared__ bool sound;
  const Beginning beginning = beginnings[blockIdx.x];
  const std::int64_t row = beginning.row;
  RowRecord& record = view.records[row];
  const bool generates = record.active != 0;
  __syncthreads();
  if (generates) {
    if (thread() == 0) end_row(record, Status::duplicate_row);
    return;
  }
  const std::int32_t total = beginning.prompt + beginning.generated;
  std::int32_t* const tokens = view.tokens_of(row);
  for (std::int64_t i = thread(); i < total; i += THREADS) {
    tokens[i] = all_tokens[beginning.first + i];
  }
  __syncthreads();
  RowRecord start{};
  start.seed = beginning.seed;
  start.admission = beginning.admission;
  start.prompt_length = beginning.prompt;
  start.budget = beginning.budget;
  start.status = Status::ok;
  if (thread() == 0) record = start;
  constexpr bool WALKS_DISTINCT = walks_distinct<ChainType> || walks_distinct<StopType>;
  if constexpr (WALKS_DISTINCT) {
    const std::int32_t size = make_seen_list(view, row, beginning.prompt, beginning.prompt, chunk);
    __syncthreads();
    if (thread() == 0) record.seen_size = size;
  }
  if (thread() == 0) {
    sound = start_automata(view, row, chain, stop);
    if constexpr (WALKS_DISTINCT) {
      sound = sound && walk_history(view, row, 0, chain, stop) &&
              append_history(view, row, beginning.generated, chain, stop);
    } else {
      sound = sound && walk_history(view, row, beginning.generated, chain, stop);
    }
    walked = record.generated;
  }
  __syncthreads();
  if constexpr (!WALKS_DISTINCT) {
    const std::int32_t size =
        make_seen_list(view, row, beginning.prompt, beginning.prompt + walked, chunk);
    if (thread() == 0) record.seen_size = size;
  }
  if (thread() != 0) return;
  if (!sound) {
    end_row(record, Status::invalid_table);
  } else if (record.generated >= record.budget) {
    finish_row(record, BUDGET_SPENT, {});
  } else {
    record.active = 1;
  }
}

}  // namespace logitchain::inline v0::detail::cuda
