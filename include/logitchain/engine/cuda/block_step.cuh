// SPDX-License-Identifier: Apache-2.0
// A decode step on one row, by one thread block, inside a kernel of one's own.
#pragma once

#include <cstddef>
#include <cstdint>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/cuda_engine.cuh>
#include <logitchain/engine/cuda/detail/call_checks.cuh>
#include <logitchain/engine/cuda/detail/load.cuh>
#include <logitchain/engine/cuda/detail/run_row.cuh>
#include <logitchain/engine/cuda/detail/shared.cuh>
#include <logitchain/state/row_record.hpp>
#include <logitchain/state/state_view.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

/// The step of `step(engine, ...)` as a block-wide collective: chain, draw, commit and stop
/// decision on a row of scores that the calling block has made itself, bit for bit what `step`
/// gives for the same float logits. The logits need not have been in global memory.
///
/// All threads of the block call its functions together, with the same arguments. The block has one
/// dimension of BLOCK_THREADS threads, its kernel `__launch_bounds__(512)`, without which the
/// compiler takes more registers than that many threads have; at most one block works on a row of a
/// state at a time, ordered behind `admit` by the stream.
/// While a call runs, barrier 1 of the block is its own; barrier 0 is `__syncthreads()`.
///
/// The state, its rows and its tables are those of `cuda_engine`: admitted with the same chain and
/// criterion, `state.view()` passed to the kernel by value. A kernel that is replayed by a CUDA
/// graph finds rows, numbers and seeds as they are then.
///
///     extern __shared__ __align__(16) unsigned char memory[];
///     using Step = lc::BlockStep<decltype(chain), decltype(stop)>;
///     auto& storage = *reinterpret_cast<Step::TempStorage*>(memory);
///     auto* scores = reinterpret_cast<float*>(memory + sizeof(storage));
///     for (int t = threadIdx.x; t < state.vocab; t += blockDim.x) scores[t] = my_logit(row, t);
///     const lc::StepResult result = Step(storage).step(chain, stop, state, row, scores);
///
/// @tparam ChainType what `chain(...)` gives
/// @tparam StopType what `criterion(...)` gives
/// @tparam BLOCK_THREADS threads of the block; 512 is what there is
template <class ChainType, class StopType = Criterion<>, int BLOCK_THREADS = detail::cuda::THREADS>
class BlockStep {
  static_assert(BLOCK_THREADS == detail::cuda::THREADS,
                "BlockStep: BLOCK_THREADS must be 512, the size that the chain's kernels are "
                "written for");

 public:
  /// Shared memory of the block that calls need and nothing else may use meanwhile: 72 KB, more
  /// than a kernel may declare, so it is part of the dynamic shared memory of its launch. Nothing
  /// of it outlives a call.
  struct alignas(16) TempStorage {
    unsigned char bytes[sizeof(detail::cuda::Shared)];
  };

  /// Floats of room for the scores of a row: the vocabulary, made up to a multiple of 4,096.
  LOGITCHAIN_HD static constexpr std::int64_t places(std::int64_t vocab) {
    return std::int64_t{detail::cuda::strip_of(vocab, 1)} * detail::cuda::WARPS;
  }
  /// Dynamic shared memory of a launch whose blocks have their scores in it: what
  /// `cudaFuncAttributeMaxDynamicSharedMemorySize` must allow. 227 KB hold 36,864 tokens; the
  /// scores of more lie in global memory, and the launch takes `sizeof(TempStorage)`.
  LOGITCHAIN_HD static constexpr std::size_t shared_bytes(std::int64_t vocab) {
    return sizeof(TempStorage) + static_cast<std::size_t>(places(vocab)) * sizeof(float);
  }

  /// Refuses what a kernel cannot: a state of another device or made for other stages, numbers for
  /// fewer rows than it has. To be called on the host in front of a launch.
  /// @throws invalid_argument
  static void check(const cuda_engine& engine, const StepState& state, const ChainType& chain,
                    const StopType& stop = {}) {
    detail::cuda::check_state("BlockStep", engine, state);
    detail::check_fit("BlockStep", "chain", chain, state, false);
    detail::check_fit("BlockStep", "criterion", stop, state, false);
  }

  /// @param storage in shared memory
  __device__ explicit BlockStep(TempStorage& storage)
      : shared_(*reinterpret_cast<detail::cuda::Shared*>(storage.bytes)) {}

  /// One step of a row. A row that is not active, or that is none of the state's, is left alone; a
  /// fault of the row's data ends it with a status.
  /// @param state `StepState::view()` of a state on this device
  /// @param row of the state
  /// @param scores `[places(vocab)]` in shared or global memory, logit of token t at place t; they
  /// are overwritten. What the block's threads wrote there is seen: no barrier is needed in between
  /// @return the row's record, the same for every thread; `token` is -1 where nothing was drawn,
  /// and the status `released` where the state has no such row. All of the block has left `storage`
  /// and `scores`, whatever became of the row
  __device__ StepResult step(const ChainType& chain, const StopType& stop, const StateView& state,
                             std::int64_t row, float* scores) const {
    using namespace detail::cuda;
    const bool is_there = row >= 0 && row < state.rows;
    const RowRecord record = is_there ? state.records[row] : RowRecord{};
    if (!is_there || !record.active) {
      __syncthreads();
      return is_there ? detail::result_of(record, -1) : StepResult{};
    }
    const Drawn drawn = draw<Part::step>(chain, state, row, record, scores);
    if (drawn.status == Status::ok) {
      commit_checked(chain, stop, state, row, drawn.token, shared_);
    } else if (thread() == 0) {
      detail::end_row(state.records[row], drawn.status);
    }
    __syncthreads();
    const RowRecord& after = state.records[row];
    return detail::result_of(after, after.generated != record.generated ? drawn.token : -1);
  }

  /// The chain alone: scores in place, FILTER where a token was removed; nothing is drawn or
  /// committed. A fault is the answer's, not the row's.
  /// @param scores as for `step`; places beyond the vocabulary are left alone
  /// @return `ok`, or why the scores are worth nothing; the status of a row that is not active,
  /// whose scores are left alone
  __device__ Status apply(const ChainType& chain, const StateView& state, std::int64_t row,
                          float* scores) const {
    using namespace detail::cuda;
    const bool is_there = row >= 0 && row < state.rows;
    const RowRecord record = is_there ? state.records[row] : RowRecord{};
    if (!is_there || !record.active) {
      __syncthreads();
      return is_there ? record.status : Status::released;
    }
    const Drawn drawn = draw<Part::apply>(chain, state, row, record, scores);
    __syncthreads();
    return drawn.status;
  }

 private:
  template <detail::cuda::Part What>
  __device__ detail::cuda::Drawn draw(const ChainType& chain, const StateView& state,
                                      std::int64_t row, const RowRecord& record,
                                      float* scores) const {
    using namespace detail::cuda;
    const Status status = chain.check_row(state.fields(row), state.transform_slots_of(row));
    WholeRow whole =
        row_of_block(state.vocab, strip_of(state.vocab, 1), shared_, Cluster::alone(), scores);
    __syncthreads();  // the scores are there, and all have read the record
    // Survivors are counted behind the barriers of the row's maximum.
    if (thread() == 0) shared_.arrived = 0;
    if (status != Status::ok) return {status, -1};
    return transform_and_draw<What>(chain, state, row, record, whole, Streamed{});
  }

  detail::cuda::Shared& shared_;
};

}  // namespace logitchain::inline v0
