// SPDX-License-Identifier: Apache-2.0
// A row as bytes: how they lie, and what is checked before another state goes on with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
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

/// What a blob says of itself and of its row, before the history.
struct BlobHead {
  static constexpr std::uint64_t MARK = 0x00574f524e434c89u;  ///< 0x89 "LCNROW" and a zero byte
  static constexpr std::uint32_t VERSION = 1;
  static constexpr std::int64_t BYTES = 80;

  std::uint64_t mark = MARK;
  std::uint32_t version = VERSION;
  std::int32_t vocab = 0;
  std::int32_t transform_slots = 0;
  std::int32_t criterion_slots = 0;
  RowRecord record;  ///< without what follows from the history
  std::uint32_t reserved = 0;
  std::int64_t bytes = 0;  ///< of the whole blob

  LOGITCHAIN_HD std::int64_t tokens() const {
    return std::int64_t{record.prompt_length} + record.generated;
  }
};

/// The head's numbers in the order of the blob.
/// @param visit a `ByteWriter` or `ByteReader` at the blob's begin
template <class Head, class Visit>
LOGITCHAIN_HD void visit_head(Head& head, Visit visit) {
  visit(head.mark);
  visit(head.version);
  visit(head.vocab);
  visit(head.transform_slots);
  visit(head.criterion_slots);
  visit(head.record.prompt_length);
  visit(head.record.generated);
  visit(head.record.budget);
  visit(head.record.seed);
  visit(head.record.admission);
  visit(head.record.finish_begin);
  visit(head.record.finish_entry);
  visit(head.record.finish_criterion);
  visit(head.record.status);
  visit(head.record.active);
  visit(head.reserved);
  visit(head.bytes);
}

/// The blob, all numbers lowest byte first: the head, then the history (int32 each), then the
/// automata (32 bytes each, the chain's first), then the checksum of all that. The list of distinct
/// tokens is not in it: it follows from the history.
struct RowBlob {
  static constexpr std::int64_t SLOT = 32;
  static constexpr std::int64_t SUM = 8;

  BlobHead head;
  host_span<const std::byte> history;  ///< int32 each
  host_span<const std::byte> slots;    ///< SLOT bytes each

  LOGITCHAIN_HD static std::int64_t bytes(std::int64_t tokens, std::int64_t slots) {
    return BlobHead::BYTES + 4 * tokens + SLOT * slots + SUM;
  }
};

/// The head of a row's blob.
LOGITCHAIN_HD inline BlobHead head_of_row(const StateView& view, const RowRecord& record) {
  BlobHead head;
  head.vocab = view.vocab;
  head.transform_slots = view.transform_slots;
  head.criterion_slots = view.slot_count - view.transform_slots;
  head.record = record;
  head.bytes = RowBlob::bytes(head.tokens(), view.slot_count);
  return head;
}

// A device copies automata as they lie in its memory.
static_assert(offsetof(AutomatonSlot, tag) == 0 && offsetof(AutomatonSlot, node) == 4 &&
              offsetof(AutomatonSlot, bytes) == 8 && offsetof(AutomatonSlot, entry) == 16 &&
              offsetof(AutomatonSlot, begin) == 24 && sizeof(AutomatonSlot) == RowBlob::SLOT);

inline void put_slot(ByteWriter& out, const AutomatonSlot& slot) {
  out(slot.tag);
  out(slot.node);
  out(slot.bytes);
  out(slot.entry);
  out(static_cast<std::uint32_t>(slot.walked | slot.passes_prompt << 31));
  out(slot.begin);
}

