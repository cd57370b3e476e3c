// SPDX-License-Identifier: Apache-2.0
// Stand-ins for an engine, a chain and a criterion, for tests of the state alone; and what such
// tests ask of a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/core/error.hpp>
#include <logitchain/state/admission.hpp>
#include <logitchain/state/commit.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain_test {

namespace lc = logitchain;

/// The text of the error that `call` throws, of the wanted type only; "" where it throws none.
template <class Error = lc::invalid_argument, class Call>
std::string text_of_error(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// A host engine with a workspace of a known size.
struct FakeEngine {
  static constexpr lc::Space space = lc::Space::host;
  std::size_t scratch = 192;
  std::size_t workspace_bytes(const lc::Shape&) const { return scratch; }
  int device() const { return -1; }
};

/// One step of the fake automata: everything that they could see of a row goes into the slot, so
/// that a row that was shown something else ends with another slot.
template <class Fields>
lc::AutomatonSlot walked(lc::AutomatonSlot slot, const Fields& fields, std::int64_t token,
                         bool generated) {
  slot.tag = 7;
  slot.node = static_cast<std::int32_t>((std::int64_t{slot.node} * 31 + token + 1) % 1000003);
  slot.bytes += generated ? 1 : 0;
  slot.entry = fields.prompt_length + fields.generated;
  slot.begin = slot.begin * 3 % 1000003 + fields.seen_size;
  for (std::int32_t i = 0; i < fields.seen_size; ++i) {
    slot.begin += fields.seen[i].generated() * (i + 1) + fields.seen[i].last_position +
                  (fields.seen[i].in_prompt() ? 5 : 0);
  }
  return slot;
}

/// A chain and a criterion in one: `Slots` automata, the list of distinct tokens if `Seen`; ends
/// rows at `eos` as criterion 1, entry 4, and where the automaton stands at a multiple of `period`
/// as 0.
template <int Slots, bool Seen>
struct FakeStages {
  static constexpr int SLOTS = Slots;
  static constexpr lc::Needs NEEDS{Seen, Slots, Slots};

  std::int64_t eos = -1;
  std::int64_t damaged_by = -1;  ///< the token at which the table turns out to be damaged
  std::int32_t period = 0;

  void start_slots(const lc::RowView::Fields& fields, lc::AutomatonSlot* slots) const {
    for (int i = 0; i < Slots; ++i) {
      slots[i] = lc::AutomatonSlot{};
      slots[i].tag = 7;
      slots[i].node = fields.prompt_length + i;
    }
  }
  bool advance_slots(const lc::RowView::Fields& fields, lc::AutomatonSlot* slots,
                     std::int64_t token, bool generated) const {
    for (int i = 0; i < Slots; ++i) slots[i] = walked(slots[i], fields, token, generated);
    return token != damaged_by;
  }
  lc::StopVerdict evaluate(const lc::RowView::Fields& fields, const lc::AutomatonSlot* slots,
                           std::int32_t token) const {
    EXPECT_EQ(fields.tokens[fields.prompt_length + fields.generated - 1], token);
    if (Slots > 0 && period > 0 && slots[0].node % period == 0) return {0, {2, slots[0].node}};
    if (token == eos) return {1, {4, 0}};
    return {};
  }
};

using PlainStages = FakeStages<0, false>;
using SeenStages = FakeStages<0, true>;
using WalkingStages = FakeStages<1, true>;

/// A chain or criterion that needs nothing and does nothing.
struct NoStages {
  static constexpr int SLOTS = 0;
  static constexpr lc::Needs NEEDS{};
  void start_slots(const lc::RowView::Fields&, lc::AutomatonSlot*) const {}
  bool advance_slots(const lc::RowView::Fields&, lc::AutomatonSlot*, std::int64_t, bool) const {
    return true;
  }
  lc::StopVerdict evaluate(const lc::RowView::Fields&, const lc::AutomatonSlot*,
                           std::int32_t) const {
    return {};
  }
};

/// Admission of requests, as an engine's `admit` does it.
template <class Chain, class Stop>
void begin(lc::StepState& state, const Chain& chain, const Stop& stop,
           const std::vector<lc::Request>& requests) {
  lc::check_requests(state, requests);
  lc::SeenIndex index(state.view());
  std::uint64_t admission = state.take_admissions(requests.size());
  for (const lc::Request& request : requests) {
    lc::begin_row(state.view(), chain, stop, request,
                  lc::seed_of(state.shape(), request, admission), admission, index);
    ++admission;
  }
}

/// An entry of the list of distinct tokens: generated count, in the prompt, last position.
using SeenEntry = std::tuple<std::int32_t, bool, std::int32_t>;

/// Everything that a row is, for comparisons.
struct RowImage {
  std::vector<std::int32_t> history;
  std::int32_t prompt_length = 0;
  std::int32_t generated = 0;
  std::int32_t budget = 0;
  std::int32_t last_token = -1;
  std::uint64_t seed = 0;
  lc::Status status = lc::Status::released;
  bool active = false;
  std::tuple<std::int16_t, std::int32_t, std::int64_t> finish{-1, -1, 0};
  std::map<std::int32_t, SeenEntry> seen;
  std::vector<std::int32_t> seen_order;
  std::vector<std::int32_t> bits;
  std::vector<std::tuple<std::uint32_t, std::int32_t, std::int64_t, std::int32_t, std::int64_t>>
      slots;
  friend bool operator==(const RowImage&, const RowImage&) = default;
};

inline RowImage image_of(const lc::StepState& state, std::int64_t row) {
  const lc::StateView& view = state.view();
  const lc::RowRecord& record = view.records[row];
  RowImage image;
  image.status = record.status;
  image.active = record.active != 0;
  image.seed = record.seed;
  if (record.status == lc::Status::released) return image;
  for (const std::int32_t token : state.history(row)) image.history.push_back(token);
  image.prompt_length = record.prompt_length;
  image.generated = record.generated;
  image.budget = record.budget;
  image.last_token = record.last_token;
  image.finish = {record.finish_criterion, record.finish_entry, record.finish_begin};
  for (std::int32_t i = 0; i < record.seen_size; ++i) {
    const lc::SeenToken& token = view.seen_of(row)[i];
    image.seen_order.push_back(token.token);
    image.seen[token.token] = {token.generated(), token.in_prompt(), token.last_position};
  }
  if (view.seen) {
    for (std::int32_t token = 0; token < view.vocab; ++token) {
      if ((view.seen_bits_of(row)[token / 32] >> (token % 32)) & 1u) image.bits.push_back(token);
    }
  }
  for (std::int32_t i = 0; i < view.slot_count; ++i) {
    const lc::AutomatonSlot& slot = view.transform_slots_of(row)[i];
    image.slots.emplace_back(slot.tag, slot.node, slot.bytes, slot.entry, slot.begin);
  }
  return image;
}

inline std::vector<std::int32_t> as_vector(lc::host_span<const std::int32_t> ids) {
  return {ids.begin(), ids.end()};
}

}  // namespace logitchain_test
