// SPDX-License-Identifier: Apache-2.0
// Rows begin: requests are checked as a whole, then written one by one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <logitchain/core/automaton_slot.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/error.hpp>
#include <logitchain/core/philox.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/state/commit.hpp>
#include <logitchain/state/request.hpp>
#include <logitchain/state/seen_list.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

/// The use of random numbers that makes a row's seed from the state's; draws have purpose 0.
inline constexpr std::uint32_t PURPOSE_SEED = 1;

namespace detail {

/// Refuses ids that no history can hold.
inline void check_ids(std::string_view where, const std::string& request, std::string_view member,
                      const TokenIds& ids) {
  for (std::int64_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] > 2147483647) {
      refuse(where, text_of(request, '.', member, '[', i, ']'), ids[i], "in [0, 2147483647]");
    }
  }
}

/// Where a row is named twice, the two places; else {-1, -1}.
inline std::pair<std::int64_t, std::int64_t> named_twice(host_span<const Request> requests) {
  std::vector<std::pair<std::int64_t, std::int64_t>> order;
  order.reserve(static_cast<std::size_t>(requests.size()));
  for (std::int64_t i = 0; i < requests.size(); ++i) order.emplace_back(requests[i].row, i);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (order[i - 1].first == order[i].first) return {order[i - 1].second, order[i].second};
  }
  return {-1, -1};
}

/// Everything about one request but the row's activity.
inline void check_request(std::string_view where, std::int64_t index, const Request& request,
                          const Shape& shape) {
  const std::string name = text_of("requests[", index, ']');
  if (request.row < 0 || request.row >= shape.rows) {
    refuse(where, name + ".row", request.row, text_of("in [0, ", shape.rows - 1, ']'));
  }
  check_ids(where, name, "prompt", request.prompt);
  check_ids(where, name, "generated", request.generated);
  const std::int64_t prompt = request.prompt.size();
  if (prompt + request.generated.size() > shape.capacity) {
    refuse_call(where, ": ", name, " has ", prompt, " prompt and ", request.generated.size(),
                " generated tokens; a row of this state holds ", shape.capacity);
  }
  if (request.budget && (*request.budget < 0 || *request.budget > shape.capacity - prompt)) {
    refuse(where, name + ".budget", *request.budget,
           text_of("in [0, ", shape.capacity - prompt, "]: the capacity, ", shape.capacity,
                   ", less the prompt's ", prompt, " tokens"));
  }
  if (!request.seed && !shape.seed) {
    refuse_call(
        where, ": ", name,
        " has no seed and neither has the state; give one of them, seeds are never made up");
  }
}

}  // namespace detail

/// Checks requests as a whole. Nothing is changed. Whether a row of a state on a device still
/// generates is not looked at here: the host would have to wait for it.
/// @throws invalid_argument naming the request by its index, the member, its value and its range
inline void check_requests(const StepState& state, host_span<const Request> requests,
                           std::string_view where = "admit") {
  for (std::int64_t i = 0; i < requests.size(); ++i) {
    detail::check_request(where, i, requests[i], state.shape());
  }
  if (const auto [first, second] = detail::named_twice(requests); first >= 0) {
    refuse_call(where, ": requests[", first, "] and requests[", second, "] are both for row ",
                requests[first].row);
  }
  if (state.space() != Space::host) return;
  for (std::int64_t i = 0; i < requests.size(); ++i) {
    if (state.active(requests[i].row)) {
      refuse_call(where, ": requests[", i, "] is for row ", requests[i].row,
                  ", which is still generating; release it first");
    }
  }
}

/// The seed of an admission.
inline std::uint64_t seed_of(const Shape& shape, const Request& request, std::uint64_t admission) {
  if (request.seed) return *request.seed;
  return draw_number(shape.seed.value_or(0), admission, PURPOSE_SEED);
}

/// Where each token of the vocabulary stands in one row's list of distinct tokens: what a search of
/// the list for every token of a long prompt would cost is paid once per call.
class SeenIndex {
 public:
  explicit SeenIndex(const StateView& view)
      : at_(static_cast<std::size_t>(view.seen ? view.vocab : 0), -1) {}

