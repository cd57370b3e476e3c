// SPDX-License-Identifier: Apache-2.0
// The memory of a state: given by the caller, or owned through two functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include <logitchain/core/error.hpp>
#include <logitchain/state/layout.hpp>
#include <logitchain/state/needs.hpp>
#include <logitchain/state/shape.hpp>

namespace logitchain::inline v0 {

/// Memory that the caller gives to a state and keeps alive as long as the state. What is null is
/// owned by the state. It lies where the engine runs; `state` and `workspace` begin at multiples
/// of 64.
struct StateMemory {
  void* state = nullptr;
  std::size_t state_bytes = 0;
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
  /// Histories, [rows, token_stride], the first `capacity` of each used: for engines that keep them
  /// anyway. Admission, commit, gather and load_row write them as they would their own.
  std::int32_t* tokens = nullptr;
  std::int64_t token_stride = 0;
};

/// Bytes that a state and its engine's workspace need.
struct StateBytes {
  std::size_t state = 0;
  std::size_t workspace = 0;
};

/// What `StepState(engine, shape, needs, memory)` must be given.
/// @param external_tokens histories lie elsewhere, see `StateMemory::tokens`
/// @throws invalid_argument as `layout_of`
template <class Engine>
StateBytes bytes_needed(const Engine& engine, const Shape& shape, const Needs& needs,
                        bool external_tokens = false) {
  const StateLayout layout = layout_of(shape, needs, external_tokens, "bytes_needed");
  return {static_cast<std::size_t>(layout.bytes), engine.workspace_bytes(shape)};
}

/// How a state gets and fills memory where its engine runs. An engine with memory of its own has a
/// member `MemoryHooks memory_hooks() const`.
struct MemoryHooks {
  /// `bytes` at a multiple of 64, or null where there are not so many.
  void* (*allocate)(std::size_t bytes, int device, void* context);
  void (*release)(void* memory, int device, void* context) noexcept;
  /// Copies from the host; `from` may be changed when it returns, and the engine's next call finds
  /// the bytes in place.
  void (*write)(void* to, const void* from, std::size_t bytes, int device, void* context);
  /// What the three are called with: a stream, say. It outlives the state.
  void* context = nullptr;
};

namespace detail {

inline void* host_allocate(std::size_t bytes, int, void*) {
  return ::operator new(bytes, std::align_val_t{StateLayout::ALIGNMENT}, std::nothrow);
}
inline void host_release(void* memory, int, void*) noexcept {
  ::operator delete(memory, std::align_val_t{StateLayout::ALIGNMENT});
}
inline void host_write(void* to, const void* from, std::size_t bytes, int, void*) {
  __builtin_memcpy(to, from, bytes);
}

/// The engine's hooks, or those of the host's heap.
template <class Engine>
MemoryHooks hooks_of(const Engine& engine) {
  if constexpr (requires { engine.memory_hooks(); }) {
    return engine.memory_hooks();
  } else {
    return {host_allocate, host_release, host_write, nullptr};
  }
}

/// One block that goes back where it came from.
class OwnedBlock {
 public:
  OwnedBlock() = default;
  /// @throws runtime_error naming `what` and its bytes where there is not so much memory
  OwnedBlock(const MemoryHooks& hooks, int device, std::size_t bytes, const char* what)
      : release_(hooks.release), device_(device), context_(hooks.context) {
    if (bytes == 0) return;
    data_ = hooks.allocate(bytes, device, context_);
    if (!data_) fail("StepState: ", bytes, " bytes for the ", what, " could not be allocated");
  }
  OwnedBlock(OwnedBlock&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        release_(other.release_),
        device_(other.device_),
        context_(other.context_) {}
  OwnedBlock& operator=(OwnedBlock&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(release_, other.release_);
    std::swap(device_, other.device_);
    std::swap(context_, other.context_);
    return *this;
  }
  ~OwnedBlock() {
    if (data_) release_(data_, device_, context_);
  }
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  void (*release_)(void*, int, void*) noexcept = nullptr;
  int device_ = -1;
  void* context_ = nullptr;
};

}  // namespace detail
}  // namespace logitchain::inline v0