inline AutomatonSlot take_slot(ByteReader& in) {
  AutomatonSlot slot;
  in(slot.tag);
  in(slot.node);
  in(slot.bytes);
  in(slot.entry);
  const auto walked = in.take<std::uint32_t>();
  slot.walked = walked & 0x7fffffffu;
  slot.passes_prompt = (walked >> 31) != 0;
  in(slot.begin);
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
  RowBlob found;
  BlobHead& head = found.head;
  visit_head(head, ByteReader{blob.data()});
  if (head.mark != BlobHead::MARK) fail(where, "the blob is not a saved row");
  if (head.version != BlobHead::VERSION) {
    fail(where, "the blob has version ", head.version, "; this library reads version ",
         BlobHead::VERSION);
  }
  if (head.bytes != blob.size()) {
    fail(where, "the blob says that it has ", head.bytes, " bytes and has ", blob.size());
  }
  ByteReader end{blob.data() + blob.size() - RowBlob::SUM};
  if (checksum(blob.data(), blob.size() - RowBlob::SUM) != end.take<std::uint64_t>()) {
    fail(where, "the blob's checksum is wrong; it was changed after it was saved");
  }
  const RowRecord& record = head.record;
  const std::int64_t total = head.tokens();
  const std::int64_t slots = std::int64_t{head.transform_slots} + head.criterion_slots;
  if (record.prompt_length < 0 || record.generated < 0 || head.transform_slots < 0 ||
      head.criterion_slots < 0 || blob.size() != RowBlob::bytes(total, slots)) {
    fail(where, "the blob's lengths contradict its size of ", blob.size(), " bytes");
  }
  if (!has_sound_status(record) || head.reserved != 0) {
    fail(where, "the blob's status and finish reason contradict each other");
  }
  if (!has_sound_budget(record)) fail(where, "the blob's budget contradicts its status");
  found.history = {blob.data() + BlobHead::BYTES, 4 * total};
  found.slots = {blob.data() + BlobHead::BYTES + 4 * total, RowBlob::SLOT * slots};
  ByteReader tokens{found.history.data()};
  for (std::int64_t i = 0; i < total; ++i) {
    if (tokens.take<std::int32_t>() < 0) fail(where, "token ", i, " of the blob is negative");
  }
  return found;
}

/// Refuses a sound blob that does not fit the state.
inline void check_blob_fits(const RowBlob& blob, const StepState& state) {
  const Shape& shape = state.shape();
  const BlobHead& head = blob.head;
  if (head.vocab != shape.vocab) {
    refuse_call("load_row: the row was saved with a vocabulary of ",
                static_cast<std::uint32_t>(head.vocab), " tokens and the state has ", shape.vocab);
  }
  if (head.transform_slots != state.needs().transform_slots ||
      head.criterion_slots != state.needs().criterion_slots) {
    refuse_call("load_row: the row was saved with ", head.transform_slots, " and ",
                head.criterion_slots, " automata of chain and criterion and the state has ",
                state.needs().transform_slots, " and ", state.needs().criterion_slots,
                "; the states must be made with the same needs");
  }
  const std::int64_t total = head.tokens();
  const std::int64_t width = std::int64_t{head.record.prompt_length} + head.record.budget;
  if (total > shape.capacity || width > shape.capacity) {
    refuse_call("load_row: the row has ", total, " tokens and room for ", width,
                ", its prompt and budget; a row of this state holds ", shape.capacity);
  }
}

/// The blob of a row of a state in host memory.
inline std::vector<std::byte> blob_of_row(const StateView& view, std::int64_t row) {
  const BlobHead head = head_of_row(view, view.records[row]);
  std::vector<std::byte> blob(static_cast<std::size_t>(head.bytes));
  visit_head(head, ByteWriter{blob.data()});
  ByteWriter out{blob.data() + BlobHead::BYTES};
  for (std::int64_t i = 0; i < head.tokens(); ++i) out(view.tokens_of(row)[i]);
  for (std::int32_t i = 0; i < view.slot_count; ++i) {
    put_slot(out, view.transform_slots_of(row)[i]);
  }
  out(checksum(blob.data(), head.bytes - RowBlob::SUM));
  return blob;
}

/// Puts a checked blob into a row of a state in host memory.
inline void restore_row(const StateView& view, std::int64_t row, const RowBlob& found) {
  SeenIndex index(view);
  RowRecord& record = view.records[row];
  record = found.head.record;
  clear_seen(view, row);
  const std::int64_t total = found.head.tokens();
  ByteReader tokens{found.history.data()};
  for (std::int64_t i = 0; i < total; ++i) {
    const auto token = tokens.take<std::int32_t>();
    view.tokens_of(row)[i] = token;
    note_seen(view, row, token, static_cast<std::int32_t>(i), i >= record.prompt_length,
              index.find(token));
    index.follow(view, row);
  }
  record.last_token = record.generated > 0 ? view.tokens_of(row)[total - 1] : -1;
  ByteReader slots{found.slots.data()};
  for (std::int32_t i = 0; i < view.slot_count; ++i) {
    view.transform_slots_of(row)[i] = take_slot(slots);
  }
}

}  // namespace detail
}  // namespace logitchain::inline v0
