// SPDX-License-Identifier: Apache-2.0
// Tokens that came from elsewhere become part of their rows: a block per item.
#pragma once

#include <cstdint>

#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/arguments.cuh>
#include <logitchain/engine/cuda/detail/block.cuh>
#include <logitchain/engine/cuda/detail/commit_row.cuh>
#include <logitchain/state/commit.hpp>
#include <logitchain/state/state_view.hpp>

namespace logitchain::inline v0::detail::cuda {

/// What a commit is given, by value; arrays lie in device memory.
struct CommitArguments {
  StateView view;
  ItemsArgument items;           ///< `logits_row` is the row of tokens
  const void* tokens = nullptr;  ///< [rows, each]
  bool wide = false;             ///< 64-bit ids
  std::int64_t rows = 0;
  std::int64_t each = 0;                 ///< tokens of a row, side by side
  const std::int32_t* counts = nullptr;  ///< [rows] of `each` that are taken; null: all
  StepResult* results = nullptr;         ///< [items]; null: not asked for

  __device__ std::int64_t token(std::int64_t row, std::int64_t j) const {
    const std::int64_t i = row * each + j;
    return wide ? static_cast<const std::int64_t*>(tokens)[i]
                : static_cast<const std::int32_t*>(tokens)[i];
  }
};

/// What keeps an active row from being committed to: its numbers and tables, or the tokens.
template <class ChainType, class StopType>
__device__ Status check_commit(const ChainType& chain, const StopType& stop,
                               const CommitArguments& arguments, const Item& item,
                               std::int64_t count) {
  const StateView& view = arguments.view;
  if (item.duplicate) return Status::duplicate_row;
  const RowView::Fields fields = view.fields(item.state_row);
  Status status = chain.check_row(fields, view.transform_slots_of(item.state_row));
  if (status == Status::ok) {
    status = stop.check_row(fields, view.criterion_slots_of(item.state_row));
  }
  if (status != Status::ok) return status;
  if (count < 0 || count > arguments.each) return Status::invalid_parameter;
  for (std::int64_t j = 0; j < count; ++j) {
    const std::int64_t token = arguments.token(item.logits_row, j);
    if (token < -1 || token >= view.vocab) return Status::invalid_parameter;
  }
  return Status::ok;
}

/// A block per item. Items that name one row end it, and tell of its record as they found it: any
/// other may be writing it by then.
template <class ChainType, class StopType>
__global__ void __launch_bounds__(THREADS)
    commit_kernel(const __grid_constant__ ChainType chain, const __grid_constant__ StopType stop,
                  const __grid_constant__ CommitArguments arguments) {
  __shared__ std::int32_t place;
  __shared__ bool going;
  const std::int64_t index = blockIdx.x;
  const StateView& view = arguments.view;
  const Item item = Item::of(arguments.items, arguments.rows, view.rows, index);
  RowRecord before{};
  std::int32_t last = -1;
  if (item.state_row >= 0) {
    RowRecord& record = view.records[item.state_row];
    before = record;
    const std::int64_t count =
        arguments.counts ? arguments.counts[item.logits_row] : arguments.each;
    bool goes = before.active != 0;
    const Status status = goes ? check_commit(chain, stop, arguments, item, count) : Status::ok;
    __syncthreads();  // all have read the record
    if (status != Status::ok) {
      goes = false;
      if (thread() == 0) end_row(record, status);
    }
    for (std::int64_t j = 0; goes && j < count; ++j) {
      const std::int64_t token = arguments.token(item.logits_row, j);
      if (token < 0) continue;
      const std::int32_t id = static_cast<std::int32_t>(token);
      const std::int32_t known = find_seen_together(view, item.state_row, id, place);
      if (thread() == 0) {
        const Status after = commit_token_at(view, item.state_row, token, known, chain, stop);
        if (after == Status::ok || after == Status::finished) last = id;
        going = after == Status::ok;
      }
      __syncthreads();
      goes = going;
      __syncthreads();  // before it is written again
    }
  }
  if (arguments.results && thread() == 0) {
    StepResult result{};
    if (item.duplicate) {
      result = result_of(before, -1);
      // Where the other item was first the record says so by itself.
      if (before.status == Status::ok) result.status = Status::duplicate_row;
    } else if (item.state_row >= 0) {
      result = result_of(view.records[item.state_row], last);
    }
    arguments.results[index] = result;
  }
}

}  // namespace logitchain::inline v0::detail::cuda
