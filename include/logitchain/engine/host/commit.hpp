// SPDX-License-Identifier: Apache-2.0
// Commits tokens that came from elsewhere: a draft that was verified, a forced script, another
// sampler.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/engine/call_checks.hpp>
#include <logitchain/engine/host/arguments.hpp>
#include <logitchain/engine/host/detail/call_checks.hpp>
#include <logitchain/engine/host/detail/items.hpp>
#include <logitchain/engine/host/host_engine.hpp>
#include <logitchain/engine/host/step.hpp>
#include <logitchain/state/commit.hpp>

namespace logitchain::inline v0 {

/// Where a commit's answers go, which items it has, and how many tokens each brings.
struct HostCommit {
  HostIndices counts{};             ///< how many of each row's tokens are taken; absent: all
  host_span<StepResult> results{};  ///< one record per item; `token` is the last one taken
  HostItems items{};                ///< `logits_row` is the row of tokens
  /// Tokens side by side in a row; 0: as many as `counts` has rows for, and one without counts.
  std::int64_t each = 0;
};

namespace detail {

inline void check_token_ids(const HostTokenIds& tokens, std::int64_t row, std::int64_t each,
                            std::int64_t count, std::int64_t vocab) {
  for (std::int64_t j = 0; j < count; ++j) {
    const std::int64_t token = tokens[row * each + j];
    if (token < -1 || token >= vocab) {
      refuse("commit", text_of("tokens[", row, ", ", j, "]"), token,
             text_of("-1 (skip) or in [0, ", vocab, ")"));
    }
  }
}

}  // namespace detail

/// Appends one or several tokens to each item's row: history, counts, automata; the criterion is
/// asked after each, the earliest token that stops ends the row and the rest is dropped. Rows that
/// are not active are left alone; the token -1 is skipped.
///
/// @param tokens `[rows, each]` ids of 32 or 64 bits, see `HostCommit::each`
/// @throws invalid_argument for an id outside of [-1, vocab) and for arguments that do not fit
/// together; then nothing was changed
template <class ChainType, class StopType>
void commit(host_engine& engine, const ChainType& chain, const StopType& stop, StepState& state,
            const HostTokenIds& tokens, const HostCommit& options = {}) {
  detail::demand_chain<ChainType>();
  detail::demand_stop<StopType>();
  if constexpr (detail::is_chain<ChainType> && detail::is_criterion<StopType>) {
    constexpr std::string_view where = "commit";
    detail::check_space(where, state);
    detail::check_fit(where, "chain", chain, state, false);
    detail::check_fit(where, "criterion", stop, state, false);
    const bool counted = options.counts.given();
    const detail::TokenRows brought = detail::token_rows(where, tokens.size(), options);
    const std::int64_t each = brought.each;
    const detail::CheckedItems items =
        detail::check_items(where, state, options.items, brought.rows);
    if (!options.results.empty()) {
      detail::check_room(where, "results", options.results.size(), items.count);
    }
    const auto count_of = [&](std::int64_t token_row) {
      return counted ? std::int64_t{options.counts[token_row]} : each;
    };
    for (std::int64_t i = 0; i < items.count; ++i) {
      const std::int64_t token_row = items.logits_row(i);
      if (token_row < 0) continue;
      const std::int64_t count = count_of(token_row);
      if (count < 0 || count > each) {
        refuse(where, detail::text_of("counts[", token_row, "]"), count,
               detail::text_of("in [0, ", each, "]"));
      }
      detail::check_token_ids(tokens, token_row, each, count, state.shape().vocab);
    }
    detail::refuse_duplicates(where, state, items);
    const StateView& view = state.view();
    engine.run(state, items.count, [&](detail::HostScratch&, std::int64_t i) {
      const std::int64_t state_row = items.state_row(i);
      if (state_row < 0) {
        if (!options.results.empty()) options.results[i] = StepResult{};
        return;
      }
      RowRecord& record = view.records[state_row];
      const std::int64_t token_row = items.logits_row(i);
      std::int32_t last = -1;
      const std::int64_t count = count_of(token_row);
      if (record.active) {
        // Rows that are committed to are held to the same checks as those that are drawn for.
        Status status = chain.check_row(view.fields(state_row), view.transform_slots_of(state_row));
        if (status == Status::ok) {
          status = stop.check_row(view.fields(state_row), view.criterion_slots_of(state_row));
        }
        if (status != Status::ok) detail::end_row(record, status);
      }
      for (std::int64_t j = 0; j < count && record.active; ++j) {
        const std::int64_t token = tokens[token_row * each + j];
        if (token < 0) continue;
        const Status after = commit_token(view, state_row, token, chain, stop);
        if (after == Status::ok || after == Status::finished) {
          last = static_cast<std::int32_t>(token);
        }
      }
      if (!options.results.empty()) options.results[i] = detail::result_of(record, last);
    });
  }
}

/// @copydoc commit
/// @param counts how many of each row's tokens are taken
template <class ChainType, class StopType, class Counts>
  requires std::is_convertible_v<const Counts&, host_span<const std::int32_t>>
void commit(host_engine& engine, const ChainType& chain, const StopType& stop, StepState& state,
            const HostTokenIds& tokens, const Counts& counts) {
  const host_span<const std::int32_t> given(counts);
  commit(engine, chain, stop, state, tokens, HostCommit{given, {}, {}, 0});
}

}  // namespace logitchain::inline v0