  std::int32_t find(std::int64_t token) const {
    return token < static_cast<std::int64_t>(at_.size()) ? at_[static_cast<std::size_t>(token)]
                                                         : -1;
  }
  /// Takes over what was appended to the list of `row` since the last call for it.
  void follow(const StateView& view, std::int64_t row) {
    if (at_.empty()) return;
    const SeenToken* const list = view.seen_of(row);
    for (; size_ < view.records[row].seen_size; ++size_) {
      at_[static_cast<std::size_t>(list[size_].token)] = size_;
    }
  }
  /// Forgets a row.
  void forget(const StateView& view, std::int64_t row) {
    while (size_ > 0) at_[static_cast<std::size_t>(view.seen_of(row)[--size_].token)] = -1;
  }

 private:
  std::vector<std::int32_t> at_;
  std::int32_t size_ = 0;
};

/// Automata of a row whose prompt is written begin, and walk it.
/// @return false where a table is damaged
template <class Chain, class Stop>
bool walk_prompt(const StateView& view, std::int64_t row, const Chain& chain, const Stop& stop) {
  AutomatonSlot* const transforms = view.transform_slots_of(row);
  AutomatonSlot* const criteria = view.criterion_slots_of(row);
  for (std::int32_t i = 0; i < view.slot_count; ++i) transforms[i] = AutomatonSlot{};
  const RowView::Fields fields = view.fields(row);
  chain.start_slots(fields, transforms);
  stop.start_slots(fields, criteria);
  const std::int32_t* const tokens = view.tokens_of(row);
  for (std::int64_t i = 0; i < fields.prompt_length; ++i) {
    if (!chain.advance_slots(fields, transforms, tokens[i], false) ||
        !stop.advance_slots(fields, criteria, tokens[i], false)) {
      return false;
    }
  }
  return true;
}

/// Writes the prompt of a row, its list of distinct tokens and its record; it is not active yet.
inline void write_prompt(const StateView& view, const RowRecord& start, std::int64_t row,
                         const TokenIds& prompt, SeenIndex& index) {
  view.records[row] = start;
  detail::clear_seen(view, row);
  std::int32_t* const tokens = view.tokens_of(row);
  for (std::int64_t i = 0; i < prompt.size(); ++i) {
    const std::int32_t token = static_cast<std::int32_t>(prompt[i]);
    tokens[i] = token;
    detail::note_seen(view, row, token, static_cast<std::int32_t>(i), false, index.find(token));
    index.follow(view, row);
  }
}

/// Begins one checked request in a state in host memory. Tokens that were generated before are
/// appended as `commit_token` does it, so that the row is what it was; no criterion is asked. Table
/// indices of the row must have been checked: its automata walk the tables that they name.
/// @param index of a state's view, for all the requests of a call
/// @return the row's status: `ok`; `finished` where its budget is already spent; or `invalid_table`
template <class Chain, class Stop>
Status begin_row(const StateView& view, const Chain& chain, const Stop& stop,
                 const Request& request, std::uint64_t seed, std::uint64_t admission,
                 SeenIndex& index) {
  const std::int64_t row = request.row;
  const std::int64_t prompt = request.prompt.size();
  RowRecord start;
  start.seed = seed;
  start.admission = admission;
  start.prompt_length = static_cast<std::int32_t>(prompt);
  start.budget = static_cast<std::int32_t>(request.budget.value_or(view.capacity - prompt));
  start.status = Status::ok;
  write_prompt(view, start, row, request.prompt, index);
  bool sound = walk_prompt(view, row, chain, stop);
  for (std::int64_t i = 0; sound && i < request.generated.size(); ++i) {
    const std::int32_t token = static_cast<std::int32_t>(request.generated[i]);
    sound = detail::append_token(view, row, token, index.find(token), chain, stop) == Status::ok;
    index.follow(view, row);
  }
  index.forget(view, row);
  RowRecord& record = view.records[row];
  if (!sound) return detail::end_row(record, Status::invalid_table);
  if (record.generated >= record.budget) return detail::finish_row(record, BUDGET_SPENT, {});
  record.active = 1;
  return Status::ok;
}

}  // namespace logitchain::inline v0
