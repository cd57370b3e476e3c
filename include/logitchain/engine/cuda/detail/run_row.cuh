// SPDX-License-Identifier: Apache-2.0
// What becomes of one row whose logits are there: chain, draw, commit, stop.
#pragma once

#include <cstdint>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/commit_row.cuh>
#include <logitchain/engine/cuda/detail/draw.cuh>
#include <logitchain/engine/cuda/detail/run_chain.cuh>
#include <logitchain/engine/cuda/detail/run_streamed.cuh>
#include <logitchain/state/commit.hpp>
#include <logitchain/state/state_view.hpp>

namespace logitchain::inline v0::detail::cuda {

/// How much of a step a kernel does.
enum class Part { step, apply, draw };

/// A row, empty, in this block's part of the cluster.
/// @param strip places of a warp
/// @param scores room for the block's places
__device__ inline WholeRow row_of_block(std::int32_t vocab, std::int32_t strip, Shared& shared,
                                        Cluster cluster, float* scores) {
  WholeRow row;
  row.shared = &shared;
  row.cluster = cluster;
  row.scores = scores;
  row.vocab = vocab;
  const std::int64_t first = std::int64_t{strip} * WARPS * cluster.rank;
  const std::int64_t left = row.vocab - first;
  const std::int64_t places = std::int64_t{strip} * WARPS;
  row.first = static_cast<std::int32_t>(first);
  row.size = static_cast<std::int32_t>(left < 0 ? 0 : left < places ? left : places);
  row.divide(strip);
  return row;
}

/// What became of an active row up to its draw.
struct Drawn {
  Status status = Status::ok;
  std::int32_t token = -1;  ///< in the first block of the cluster
};

/// Runs the chain, or what is left of it, and draws. Only the first block is told of the
/// draw: the others may have been let go before.
template <Part What, class ChainType>
__device__ Drawn transform_and_draw(const ChainType& chain, const StateView& view,
                                    std::int64_t state_row, const RowRecord& record, WholeRow& row,
                                    const Streamed& streamed) {
  Drawn drawn;
  // The first block may be at its commit: the others look at the row no more.
  if (row.cluster.rank != 0 && streamed.outcome != Streamed::Outcome::must_be_held) return drawn;
  const RowView::Fields fields = view.fields(state_row);
  const AutomatonSlot* const slots = view.transform_slots_of(state_row);
  if constexpr (What == Part::apply) {
    run_on_whole<false>(chain, fields, slots, row);
    drawn.status = row.fault;
    return drawn;
  }
  if (streamed.outcome == Streamed::Outcome::ended) {
    drawn = {streamed.status, streamed.token};
  } else {
    bool is_listed = streamed.outcome == Streamed::Outcome::listed;
    std::int32_t stage = streamed.stage;
    ListRow list = streamed.list;
    if (!is_listed) {
      const Narrowed narrowed = run_on_whole<true>(chain, fields, slots, row);
      is_listed = narrowed.stage >= 0;
      if (is_listed) {
        stage = narrowed.stage;
        list.threads = threads_for(narrowed.count);
        __syncthreads();  // the others have read what was exchanged
        if (row.cluster.rank == 0 && thread() < list.threads)
          list = list_of_pushed(row, narrowed.count);
        list.numbers = row.numbers;
        list.known = row.known;
        list.has_distribution = row.has_distribution;
      }
    }
    if (is_listed) {
      if (row.cluster.rank != 0) return drawn;
      if (thread() < list.threads) {
        run_on_list(chain, fields, slots, list, stage);
        drawn.status = list.fault;
        if (drawn.status == Status::ok) drawn.token = draw_token(list, record);
        if (thread() == 0) {
          row.shared->told = static_cast<std::int32_t>(drawn.status);
          row.shared->length = drawn.token;
        }
      }
      __syncthreads();
      drawn = {static_cast<Status>(row.shared->told), row.shared->length};
      __syncthreads();
    } else {
      drawn.status = row.fault;
      if (drawn.status == Status::ok) drawn.token = draw_token(row, record);
    }
  }
  if (drawn.status == Status::ok && drawn.token < 0) {
    drawn.status = Status::undefined_distribution;
  }
  return drawn;
}

/// Commits the drawn token of a row, or ends the row where a number of the criterion is out of its
/// range: not before the draw, for a row with two faults ends by the one that its parts would meet
/// first. Called by all threads of one block; thread 0 sees the record written.
template <class ChainType, class StopType>
__device__ void commit_checked(const ChainType& chain, const StopType& stop, const StateView& view,
                               std::int64_t row, std::int32_t token, Shared& shared) {
  const Status status = stop.check_row(view.fields(row), view.criterion_slots_of(row));
  __syncthreads();  // all have read the row
  if (status == Status::ok) {
    commit_drawn(view, row, token, chain, stop, shared);
  } else if (thread() == 0) {
    end_row(view.records[row], status);
  }
}

}  // namespace logitchain::inline v0::detail::cuda
