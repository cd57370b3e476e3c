// SPDX-License-Identifier: Apache-2.0
// The step as one kernel: a cluster of blocks per item, from its row of logits to the committed
// token; and the parts of a step, which are the same code with less of it.
#pragma once

#include <cstdint>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/core/philox.hpp>
#include <logitchain/core/wide_integer.hpp>
#include <logitchain/engine/cuda/detail/arguments.cuh>
#include <logitchain/engine/cuda/detail/commit_row.cuh>
#include <logitchain/engine/cuda/detail/load.cuh>
#include <logitchain/engine/cuda/detail/run_chain.cuh>
#include <logitchain/state/commit.hpp>

namespace logitchain::inline v0::detail::cuda {

/// How much of a step a kernel does.
enum class Part { step, apply, draw };

/// Draws one token; -1 where the row has no distribution.
template <bool IsList>
__device__ std::int32_t draw_token(Row<IsList>& row, const RowRecord& record) {
  require(row, Numbers::total);
  if (!row.has_distribution) return -1;
  const std::uint64_t random =
      draw_number(record.seed, static_cast<std::uint64_t>(record.generated));
  const float maximum = row.numbers.maximum;
  return token_at(row, mulhi(random, row.numbers.total),
                  [&](std::int32_t, float score) { return mass(sub(score, maximum)); });
}

/// The row of an item, empty, in this block's part of the cluster.
__device__ inline WholeRow row_of_block(const StepArguments& arguments, Shared& shared,
                                        Cluster cluster, float* scores) {
  WholeRow row;
  row.shared = &shared;
  row.cluster = cluster;
  row.scores = scores;
  row.vocab = arguments.view.vocab;
  const std::int64_t first = static_cast<std::int64_t>(arguments.strip) * WARPS * cluster.rank;
  const std::int64_t left = row.vocab - first;
  const std::int64_t places = static_cast<std::int64_t>(arguments.strip) * WARPS;
  row.first = static_cast<std::int32_t>(first);
  row.size = static_cast<std::int32_t>(left < 0 ? 0 : left < places ? left : places);
  row.divide(arguments.strip);
  return row;
}

/// What became of an active row up to its draw.
struct Outcome {
  Status status = Status::ok;
  std::int32_t token = -1;  ///< in the first block of the cluster
};

/// Runs the chain on a loaded row and draws. Only the first block's outcome tells of the draw: the
/// others may have been let go before.
template <Part What, class ChainType>
__device__ Outcome transform_and_draw(const ChainType& chain, const StepArguments& arguments,
                                      const Item& item, const RowRecord& record, WholeRow& row) {
  const RowView::Fields fields = arguments.view.fields(item.state_row);
  const AutomatonSlot* const slots = arguments.view.transform_slots_of(item.state_row);
  const Narrowed narrowed = run_on_whole < What != Part::apply > (chain, fields, slots, row);
  Outcome outcome;
  if (narrowed.stage >= 0) {
    if (row.cluster.rank != 0) return outcome;
    ListRow list = list_of_pushed(row, narrowed.count);
    list.numbers = row.numbers;
    list.known = row.known;
    list.has_distribution = row.has_distribution;
    run_on_list(chain, fields, slots, list, narrowed.stage);
    outcome.status = list.fault;
    if (outcome.status == Status::ok) outcome.token = draw_token(list, record);
  } else {
    outcome.status = row.fault;
    if (outcome.status != Status::ok) return outcome;
    if constexpr (What == Part::apply) return outcome;
    outcome.token = draw_token(row, record);
  }
  if (outcome.status == Status::ok && outcome.token < 0) {
    outcome.status = Status::undefined_distribution;
  }
  return outcome;
}

/// One item: its row from logits to results.
template <Part What, class ChainType, class StopType>
__device__ void run_item(const ChainType& chain, const StopType& stop,
                         const StepArguments& arguments, std::int64_t index, Shared& shared,
                         float* scores) {
  const StateView& view = arguments.view;
  WholeRow row = row_of_block(arguments, shared, Cluster::here(), scores);
  const Item item = Item::of(arguments.items, arguments.logits.rows, view.rows, index);
  RowRecord record{};
  Status status = Status::released;
  if (item.state_row >= 0) {
    record = view.records[item.state_row];
    status = record.status;
    if (record.active) {
      const RowView::Fields fields = view.fields(item.state_row);
      status = item.duplicate ? Status::duplicate_row
                              : chain.check_row(fields, view.transform_slots_of(item.state_row));
    }
  }
  const bool runs = record.active && status == Status::ok;
  // No block may write the row's record, or reach into another block, before all have read it.
  if (thread() == 0) shared.arrived = 0;
  if (row.cluster.size > 1) row.cluster.arrive();
  if (runs) load_row(row, arguments.logits.row(item.logits_row), arguments.logits.type);
  if (row.cluster.size > 1) row.cluster.wait();
  __syncthreads();

  Outcome outcome{status, -1};
  if (runs) outcome = transform_and_draw<What>(chain, arguments, item, record, row);
  if constexpr (What == Part::apply) {
    if (runs && outcome.status == Status::ok) {
      store_row(row, arguments.scores.row(index), arguments.scores.type, arguments.scores.width);
    }
  }
  if (row.cluster.rank != 0) return;

  if constexpr (What == Part::step) {
    // Not before: a row with two faults ends by the one that its parts would meet first.
    if (runs && outcome.status == Status::ok) {
      outcome.status =
          stop.check_row(view.fields(item.state_row), view.criterion_slots_of(item.state_row));
      __syncthreads();  // all have read the row
    }
  }
  if (record.active && outcome.status != Status::ok) {
    if (thread() == 0) end_row(view.records[item.state_row], outcome.status);
  } else if constexpr (What == Part::step) {
    if (runs) commit_drawn(view, item.state_row, outcome.token, chain, stop, shared);
  }
  if constexpr (What != Part::apply) {
    if (thread() == 0) {
      StepResult result;
      if (item.duplicate) {
        // The other item's cluster may be writing the record.
        result = result_of(record, -1);
        result.status = status;
      } else if (item.state_row >= 0) {
        const RowRecord& after = view.records[item.state_row];
        const bool took = What == Part::draw || after.generated != record.generated;
        result = result_of(after, took ? outcome.token : -1);
      }
      arguments.tokens.write(index, result.token);
      if (arguments.results) arguments.results[index] = result;
    }
  }
}

/// A cluster per item; where there are fewer of them, each takes several.
template <Part What, class ChainType, class StopType>
__global__ void __launch_bounds__(THREADS, 1)
    step_kernel(const __grid_constant__ ChainType chain, const __grid_constant__ StopType stop,
                const __grid_constant__ StepArguments arguments) {
  extern __shared__ __align__(16) unsigned char memory[];
  Shared& shared = *reinterpret_cast<Shared*>(memory);
  const Cluster cluster = Cluster::here();
#if __CUDA_ARCH__ >= 900
  float* const scores = reinterpret_cast<float*>(memory + sizeof(Shared));
#else
  float* const scores =
      arguments.scratch + static_cast<std::int64_t>(blockIdx.x) * arguments.strip * WARPS;
#endif
  const std::int64_t step = gridDim.x / static_cast<unsigned>(cluster.size);
  for (std::int64_t i = blockIdx.x / static_cast<unsigned>(cluster.size); i < arguments.items.count;
       i += step) {
    run_item<What>(chain, stop, arguments, i, shared, scores);
    __syncthreads();
  }
}

}  // namespace logitchain::inline v0::detail::cuda
