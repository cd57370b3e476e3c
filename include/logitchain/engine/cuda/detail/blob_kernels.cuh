// SPDX-License-Identifier: Apache-2.0
// Rows to bytes and back on the device: a block per row, the same bytes as the host writes.
#pragma once

#include <cstddef>
#include <cstdint>

#include <logitchain/core/automaton_slot.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/block.cuh>
#include <logitchain/engine/cuda/detail/seen_together.cuh>
#include <logitchain/state/bytes.hpp>
#include <logitchain/state/commit.hpp>
#include <logitchain/state/row_blob.hpp>
#include <logitchain/state/state_view.hpp>

namespace logitchain::inline v0::detail::cuda {

/// The checksum of the host's, of words, by one thread: its steps depend on each other.
__device__ inline std::uint64_t checksum_of(const std::byte* blob, std::int64_t bytes) {
  return checksum(reinterpret_cast<const std::uint32_t*>(blob), bytes / 4);
}

inline constexpr int SLOT_WORDS = sizeof(AutomatonSlot) / sizeof(std::uint32_t);

/// Writes the blob of a row; of a released one only a mark that no row has.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    save_kernel(const __grid_constant__ StateView view, std::int64_t row, std::byte* blob) {
  const RowRecord record = view.records[row];
  if (record.status == Status::released) {
    if (thread() == 0) ByteWriter{blob}(std::uint64_t{0});
    return;
  }
  const BlobHead head = head_of_row(view, record);
  const std::int64_t total = head.tokens();
  if (thread() == 0) visit_head(head, ByteWriter{blob});
  std::int32_t* const history = reinterpret_cast<std::int32_t*>(blob + BlobHead::BYTES);
  for (std::int64_t i = thread(); i < total; i += THREADS) history[i] = view.tokens_of(row)[i];
  if (view.slots) {
    const auto* const from = reinterpret_cast<const std::uint32_t*>(view.transform_slots_of(row));
    auto* const to = reinterpret_cast<std::uint32_t*>(history + total);
    for (int i = thread(); i < view.slot_count * SLOT_WORDS; i += THREADS) to[i] = from[i];
  }
  __syncthreads();
  if (thread() == 0) {
    const std::int64_t summed = head.bytes - RowBlob::SUM;
    ByteWriter{blob + summed}(checksum_of(blob, summed));
  }
}

/// The record that a blob tells of; `status` is `released` where it is damaged or does not fit.
__device__ inline RowRecord record_of_blob(const StateView& view, const std::byte* blob,
                                           std::int64_t size) {
  const RowRecord none{};
  if (size < RowBlob::bytes(0, 0)) return none;
  BlobHead head;
  visit_head(head, ByteReader{blob});
  const RowRecord& record = head.record;
  const std::int64_t total = head.tokens();
  const std::int64_t width = std::int64_t{record.prompt_length} + record.budget;
  if (head.mark != BlobHead::MARK || head.version != BlobHead::VERSION ||
      head.vocab != view.vocab || head.transform_slots != view.transform_slots ||
      head.criterion_slots != view.slot_count - view.transform_slots || head.reserved != 0 ||
      head.bytes > size || record.prompt_length < 0 || record.generated < 0 ||
      head.bytes != RowBlob::bytes(total, view.slot_count) || !has_sound_status(record) ||
      !has_sound_budget(record) || total > view.capacity || width > view.capacity) {
    return none;
  }
  const std::int64_t summed = head.bytes - RowBlob::SUM;
  const std::uint64_t stated = ByteReader{blob + summed}.take<std::uint64_t>();
  return checksum_of(blob, summed) == stated ? record : none;
}

/// Puts a saved row into a slot. A slot that generates ends as a row does that a call names twice;
/// a blob that is damaged or does not fit ends it as `invalid_table`.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    load_kernel(const __grid_constant__ StateView view, std::int64_t row, const std::byte* blob,
                std::int64_t size) {
  __shared__ SeenChunk chunk;
  __shared__ RowRecord found;
  const bool generates = view.records[row].active != 0;
  __syncthreads();
  if (generates) {
    if (thread() == 0) end_row(view.records[row], Status::duplicate_row);
    return;
  }
  if (thread() == 0) found = record_of_blob(view, blob, size);
  __syncthreads();
  const std::int32_t total = found.prompt_length + found.generated;
  const auto* const history = reinterpret_cast<const std::int32_t*>(blob + BlobHead::BYTES);
  bool sound = found.status != Status::released;
  if (sound) {
    for (std::int64_t i = thread(); i < total; i += THREADS) sound = sound && history[i] >= 0;
  }
  if (!__syncthreads_and(sound)) {
    if (thread() == 0) {
      RowRecord refused{};
      refused.status = Status::invalid_table;
      view.records[row] = refused;
    }
    return;
  }
  std::int32_t* const tokens = view.tokens_of(row);
  for (std::int64_t i = thread(); i < total; i += THREADS) tokens[i] = history[i];
  if (view.slots) {
    const auto* const from = reinterpret_cast<const std::uint32_t*>(history + total);
    auto* const to = reinterpret_cast<std::uint32_t*>(view.transform_slots_of(row));
    for (int i = thread(); i < view.slot_count * SLOT_WORDS; i += THREADS) to[i] = from[i];
  }
  __syncthreads();
  const std::int32_t seen = make_seen_list(view, row, found.prompt_length, total, chunk);
  if (thread() != 0) return;
  found.seen_size = seen;
  found.last_token = found.generated > 0 ? tokens[total - 1] : -1;
  view.records[row] = found;
}

}  // namespace logitchain::inline v0::detail::cuda
