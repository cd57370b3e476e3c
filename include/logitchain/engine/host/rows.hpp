// SPDX-License-Identifier: Apache-2.0
// Rows of a state on the host begin, end, and are copied or reordered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/chain/pack.hpp>
#include <logitchain/chain/stage.hpp>
#include <logitchain/chain/visit_on_host.hpp>
#include <logitchain/core/error.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/core/token_list.hpp>
#include <logitchain/engine/host/detail/call_checks.hpp>
#include <logitchain/engine/host/detail/copy_rows.hpp>
#include <logitchain/engine/host/detail/home.hpp>
#include <logitchain/state/admission.hpp>
#include <logitchain/state/request.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

namespace detail {

/// Refuses a table index of one row that names no table: the row's automata would walk it.
struct RefuseTableOfRow {
  std::string_view where;
  std::string_view stage;
  std::int64_t row;

  template <class T>
  void number(std::string_view, const Param<T>&, Range) {}
  void token_id(std::string_view, const Param<std::int32_t>&) {}
  void tokens(std::string_view, const TokenList&) {}
  template <class Ref>
  void table(std::string_view name, const Ref& ref) {
    if (ref.valid(row)) return;
    refuse(where, text_of("the index of row ", row, " among the tables of ", stage, "'s ", name),
           ref.index().at(row), text_of("in [-1, ", ref.count() - 1, ']'));
  }
};

template <class Composed>
void refuse_tables(std::string_view where, const Composed& composed,
                   host_span<const Request> requests) {
  for_each_index_on_host<Composed::SIZE>([&](auto i) {
    using Stage = typename Composed::template Stage<static_cast<int>(i)>;
    for (const Request& request : requests) {
      RefuseTableOfRow check{where, name_of_stage<Stage>(), request.row};
      visit_on_host(composed.template stage<static_cast<int>(i)>(), check);
    }
  });
}

/// Admission under the name of the call that the user made.
template <class Chain, class Stop>
void admit_as(std::string_view where, const Chain& chain, const Stop& stop, StepState& state,
              host_span<const Request> requests) {
  demand_chain<Chain>();
  demand_stop<Stop>();
  if constexpr (is_chain<Chain> && is_criterion<Stop>) {
    check_space(where, state);
    check_fit(where, "chain", chain, state, true);
    check_fit(where, "criterion", stop, state, true);
    check_requests(state, requests, where);
    refuse_tables(where, chain, requests);
    refuse_tables(where, stop, requests);
    SeenIndex index(state.view());
    std::uint64_t admission = state.take_admissions(static_cast<std::uint64_t>(requests.size()));
    for (const Request& request : requests) {
      begin_row(state.view(), chain, stop, request, seed_of(state.shape(), request, admission),
                admission, index);
      ++admission;
    }
  }
}

template <class Id>
void release_rows(StepState& state, host_span<const Id> rows) {
  check_space("release", state);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0 || rows[i] >= state.rows()) {
      state.check_row("release", text_of("rows[", i, ']'), rows[i]);
    }
  }
  for (const Id row : rows) state.view().records[row] = RowRecord{};
}

template <class Id>
void gather_rows(StepState& state, host_span<const Id> parents,
                 host_span<const std::uint64_t> seeds) {
  check_space("gather", state);
  if (parents.size() != state.rows()) {
    refuse("gather", "the number of parents", parents.size(),
           text_of("the state's rows, ", state.rows()));
  }
  if (!seeds.empty() && seeds.size() != state.rows()) {
    refuse("gather", "the number of seeds", seeds.size(),
           text_of("0 or the state's rows, ", state.rows()));
  }
  for (std::int64_t row = 0; row < parents.size(); ++row) {
    if (parents[row] < -1 || parents[row] >= state.rows()) {
      refuse("gather", text_of("parents[", row, ']'), parents[row],
             text_of("-1, or in [0, ", state.rows() - 1, ']'));
    }
  }
  copy_rows(state.view(), parents);
  for (std::int64_t row = 0; row < seeds.size(); ++row) {
    if (parents[row] >= 0) state.view().records[row].seed = seeds[row];
  }
}

}  // namespace detail

