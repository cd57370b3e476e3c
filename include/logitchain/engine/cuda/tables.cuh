// SPDX-License-Identifier: Apache-2.0
// Compiled tables in device memory.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <cuda_runtime_api.h>

#include <logitchain/core/span.hpp>
#include <logitchain/engine/cuda/cuda_engine.cuh>
#include <logitchain/engine/cuda/detail/upload.cuh>
#include <logitchain/engine/cuda/error.cuh>

namespace logitchain::inline v0 {

/// A table that owns a copy in device memory, made by `upload`. Move-only; stages hold views of it,
/// so it must outlive every step, and every graph, that uses one. Its memory is freed in the order
/// of the stream that it was made on.
template <class View>
class DeviceTable {
 public:
  DeviceTable(DeviceTable&& other) noexcept
      : storage_(std::exchange(other.storage_, nullptr)),
        stream_(other.stream_),
        view_(std::exchange(other.view_, View{})) {}
  DeviceTable& operator=(DeviceTable&& other) noexcept {
    std::swap(storage_, other.storage_);
    std::swap(stream_, other.stream_);
    std::swap(view_, other.view_);
    return *this;
  }
  ~DeviceTable() {
    if (storage_) (void)cudaFreeAsync(storage_, stream_);
  }

  const View& view() const { return view_; }

 private:
  DeviceTable(void* storage, cudaStream_t stream, const View& view)
      : storage_(storage), stream_(stream), view_(view) {}

  template <class Viewed>
  friend DeviceTable<Viewed> upload_view(const cuda_engine& engine, const Viewed& table);

  void* storage_ = nullptr;
  cudaStream_t stream_ = nullptr;
  View view_{};
};

/// `upload` for a view in host memory.
template <class View>
DeviceTable<View> upload_view(const cuda_engine& engine, const View& table) {
  const std::size_t bytes = static_cast<std::size_t>(table.shape().storage_bytes());
  void* storage = nullptr;
  detail::cuda::check("upload", "cudaMallocAsync",
                      cudaMallocAsync(&storage, bytes > 0 ? bytes : 1, engine.stream()));
  DeviceTable<View> uploaded(
      storage, engine.stream(),
      View(static_cast<const std::byte*>(storage), table.shape(), Space::device));
  detail::cuda::check(
      "upload", "cudaMemcpyAsync",
      cudaMemcpyAsync(storage, table.storage(), bytes, cudaMemcpyHostToDevice, engine.stream()));
  detail::cuda::check("upload", "cudaStreamSynchronize", cudaStreamSynchronize(engine.stream()));
  return uploaded;
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
