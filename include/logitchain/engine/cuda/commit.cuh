// SPDX-License-Identifier: Apache-2.0
// Commits tokens that came from elsewhere: a draft that was verified, a forced script, another
// sampler.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include <cuda_runtime_api.h>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/core/error.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/engine/cuda/arguments.cuh>
#include <logitchain/engine/cuda/cuda_engine.cuh>
#include <logitchain/engine/cuda/detail/call_checks.cuh>
#include <logitchain/engine/cuda/detail/commit_kernel.cuh>
#include <logitchain/engine/cuda/detail/launch_blocks.cuh>
#include <logitchain/engine/cuda/error.cuh>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

/// Token ids to commit, in device memory: `[items, each]`, of 32 or 64 bits.
class DeviceTokenIds {
 public:
  explicit(false) DeviceTokenIds(device_span<const std::int32_t> ids)  // a view
      : data_(ids.data()), size_(ids.size()) {}
  explicit(false) DeviceTokenIds(device_span<const std::int64_t> ids)  // a view
      : data_(ids.data()), size_(ids.size()), wide_(true) {}
  explicit(false) DeviceTokenIds(device_span<std::int32_t> ids)  // a view
      : data_(ids.data()), size_(ids.size()) {}
  explicit(false) DeviceTokenIds(device_span<std::int64_t> ids)  // a view
      : data_(ids.data()), size_(ids.size()), wide_(true) {}

  const void* data() const { return data_; }
  std::int64_t size() const { return size_; }
  bool wide() const { return wide_; }

 private:
  const void* data_ = nullptr;
  std::int64_t size_ = 0;
  bool wide_ = false;
};

/// Where a commit's answers go, which items it has, and how many tokens each brings.
struct DeviceCommit {
  DeviceIndices counts{};             ///< how many of each row's tokens are taken; absent: all
  device_span<StepResult> results{};  ///< one record per item; `token` is the last one taken
  DeviceItems items{};                ///< `logits_row` is the row of tokens
  /// Tokens side by side in a row; 0: `tokens.size() / counts.size()`, and one without counts.
  std::int64_t each = 0;
};

/// Appends one or several tokens to each item's row: history, counts, automata; the criterion is
/// asked after each, the earliest token that stops ends the row and the rest is dropped. Rows that
/// are not active are left alone; the token -1 is skipped. An id outside of [-1, vocab), or a count
/// outside of [0, each], ends its row with the status `invalid_parameter`; nothing of it is taken.
///
/// @param tokens `[rows, each]` ids of 32 or 64 bits, see `DeviceCommit::each`
/// @throws invalid_argument for arguments that do not fit together; runtime_error where the launch
/// fails. Nothing was changed then
template <class ChainType, class StopType>
void commit(const cuda_engine& engine, const ChainType& chain, const StopType& stop,
            StepState& state, const DeviceTokenIds& tokens, const DeviceCommit& options = {}) {
  detail::demand_chain<ChainType>();
  detail::demand_stop<StopType>();
  if constexpr (detail::is_chain<ChainType> && detail::is_criterion<StopType>) {
    using namespace detail::cuda;
    constexpr const char* where = "commit";
    check_state(where, engine, state);
    detail::check_fit(where, "chain", chain, state, false);
    detail::check_fit(where, "criterion", stop, state, false);
    const detail::TokenRows brought = detail::token_rows(where, tokens.size(), options);
    CommitArguments arguments;
    arguments.view = state.view();
    arguments.items = items_argument(where, state, options.items, brought.rows);
    arguments.tokens = tokens.data();
    arguments.wide = tokens.wide();
    arguments.rows = brought.rows;
    arguments.each = brought.each;
    arguments.counts = options.counts.given() ? options.counts.data() : nullptr;
    if (!options.results.empty()) {
      detail::check_room(where, "results", options.results.size(), arguments.items.count);
      arguments.results = options.results.data();
    }
    if (arguments.items.count == 0) return;
    launch_blocks(where, engine, commit_kernel<ChainType, StopType>, arguments.items.count, chain,
                  stop, arguments);
  }
}

/// @copydoc commit
/// @param counts how many of each row's tokens are taken
template <class ChainType, class StopType, class Counts>
  requires std::is_convertible_v<const Counts&, device_span<const std::int32_t>>
void commit(const cuda_engine& engine, const ChainType& chain, const StopType& stop,
            StepState& state, const DeviceTokenIds& tokens, const Counts& counts) {
  const device_span<const std::int32_t> given(counts);
  commit(engine, chain, stop, state, tokens, DeviceCommit{given, {}, {}, 0});
}

}  // namespace logitchain::inline v0
