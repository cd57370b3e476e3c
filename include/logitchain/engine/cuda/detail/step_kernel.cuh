// SPDX-License-Identifier: Apache-2.0
// The step as one kernel: a cluster of blocks per item, from its row of logits to the committed
// token; and the parts of a step, which are the same code with less of it.
#pragma once

#include <cstdint>

#include <logitchain/engine/cuda/detail/arguments.cuh>
#include <logitchain/engine/cuda/detail/load.cuh>
#include <logitchain/engine/cuda/detail/run_row.cuh>
#include <logitchain/engine/cuda/detail/run_streamed.cuh>

namespace logitchain::inline v0::detail::cuda {

/// Streams an active row, as far as that goes.
template <class ChainType>
__device__ __forceinline__ Streamed stream(const ChainType& chain, const StepArguments& arguments,
                                           const Item& item, const RowRecord& record,
                                           unsigned char* memory, Ring& ring, int& turn,
                                           bool wants_more) {
  const WholeRow part = row_of_block(arguments.view.vocab, arguments.strip,
                                     *reinterpret_cast<Shared*>(memory), Cluster::here(), nullptr);
  const auto* const logits =
      static_cast<const unsigned char*>(arguments.logits.row(item.logits_row));
  StreamedRow streamed{part, logits + std::int64_t{part.first} * size_of(arguments.logits.type),
                       arguments.logits.type, ring, arguments.strip};
  streamed.turn = turn;
  const Streamed came =
      run_streamed(chain, arguments.view.fields(item.state_row),
                   arguments.view.transform_slots_of(item.state_row),
                   listed_memory(memory, arguments.sizes), record, wants_more, streamed);
  turn = streamed.turn;
  ring = streamed.ring;
  __syncthreads();
  if (thread() == 0) streamed.shared->arrived = 0;
  return came;
}

__device__ inline void write_result(const StepArguments& arguments, std::int64_t item,
                                    const StepResult& result) {
  arguments.tokens.write(item, result.token);
  if (arguments.results) arguments.results[item] = result;
}

/// One item: its row from logits to results.
template <Part What, class ChainType, class StopType>
__device__ __forceinline__ void run_item(const ChainType& chain, const StopType& stop,
                                         const StepArguments& arguments, std::int32_t index,
                                         unsigned char* memory, Ring& ring) {
  Shared& shared = *reinterpret_cast<Shared*>(memory);
  const StateView& view = arguments.view;
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
  if constexpr (What != Part::apply) {
    if (item.duplicate && Cluster::here().rank == 0 && thread() == 0) {
      // The other item's cluster may be writing the record, and be half way through.
      StepResult result = result_of(record, -1);
      result.status = record.status == Status::ok ? Status::duplicate_row : record.status;
      write_result(arguments, index, result);
    }
  }
  // No block may write the row's record, or reach into another block, before all have read it.
  if (thread() == 0) shared.arrived = 0;
  bool meets = Cluster::here().size > 1;  // the others, once more
  if (meets) Cluster::here().arrive();
  Streamed streamed;
  int turn = 0;
  if constexpr (What != Part::apply && may_stream<ChainType>) {
    if (runs && arguments.streams) {
      if (meets) Cluster::here().wait();
      bool wants_more = false;
#pragma unroll 1
      do {
        __syncthreads();
        streamed = stream(chain, arguments, item, record, memory, ring, turn, wants_more);
        wants_more = !wants_more;
      } while (streamed.outcome == Streamed::Outcome::too_short);
      meets = meets && streamed.outcome == Streamed::Outcome::must_be_held;
      if (meets) Cluster::here().arrive();
    }
  }
  // Not before: a row that is streamed leaves no room in registers.
  const Cluster cluster = Cluster::here();
  float* const scores =
      arguments.scratch
          ? arguments.scratch + static_cast<std::int64_t>(blockIdx.x) * arguments.strip * WARPS
          : reinterpret_cast<float*>(memory + sizeof(Shared));
  WholeRow row = row_of_block(view.vocab, arguments.strip, shared, cluster, scores);
  row.turn = turn;
  if (runs && streamed.outcome == Streamed::Outcome::must_be_held) {
    load_row(row, arguments.logits.row(item.logits_row), arguments.logits.type);
  }
  if (meets) cluster.wait();
  __syncthreads();

  Drawn drawn{status, -1};
  if (runs) {
    drawn = transform_and_draw<What>(chain, view, item.state_row, record, row, streamed);
  }
  if constexpr (What == Part::apply) {
    if (runs && drawn.status == Status::ok) {
      store_row(row, arguments.scores.row(index), arguments.scores.type, arguments.scores.width);
    }
  }
  if (cluster.rank != 0) return;

  if (record.active && drawn.status != Status::ok) {
    if (thread() == 0) end_row(view.records[item.state_row], drawn.status);
  } else if constexpr (What == Part::step) {
    if (runs) commit_checked(chain, stop, view, item.state_row, drawn.token, shared);
  }
  if constexpr (What != Part::apply) {
    if (thread() == 0 && !item.duplicate) {
      StepResult result;
      if (item.state_row >= 0) {
        const RowRecord& after = view.records[item.state_row];
        const bool took = What == Part::draw || after.generated != record.generated;
        result = result_of(after, took ? drawn.token : -1);
      }
      write_result(arguments, index, result);
    }
  }
}

/// A cluster per item; where there are fewer of them, each takes several.
template <Part What, class ChainType, class StopType>
__global__ void __launch_bounds__(THREADS, 1)
    step_kernel(const __grid_constant__ ChainType chain, const __grid_constant__ StopType stop,
                const __grid_constant__ StepArguments arguments) {
  extern __shared__ __align__(16) unsigned char memory[];
  Ring ring(arguments.streams ? memory + sizeof(Shared) : nullptr, arguments.sizes.depth);
  const unsigned size = static_cast<unsigned>(Cluster::here().size);
  for (unsigned i = blockIdx.x / size; i < arguments.items.count; i += gridDim.x / size) {
    run_item<What>(chain, stop, arguments, static_cast<std::int32_t>(i), memory, ring);
    __syncthreads();
  }
}

}  // namespace logitchain::inline v0::detail::cuda
