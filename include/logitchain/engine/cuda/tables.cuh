// SPDX-License-Identifier: Apache-2.0
// Compiled tables in device memory.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <cuda_runtime_api.h>

#include <logitchain/core/span.hpp>
#include <logitchain/engine/cuda/cuda_engine.cuh>
#include <logitchain/engine/cuda/detail/device_guard.cuh>
#include <logitchain/engine/cuda/detail/stream_buffer.cuh>
#include <logitchain/engine/cuda/error.cuh>

namespace logitchain::inline v0 {

/// A table that owns a copy in device memory, made by `upload`. Move-only; stages hold views of it,
/// so it must outlive every step, and every graph, that uses one. Its memory is freed in the order
/// of the stream that it was made on, whichever device is current then.
template <class View>
class DeviceTable {
 public:
  DeviceTable(DeviceTable&& other) noexcept
      : storage_(std::move(other.storage_)), view_(std::exchange(other.view_, View{})) {}
  DeviceTable& operator=(DeviceTable&& other) noexcept {
    storage_ = std::move(other.storage_);  // they change places
    std::swap(view_, other.view_);
    return *this;
  }

  const View& view() const { return view_; }

 private:
  DeviceTable(detail::cuda::StreamBuffer&& storage, const View& view)
      : storage_(std::move(storage)), view_(view) {}

  template <class Viewed>
  friend DeviceTable<Viewed> upload_view(const cuda_engine& engine, const Viewed& table);

  detail::cuda::StreamBuffer storage_;
  View view_{};
};

/// `upload` for a view in host memory. Waits for the copy of its bytes.
/// @throws runtime_error where there is not so much memory, or the copy fails
template <class View>
DeviceTable<View> upload_view(const cuda_engine& engine, const View& table) {
  using namespace detail::cuda;
  constexpr const char* where = "upload";
  const std::size_t bytes = static_cast<std::size_t>(table.shape().storage_bytes());
  const DeviceGuard guard(engine.device());
  check(where, "cudaSetDevice", guard.fault());
  StreamBuffer storage(where, bytes > 0 ? bytes : 1, engine.device(), engine.stream());
  check(where, "cudaMemcpyAsync",
        cudaMemcpyAsync(storage.data(), table.storage(), bytes, cudaMemcpyHostToDevice,
                        engine.stream()));
  check(where, "cudaStreamSynchronize", cudaStreamSynchronize(engine.stream()));
  const View view(storage.data(), table.shape(), Space::device);
  return DeviceTable<View>(std::move(storage), view);
}

/// Copies a table to the engine's device, in the order of its stream: steps on that stream find it
/// there, and the host's table may go. Waits for the copy of its bytes, since they may be many.
/// @param table what `stop_strings`, `sequence_bias` or `bad_words` gave
/// @throws runtime_error where there is not so much memory
template <class Table>
auto upload(const cuda_engine& engine, const Table& table) {
  return upload_view(engine, table.view());
}

}  // namespace logitchain::inline v0
