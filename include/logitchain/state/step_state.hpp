// SPDX-License-Identifier: Apache-2.0
// The state of a batch of rows between steps: one type for every chain, its layout made at run
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <logitchain/core/error.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/state/layout.hpp>
#include <logitchain/state/memory.hpp>
#include <logitchain/state/needs.hpp>
#include <logitchain/state/shape.hpp>
#include <logitchain/state/state_view.hpp>

namespace logitchain::inline v0 {

/// The engine's scratch memory that belongs to a state: steps on one state run one after another.
struct Workspace {
  std::byte* data = nullptr;
  std::size_t size = 0;
};

/// What steps know of their rows: histories, lengths, seeds, flags, and as needed the lists of
/// distinct tokens and the automata. It holds numbers only, no pointer to a chain or a table.
/// Move-only; its addresses never change while it lives, moves included, so that a captured graph
/// may hold them.
class StepState {
 public:
  /// A state of released rows. On a device the host may have to wait for the engine's stream: the
  /// rows' first records are copied there.
  /// @param needs the union of `needs(chain, stop)` of all the chains that will use it
  /// @param memory what the caller provides, see `bytes_needed`; the rest is owned
  /// @throws invalid_argument for a shape outside of its ranges and for memory that is too small or
  ///         misaligned; runtime_error where memory cannot be had
  template <class Engine>
  StepState(const Engine& engine, const Shape& shape, const Needs& needs,
            const StateMemory& memory = {})
      : shape_(shape),
        needs_(needs),
        layout_(layout_of(shape, needs, memory.tokens != nullptr)),
        device_(engine.device()),
        space_(Engine::space) {
    const std::size_t scratch = engine.workspace_bytes(shape);
    const std::size_t bytes = static_cast<std::size_t>(layout_.bytes);
    check_block("state", memory.state, memory.state_bytes, bytes);
    check_block("workspace", memory.workspace, memory.workspace_bytes, scratch);
    check_tokens(memory);
    const MemoryHooks hooks = detail::hooks_of(engine);
    if (!memory.state) state_ = detail::OwnedBlock(hooks, device_, bytes, "state");
    if (!memory.workspace) {
      workspace_block_ = detail::OwnedBlock(hooks, device_, scratch, "workspace");
    }
    void* const base = memory.state ? memory.state : state_.data();
    workspace_ = {
        static_cast<std::byte*>(memory.workspace ? memory.workspace : workspace_block_.data()),
        memory.workspace ? memory.workspace_bytes : scratch};
    view_ = layout_.view(base, memory.tokens, memory.token_stride);
    const std::vector<RowRecord> released(static_cast<std::size_t>(shape.rows));
    hooks.write(base, released.data(), released.size() * sizeof(RowRecord), device_, hooks.context);
  }

  StepState(StepState&& other) noexcept { *this = std::move(other); }
  StepState& operator=(StepState&& other) noexcept {
    if (this == &other) return *this;
    state_ = detail::OwnedBlock(std::move(other.state_));
    workspace_block_ = detail::OwnedBlock(std::move(other.workspace_block_));
    workspace_ = std::exchange(other.workspace_, {});
    view_ = std::exchange(other.view_, {});
    shape_ = other.shape_;
    needs_ = other.needs_;
    layout_ = other.layout_;
    admissions_ = other.admissions_;
    device_ = other.device_;
    space_ = other.space_;
    return *this;
  }

  const StateView& view() const { return view_; }
  const Shape& shape() const { return shape_; }
  const Needs& needs() const { return needs_; }
  const StateLayout& layout() const { return layout_; }
  const Workspace& workspace() const { return workspace_; }
  /// The engine's device; -1 for the host.
  int device() const { return device_; }
  Space space() const { return space_; }
  std::int64_t rows() const { return view_.rows; }
  /// Rows admitted so far: the number of the next admission.
  std::uint64_t admissions() const { return admissions_; }
  /// Numbers `count` admissions and returns the first number. For implementers of `admit`.
  std::uint64_t take_admissions(std::uint64_t count) {
    return std::exchange(admissions_, admissions_ + count);
  }

