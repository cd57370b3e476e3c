// SPDX-License-Identifier: Apache-2.0
// A row as bytes: how they lie, and what is checked before another state goes on with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <logitchain/core/automaton_slot.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/error.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/state/admission.hpp>
#include <logitchain/state/bytes.hpp>
#include <logitchain/state/row_record.hpp>
#include <logitchain/state/seen_list.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

namespace detail {

/// The blob, all numbers lowest byte first: the head, then the history (int32 each), then the
/// automata (32 bytes each, the chain's first), then the checksum of all that. The list of distinct
/// tokens is not in it: it follows from the history.
struct RowBlob {
  static constexpr std::uint64_t MARK = 0x00574f524e434c89u;  ///< 0x89 "LCNROW" and a zero byte
  static constexpr std::uint32_t VERSION = 1;
  static constexpr std::int64_t HEAD = 80;
  static constexpr std::int64_t SLOT = 32;
  static constexpr std::int64_t SUM = 8;

  RowRecord record;
  std::uint32_t vocab = 0;
  std::int32_t transform_slots = 0;
  std::int32_t criterion_slots = 0;
  host_span<const std::byte> history;  ///< int32 each
  host_span<const std::byte> slots;    ///< SLOT bytes each

  LOGITCHAIN_HD static std::int64_t bytes(std::int64_t tokens, std::int64_t slots) {
    return HEAD + 4 * tokens + SLOT * slots + SUM;
  }
};

inline void put_slot(ByteWriter& out, const AutomatonSlot& slot) {
  out.put(slot.tag);
  out.put(slot.node);
  out.put(slot.bytes);
  out.put(slot.entry);
  out.put(static_cast<std::uint32_t>(slot.walked | slot.passes_prompt << 31));
  out.put(slot.begin);
}

inline AutomatonSlot take_slot(ByteReader& in) {
  AutomatonSlot slot;
  slot.tag = in.take<std::uint32_t>();
  slot.node = in.take<std::int32_t>();
  slot.bytes = in.take<std::int64_t>();
  slot.entry = in.take<std::int32_t>();
  const auto walked = in.take<std::uint32_t>();
  slot.walked = walked & 0x7fffffffu;
  slot.passes_prompt = (walked >> 31) != 0;
  slot.begin = in.take<std::int64_t>();
  return slot;
}

/// Status, activity and finish reason go together.
LOGITCHAIN_HD inline bool has_sound_status(const RowRecord& record) {
  const bool known = record.status <= Status::capacity && record.status != Status::released;
  const bool finished = record.status == Status::finished;
  const bool reason = record.finish_criterion >= 0;
  return known && record.active == (record.status == Status::ok ? 1 : 0) && finished == reason &&
         record.finish_criterion >= NOT_FINISHED;
}
/// A row that generates has budget left, and one that ended with its budget has none.
LOGITCHAIN_HD inline bool has_sound_budget(const RowRecord& record) {
  if (record.budget < 0) return false;
  const bool spent = record.generated >= record.budget;
  if (record.active != 0) return !spent;
  return spent || record.finish_criterion != BUDGET_SPENT;
}

/// Reads a blob's head and finds its parts. Only what it says of itself is checked here.
/// @throws runtime_error naming what is wrong
inline RowBlob open_blob(host_span<const std::byte> blob) {
  constexpr std::string_view where = "load_row: ";
  if (blob.size() < RowBlob::bytes(0, 0)) {
    fail(where, "the blob has ", blob.size(), " bytes; a saved row has at least ",
         RowBlob::bytes(0, 0));
  }
  ByteReader in(blob.data());
  if (in.take<std::uint64_t>() != RowBlob::MARK) fail(where, "the blob is not a saved row");
  const auto version = in.take<std::uint32_t>();
  if (version != RowBlob::VERSION) {
    fail(where, "the blob has version ", version, "; this library reads version ",
         RowBlob::VERSION);
  }
  RowBlob found;
  found.vocab = in.take<std::uint32_t>();
  found.transform_slots = in.take<std::int32_t>();
  found.criterion_slots = in.take<std::int32_t>();
  RowRecord& record = found.record;
  record.prompt_length = in.take<std::int32_t>();
  record.generated = in.take<std::int32_t>();
  record.budget = in.take<std::int32_t>();
  record.seed = in.take<std::uint64_t>();
  record.admission = in.take<std::uint64_t>();
  record.finish_begin = in.take<std::int64_t>();
  record.finish_entry = in.take<std::int32_t>();
  record.finish_criterion = in.take<std::int16_t>();
  const auto status = in.take<std::uint8_t>();
  const auto active = in.take<std::uint8_t>();
  const auto reserved = in.take<std::uint32_t>();
  const auto stated = in.take<std::int64_t>();
  if (stated != blob.size()) {
    fail(where, "the blob says that it has ", stated, " bytes and has ", blob.size());
  }
  ByteReader end(blob.data() + blob.size() - RowBlob::SUM);
  if (checksum(blob.data(), blob.size() - RowBlob::SUM) != end.take<std::uint64_t>()) {
    fail(where, "the blob's checksum is wrong; it was changed after it was saved");
  }
  const std::int64_t total = std::int64_t{record.prompt_length} + record.generated;
  const std::int64_t slots = std::int64_t{found.transform_slots} + found.criterion_slots;
  if (record.prompt_length < 0 || record.generated < 0 || found.transform_slots < 0 ||
      found.criterion_slots < 0 || blob.size() != RowBlob::bytes(total, slots)) {
    fail(where, "the blob's lengths contradict its size of ", blob.size(), " bytes");
  }
  record.status = static_cast<Status>(status);
  record.active = active;
  if (!has_sound_status(record) || reserved != 0) {
    fail(where, "the blob's status and finish reason contradict each other");
  }
  if (!has_sound_budget(record)) fail(where, "the blob's budget contradicts its status");
  found.history = {blob.data() + RowBlob::HEAD, 4 * total};
  found.slots = {blob.data() + RowBlob::HEAD + 4 * total, RowBlob::SLOT * slots};
  ByteReader tokens(found.history.data());
  for (std::int64_t i = 0; i < total; ++i) {
    if (tokens.take<std::int32_t>() < 0) fail(where, "token ", i, " of the blob is negative");
  }
  return found;
}

/// Refuses a sound blob that does not fit the state.
inline void check_blob_fits(const RowBlob& blob, const StepState& state) {
  const Shape& shape = state.shape();
  const RowRecord& record = blob.record;
  if (blob.vocab != shape.vocab) {
    refuse_call("load_row: the row was saved with a vocabulary of ", blob.vocab,
                " tokens and the state has ", shape.vocab);
  }
  if (blob.transform_slots != state.needs().transform_slots ||
      blob.criterion_slots != state.needs().criterion_slots) {
    refuse_call("load_row: the row was saved with ", blob.transform_slots, " and ",
                blob.criterion_slots, " automata of chain and criterion and the state has ",
                state.needs().transform_slots, " and ", state.needs().criterion_slots,
                "; the states must be made with the same needs");
  }
  const std::int64_t total = std::int64_t{record.prompt_length} + record.generated;
  const std::int64_t width = std::int64_t{record.prompt_length} + record.budget;
  if (total > shape.capacity || width > shape.capacity) {
    refuse_call("load_row: the row has ", total, " tokens and room for ", width,
                ", its prompt and budget; a row of this state holds ", shape.capacity);
  }
}

/// The blob of a row of a state in host memory.
inline std::vector<std::byte> blob_of_row(const StateView& view, std::int64_t row) {
  const RowRecord& record = view.records[row];
  const std::int64_t total = std::int64_t{record.prompt_length} + record.generated;
  const std::int64_t bytes = RowBlob::bytes(total, view.slot_count);
  ByteWriter out(bytes);
  out.put(RowBlob::MARK);
  out.put(RowBlob::VERSION);
  out.put(static_cast<std::uint32_t>(view.vocab));
  out.put(view.transform_slots);
  out.put(view.slot_count - view.transform_slots);
  out.put(record.prompt_length);
  out.put(record.generated);
  out.put(record.budget);
  out.put(record.seed);
  out.put(record.admission);
  out.put(record.finish_begin);
  out.put(record.finish_entry);
  out.put(record.finish_criterion);
  out.put(static_cast<std::uint8_t>(record.status));
  out.put(record.active);
  out.put(std::uint32_t{0});
  out.put(bytes);
  for (std::int64_t i = 0; i < total; ++i) out.put(view.tokens_of(row)[i]);
  for (std::int32_t i = 0; i < view.slot_count; ++i) {
    put_slot(out, view.transform_slots_of(row)[i]);
  }
  out.put(checksum(out.bytes().data(), static_cast<std::int64_t>(out.bytes().size())));
  return std::move(out.bytes());
}

/// Puts a checked blob into a row of a state in host memory.
inline void restore_row(const StateView& view, std::int64_t row, const RowBlob& found) {
  SeenIndex index(view);
  RowRecord& record = view.records[row];
  record = found.record;
  clear_seen(view, row);
  const std::int64_t total = std::int64_t{record.prompt_length} + record.generated;
  ByteReader tokens(found.history.data());
  for (std::int64_t i = 0; i < total; ++i) {
    const auto token = tokens.take<std::int32_t>();
    view.tokens_of(row)[i] = token;
    note_seen(view, row, token, static_cast<std::int32_t>(i), i >= record.prompt_length,
              index.find(token));
    index.follow(view, row);
  }
  record.last_token = record.generated > 0 ? view.tokens_of(row)[total - 1] : -1;
  ByteReader slots(found.slots.data());
  for (std::int32_t i = 0; i < view.slot_count; ++i) {
    view.transform_slots_of(row)[i] = take_slot(slots);
  }
}

}  // namespace detail
}  // namespace logitchain::inline v0
