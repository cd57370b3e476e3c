// SPDX-License-Identifier: Apache-2.0
// Rows end, and are copied: kernels that know no chain, and are templates all the same so that
// several files may include them.
#pragma once

#include <cstdint>

#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/block.cuh>
#include <logitchain/state/state_view.hpp>

namespace logitchain::inline v0::detail::cuda {

/// Empty records for the rows listed; an index outside of [0, rows) is skipped.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    release_kernel(const __grid_constant__ StateView view, const std::int32_t* rows,
                   std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * THREADS + threadIdx.x;
  if (i >= count) return;
  const std::int64_t row = rows[i];
  if (row >= 0 && row < view.rows) view.records[row] = RowRecord{};
}

/// One flag per row: 1 where it finished.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    stopped_kernel(const __grid_constant__ StateView view, std::uint8_t* flags) {
  const std::int64_t row = std::int64_t{blockIdx.x} * THREADS + threadIdx.x;
  if (row < view.rows) flags[row] = view.records[row].status == Status::finished ? 1 : 0;
}

template <class T>
__device__ void copy_together(const T* from, T* to, std::int64_t count) {
  for (std::int64_t i = thread(); i < count; i += THREADS) to[i] = from[i];
}

/// Copies what a row holds; of long components only the part in use.
__device__ inline void copy_row(const StateView& from, std::int64_t source, const StateView& to,
                                std::int64_t target) {
  const RowRecord record = from.records[source];
  if (thread() == 0) to.records[target] = record;
  if (record.status == Status::released) return;
  copy_together(from.tokens_of(source), to.tokens_of(target),
                std::int64_t{record.prompt_length} + record.generated);
  if (from.seen) {
    copy_together(from.seen_of(source), to.seen_of(target), record.seen_size);
    copy_together(from.seen_bits_of(source), to.seen_bits_of(target), from.seen_words);
  }
  if (from.slots) {
    copy_together(from.transform_slots_of(source), to.transform_slots_of(target), from.slot_count);
  }
}

/// True where row `row` becomes another one's copy.
__device__ inline bool has_parent(const StateView& view, const std::int32_t* parents,
                                  std::int64_t row) {
  return parents[row] >= 0 && parents[row] < view.rows;
}

/// A block per row: what it will be goes to the copy.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    gather_out_kernel(const __grid_constant__ StateView view,
                      const __grid_constant__ StateView copy, const std::int32_t* parents) {
  const std::int64_t row = blockIdx.x;
  if (has_parent(view, parents, row)) copy_row(view, parents[row], copy, row);
}

/// A block per row: it is fetched from the copy. A parent outside of the state is no row's data:
/// its row ends.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    gather_back_kernel(const __grid_constant__ StateView view,
                       const __grid_constant__ StateView copy, const std::int32_t* parents,
                       const std::uint64_t* seeds) {
  const std::int64_t row = blockIdx.x;
  if (has_parent(view, parents, row)) {
    copy_row(copy, row, view, row);
    __syncthreads();
    if (seeds && thread() == 0) view.records[row].seed = seeds[row];
  } else if (parents[row] != -1 && thread() == 0 && view.records[row].active) {
    view.records[row].status = Status::invalid_parameter;
    view.records[row].active = 0;
  }
}

}  // namespace logitchain::inline v0::detail::cuda