/// Rows begin. All requests are checked before anything changes; a row must not be generating. A
/// row whose budget is already spent by its `generated` tokens is finished at once, reason
/// BUDGET_SPENT. A damaged table makes its row `invalid_table`.
/// @param chain, stop what `chain(...)` and `criterion(...)` gave; the state must cover their needs
/// @throws invalid_argument naming the request, the member, its value and its range
template <detail::RunsOnHost Engine, class Chain, class Stop>
void admit(const Engine&, const Chain& chain, const Stop& stop, StepState& state,
           host_span<const Request> requests) {
  detail::admit_as("admit", chain, stop, state, requests);
}
/// @copydoc admit
template <detail::RunsOnHost Engine, class Chain, class Stop, std::size_t Count>
void admit(const Engine&, const Chain& chain, const Stop& stop, StepState& state,
           const Request (&requests)[Count]) {
  detail::admit_as("admit", chain, stop, state, host_span<const Request>(requests));
}
/// @copydoc admit
template <detail::RunsOnHost Engine, class Chain, class Stop>
void admit(const Engine&, const Chain& chain, const Stop& stop, StepState& state,
           const Request& request) {
  detail::admit_as("admit", chain, stop, state, host_span<const Request>(&request, 1));
}

/// Rows end and their slots are free. A slot that holds no row stays as it is.
/// @throws invalid_argument for a row outside of [0, rows); nothing is released then
template <detail::RunsOnHost Engine>
void release(const Engine&, StepState& state, host_span<const std::int32_t> rows) {
  detail::release_rows(state, rows);
}
/// @copydoc release
template <detail::RunsOnHost Engine>
void release(const Engine&, StepState& state, host_span<const std::int64_t> rows) {
  detail::release_rows(state, rows);
}
/// @copydoc release
template <detail::RunsOnHost Engine>
void release(const Engine&, StepState& state, std::initializer_list<std::int64_t> rows) {
  const host_span<const std::int64_t> all(rows.begin(), static_cast<std::int64_t>(rows.size()));
  detail::release_rows(state, all);
}
/// @copydoc release
template <detail::RunsOnHost Engine>
void release(const Engine&, StepState& state, std::int64_t row) {
  detail::release_rows(state, host_span<const std::int64_t>(&row, 1));
}

/// Every row becomes a full copy of its parent as it was before the call: history, counts,
/// automata, seed, flags, reason. Any permutation and any duplication; beams and best-of-n are made
/// of it. Parameters per row are the caller's and go by slot, as before.
/// @param parents one per row of the state; -1 leaves the row as it is
/// @param seeds where given, one per row of the state: the seed of each row that has a parent.
/// Copies
///        with one seed draw the same tokens.
/// @throws invalid_argument for another number of parents or seeds than rows and for a parent that
/// is
///         no row; nothing is changed then
template <detail::RunsOnHost Engine>
void gather(const Engine&, StepState& state, host_span<const std::int32_t> parents,
            host_span<const std::uint64_t> seeds = {}) {
  detail::gather_rows(state, parents, seeds);
}
/// @copydoc gather
template <detail::RunsOnHost Engine>
void gather(const Engine&, StepState& state, host_span<const std::int64_t> parents,
            host_span<const std::uint64_t> seeds = {}) {
  detail::gather_rows(state, parents, seeds);
}
/// @copydoc gather
template <detail::RunsOnHost Engine>
void gather(const Engine&, StepState& state, std::initializer_list<std::int64_t> parents,
            host_span<const std::uint64_t> seeds = {}) {
  const host_span<const std::int64_t> all(parents.begin(),
                                          static_cast<std::int64_t>(parents.size()));
  detail::gather_rows(state, all, seeds);
}

}  // namespace logitchain::inline v0
