// SPDX-License-Identifier: Apache-2.0
// Rows to bytes and back on the device: a block per row, the same bytes as the host writes.
#pragma once

#include <cstddef>
#include <cstdint>

#include <logitchain/core/automaton_slot.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/block.cuh>
#include <logitchain/engine/cuda/detail/seen_together.cuh>
#include <logitchain/state/commit.hpp>
#include <logitchain/state/row_blob.hpp>
#include <logitchain/state/state_view.hpp>

namespace logitchain::inline v0::detail::cuda {

/// Numbers at any address of a blob, lowest byte first, as the device has them.
struct BlobCursor {
  unsigned char* at;

  template <class T>
  __device__ void put(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      at[i] = static_cast<unsigned char>(static_cast<std::uint64_t>(value) >> (8 * i));
    }
    at += sizeof(T);
  }
  template <class T>
  __device__ T take() {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bits |= static_cast<std::uint64_t>(at[i]) << (8 * i);
    at += sizeof(T);
    return static_cast<T>(bits);
  }
};

/// The checksum of the host's, by one thread: its steps depend on each other.
__device__ inline std::uint64_t checksum_of(const unsigned char* bytes, std::int64_t count) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (std::int64_t i = 0; i < count; ++i) sum = (sum ^ bytes[i]) * 0x100000001b3u;
  return sum;
}

inline constexpr int SLOT_WORDS = sizeof(AutomatonSlot) / sizeof(std::uint32_t);

/// Writes the blob of a row; of a released one only a mark that no row has.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    save_kernel(const __grid_constant__ StateView view, std::int64_t row, unsigned char* blob) {
  const RowRecord record = view.records[row];
  BlobCursor head{blob};
  if (record.status == Status::released) {
    if (thread() == 0) head.put(std::uint64_t{0});
    return;
  }
  const std::int64_t total = std::int64_t{record.prompt_length} + record.generated;
  const std::int64_t bytes = RowBlob::bytes(total, view.slot_count);
  if (thread() == 0) {
    head.put(RowBlob::MARK);
    head.put(RowBlob::VERSION);
    head.put(view.vocab);
    head.put(view.transform_slots);
    head.put(view.slot_count - view.transform_slots);
    head.put(record.prompt_length);
    head.put(record.generated);
    head.put(record.budget);
    head.put(record.seed);
    head.put(record.admission);
    head.put(record.finish_begin);
    head.put(record.finish_entry);
    head.put(record.finish_criterion);
    head.put(static_cast<std::uint8_t>(record.status));
    head.put(record.active);
    head.put(std::uint32_t{0});
    head.put(bytes);
  }
  std::int32_t* const history = reinterpret_cast<std::int32_t*>(blob + RowBlob::HEAD);
  for (std::int64_t i = thread(); i < total; i += THREADS) history[i] = view.tokens_of(row)[i];
  if (view.slots) {
    const auto* const from = reinterpret_cast<const std::uint32_t*>(view.transform_slots_of(row));
    auto* const to = reinterpret_cast<std::uint32_t*>(history + total);
    for (int i = thread(); i < view.slot_count * SLOT_WORDS; i += THREADS) to[i] = from[i];
  }
  __syncthreads();
  if (thread() == 0) {
    BlobCursor end{blob + bytes - RowBlob::SUM};
    end.put(checksum_of(blob, bytes - RowBlob::SUM));
  }
}

/// The record that a blob tells of; `status` is `released` where it is damaged or does not fit.
__device__ inline RowRecord record_of_blob(const StateView& view, const unsigned char* blob,
                                           std::int64_t size) {
  const RowRecord none{};
  if (size < RowBlob::bytes(0, 0)) return none;
  BlobCursor in{const_cast<unsigned char*>(blob)};
  if (in.take<std::uint64_t>() != RowBlob::MARK) return none;
  if (in.take<std::uint32_t>() != RowBlob::VERSION) return none;
  if (in.take<std::int32_t>() != view.vocab) return none;
  if (in.take<std::int32_t>() != view.transform_slots) return none;
  if (in.take<std::int32_t>() != view.slot_count - view.transform_slots) return none;
  RowRecord record{};
  record.prompt_length = in.take<std::int32_t>();
  record.generated = in.take<std::int32_t>();
  record.budget = in.take<std::int32_t>();
  record.seed = in.take<std::uint64_t>();
  record.admission = in.take<std::uint64_t>();
  record.finish_begin = in.take<std::int64_t>();
  record.finish_entry = in.take<std::int32_t>();
  record.finish_criterion = in.take<std::int16_t>();
  record.status = static_cast<Status>(in.take<std::uint8_t>());
  record.active = in.take<std::uint8_t>();
  const bool reserved = in.take<std::uint32_t>() != 0;
  const std::int64_t stated = in.take<std::int64_t>();
  const std::int64_t total = std::int64_t{record.prompt_length} + record.generated;
  const std::int64_t width = std::int64_t{record.prompt_length} + record.budget;
  if (reserved || stated > size || record.prompt_length < 0 || record.generated < 0 ||
      stated != RowBlob::bytes(total, view.slot_count) || !has_sound_status(record) ||
      !has_sound_budget(record) || total > view.capacity || width > view.capacity) {
    return none;
  }
  BlobCursor end{const_cast<unsigned char*>(blob) + stated - RowBlob::SUM};
  const std::uint64_t sum = end.take<std::uint64_t>();
  return checksum_of(blob, stated - RowBlob::SUM) == sum ? record : none;
}

/// Puts a saved row into a slot. A slot that generates ends as a row does that a call names twice;
/// a blob that is damaged or does not fit ends it as `invalid_table`.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    load_kernel(const __grid_constant__ StateView view, std::int64_t row, const unsigned char* blob,
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
  const auto* const history = reinterpret_cast<const std::int32_t*>(blob + RowBlob::HEAD);
  bool sound = found.status != Status::released;
  if (sound) {
    for (std::int32_t i = thread(); i < total; i += THREADS) sound = sound && history[i] >= 0;
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
  for (std::int32_t i = thread(); i < total; i += THREADS) tokens[i] = history[i];
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