  /// @name One row of a state in host memory
  /// @throws invalid_argument for a row outside of [0, rows), and for a state on a device
  /// @{
  Status status(std::int64_t row) const { return record("status", row).status; }
  /// True while the row generates.
  bool active(std::int64_t row) const { return record("active", row).active != 0; }
  /// Why the row ended; criterion NOT_FINISHED where it did not.
  Finish finish(std::int64_t row) const {
    const RowRecord& found = record("finish", row);
    return {found.finish_criterion, found.finish_entry, found.finish_begin};
  }
  std::uint64_t seed(std::int64_t row) const { return record("seed", row).seed; }
  /// Number of the admission that began the row.
  std::uint64_t admission(std::int64_t row) const { return record("admission", row).admission; }
  /// The position that the next draw is numbered by: the count of tokens generated.
  std::int64_t position(std::int64_t row) const { return record("position", row).generated; }
  /// Slots of the row: prompt plus budget.
  std::int64_t width(std::int64_t row) const {
    const RowRecord& found = record("width", row);
    return std::int64_t{found.prompt_length} + found.budget;
  }
  /// Tokens of prompt and generated together.
  std::int64_t total(std::int64_t row) const {
    const RowRecord& found = record("total", row);
    return std::int64_t{found.prompt_length} + found.generated;
  }
  /// Tokens that the row may generate in all.
  std::int64_t budget(std::int64_t row) const { return record("budget", row).budget; }
  /// The row's real tokens, without padding.
  host_span<const std::int32_t> history(std::int64_t row) const {
    const RowRecord& found = record("history", row);
    return {view_.tokens_of(row), std::int64_t{found.prompt_length} + found.generated};
  }
  /// The prompt's part of the history.
  host_span<const std::int32_t> prompt_history(std::int64_t row) const {
    const RowRecord& found = record("prompt_history", row);
    return {view_.tokens_of(row), found.prompt_length};
  }
  /// The tokens generated so far.
  host_span<const std::int32_t> generated(std::int64_t row) const {
    const RowRecord& found = record("generated", row);
    return {view_.tokens_of(row) + found.prompt_length, found.generated};
  }
  /// @}

  /// Refuses a row outside of [0, rows), naming the call and the argument.
  void check_row(std::string_view where, std::string_view argument, std::int64_t row) const {
    if (row < 0 || row >= view_.rows) {
      refuse(where, argument, row, detail::text_of("in [0, ", view_.rows - 1, "]"));
    }
  }

 private:
  static void check_block(std::string_view what, const void* given, std::size_t bytes,
                          std::size_t needed) {
    if (!given) {
      if (bytes != 0) {
        refuse_call("StepState: ", what, "_bytes is ", bytes, " and ", what, " is null");
      }
      return;
    }
    if (reinterpret_cast<std::uintptr_t>(given) % StateLayout::ALIGNMENT != 0) {
      refuse_call("StepState: the memory for the ", what, " begins at ", given,
                  "; it must begin at a multiple of 64 and hold ", needed, " bytes");
    }
    if (bytes < needed) {
      refuse_call("StepState: the memory for the ", what, " has ", bytes, " bytes; it needs ",
                  needed);
    }
  }

  void check_tokens(const StateMemory& memory) const {
    if (!memory.tokens) {
      if (memory.token_stride != 0) {
        refuse_call("StepState: token_stride is ", memory.token_stride, " and tokens is null");
      }
      return;
    }
    if (reinterpret_cast<std::uintptr_t>(memory.tokens) % alignof(std::int32_t) != 0) {
      refuse_call("StepState: tokens begins at ", static_cast<const void*>(memory.tokens),
                  "; it must begin at a multiple of 4");
    }
    if (memory.token_stride < shape_.capacity) {
      refuse("StepState", "token_stride", memory.token_stride,
             detail::text_of("at least the capacity, ", shape_.capacity));
    }
    const std::int64_t row_bytes =
        detail::checked_product("StepState", "external tokens", memory.token_stride, 4);
    detail::checked_product("StepState", "external tokens", shape_.rows, row_bytes);
  }

  const RowRecord& record(std::string_view member, std::int64_t row) const {
    if (row < 0 || row >= view_.rows) check_row(detail::text_of("StepState::", member), "row", row);
    if (space_ != Space::host) {
      refuse_call(
          "StepState::", member, ": the state lies on device ", device_,
          "; read_records(engine, state) copies its records to the host, and save_row whole rows");
    }
    return view_.records[row];
  }

  detail::OwnedBlock state_;
  detail::OwnedBlock workspace_block_;
  Workspace workspace_;
  StateView view_;
  Shape shape_{};
  Needs needs_;
  StateLayout layout_;
  std::uint64_t admissions_ = 0;
  int device_ = -1;
  Space space_ = Space::host;
};

}  // namespace logitchain::inline v0
