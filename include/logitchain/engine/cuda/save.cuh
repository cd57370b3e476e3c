// SPDX-License-Identifier: Apache-2.0
// A row as a blob of bytes that another state, process, machine or engine goes on with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

#include <logitchain/core/error.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/engine/cuda/cuda_engine.cuh>
#include <logitchain/engine/cuda/detail/blob_kernels.cuh>
#include <logitchain/engine/cuda/detail/call_checks.cuh>
#include <logitchain/engine/cuda/detail/launch_blocks.cuh>
#include <logitchain/engine/cuda/detail/stream_buffer.cuh>
#include <logitchain/engine/cuda/detail/upload.cuh>
#include <logitchain/engine/cuda/error.cuh>
#include <logitchain/state/bytes.hpp>
#include <logitchain/state/row_blob.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

/// Bytes that the blob of any row of a state fits into.
inline std::int64_t row_blob_bytes(const StepState& state) {
  return detail::RowBlob::bytes(state.shape().capacity, state.view().slot_count);
}

namespace detail::cuda {

inline void check_blob(const char* where, const void* blob) {
  if (reinterpret_cast<std::uintptr_t>(blob) % 4 != 0) {
    refuse_call(where, ": the blob begins at ", blob, "; it must begin at a multiple of 4");
  }
}

}  // namespace detail::cuda

/// Writes a row as bytes, in the order of the stream; nothing waits. The blob says how long it is;
/// the rest of the memory is left as it was. That of a released row is refused by `load_row`. One
/// thread of the device goes over all bytes for the checksum, one after the other: of a long
/// history that takes most of the time, and is in proportion to its length.
/// @param blob device memory, or host memory that the device reaches, of `row_blob_bytes(state)`
/// bytes at a multiple of 4
/// @throws invalid_argument for a row outside of [0, rows) and for memory that is too small;
/// runtime_error where the launch fails
template <class = void>
void save_row(const cuda_engine& engine, const StepState& state, std::int64_t row,
              device_span<std::byte> blob) {
  using namespace detail::cuda;
  constexpr const char* where = "save_row";
  check_state(where, engine, state);
  state.check_row(where, "row", row);
  check_blob(where, blob.data());
  if (blob.size() < row_blob_bytes(state)) {
    refuse(where, "the size of the blob", blob.size(),
           detail::text_of("at least ", row_blob_bytes(state), ", row_blob_bytes(state)"));
  }
  launch_blocks(where, engine, save_kernel<THREADS>, 1, state.view(), row, blob.data());
}

/// The same into host memory: waits for the stream.
/// @throws as the one above; invalid_argument for a row that was released as well, runtime_error
/// where there is no memory for the blob
template <class = void>
std::vector<std::byte> save_row(const cuda_engine& engine, const StepState& state,
                                std::int64_t row) {
  using namespace detail::cuda;
  constexpr const char* where = "save_row";
  check_state(where, engine, state);
  state.check_row(where, "row", row);
  const std::size_t most = static_cast<std::size_t>(row_blob_bytes(state));
  const StreamBuffer scratch = scratch_of(where, engine, most);
  save_row(engine, state, row,
           device_span<std::byte>(scratch.data(), static_cast<std::int64_t>(most)));
  std::vector<std::byte> blob(most);
  check(
      where, "cudaMemcpyAsync",
      cudaMemcpyAsync(blob.data(), scratch.data(), most, cudaMemcpyDeviceToHost, engine.stream()));
  check(where, "cudaStreamSynchronize", cudaStreamSynchronize(engine.stream()));
  detail::BlobHead head;
  detail::visit_head(head, detail::ByteReader{blob.data()});
  if (head.mark != detail::BlobHead::MARK) refuse_call(where, ": row ", row, " holds nothing");
  blob.resize(static_cast<std::size_t>(head.bytes));
  return blob;
}

/// Puts a saved row into a slot, in the order of the stream; nothing waits. A slot that generates
/// when the stream comes to this ends as `duplicate_row`; a blob that is damaged, or does not fit
/// the state, ends it as `invalid_table`. The checksum costs what it does in `save_row`.
/// @param blob device memory, or host memory that the device reaches, at a multiple of 4
/// @throws invalid_argument for a row outside of [0, rows); runtime_error where the launch fails
template <class = void>
void load_row(const cuda_engine& engine, StepState& state, std::int64_t row,
              device_span<const std::byte> blob) {
  using namespace detail::cuda;
  constexpr const char* where = "load_row";
  check_state(where, engine, state);
  state.check_row(where, "row", row);
  check_blob(where, blob.data());
  launch_blocks(where, engine, load_kernel<THREADS>, 1, state.view(), row, blob.data(),
                blob.size());
}

/// The same from host memory, which may go when this returns; nothing waits.
/// @throws invalid_argument for a blob of another vocabulary, other automata, or with no room here
/// as well; runtime_error for a damaged one, and where memory cannot be had. Nothing is changed
/// then
template <class = void>
void load_row(const cuda_engine& engine, StepState& state, std::int64_t row,
              host_span<const std::byte> blob) {
  using namespace detail::cuda;
  constexpr const char* where = "load_row";
  check_state(where, engine, state);
  state.check_row(where, "row", row);
  detail::check_blob_fits(detail::open_blob(blob), state);
  std::vector<std::byte> padded(blob.begin(), blob.end());
  padded.resize((padded.size() + 3) / 4 * 4);
  const StreamBuffer scratch = scratch_of(where, engine, padded.size());
  upload(where, engine, scratch.data(), padded.data(), padded.size());
  load_row(engine, state, row, device_span<const std::byte>(scratch.data(), blob.size()));
}

}  // namespace logitchain::inline v0
