// SPDX-License-Identifier: Apache-2.0
// Where each component of a state lies in its one allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <logitchain/core/error.hpp>
#include <logitchain/state/needs.hpp>
#include <logitchain/state/shape.hpp>
#include <logitchain/state/state_view.hpp>

namespace logitchain::inline v0 {

/// Offsets and strides of a state, the same on host and device. Components follow each other in the
/// order of the members; each begins at a multiple of `ALIGNMENT`, and so does each row of tokens,
/// seen list and bitmap, so that two rows never share a cache line there.
struct StateLayout {
  static constexpr std::int64_t ALIGNMENT = 64;

  /// One component: where it begins and how it repeats by row. Absent ones have no bytes.
  struct Component {
    std::int64_t offset = 0;   ///< bytes from the start of the state
    std::int64_t stride = 0;   ///< elements from one row to the next
    std::int64_t used = 0;     ///< elements of a row in use
    std::int64_t element = 0;  ///< bytes of an element
    std::int64_t bytes = 0;    ///< bytes of all rows, without the gap to the next component
    friend constexpr bool operator==(const Component&, const Component&) = default;
  };

  Component records;       ///< RowRecord, one per row
  Component tokens;        ///< std::int32_t, `capacity` per row; absent where the caller keeps them
  Component seen;          ///< SeenToken, min(capacity, vocab) per row
  Component seen_bits;     ///< std::uint32_t, one bit per token of the vocabulary
  Component slots;         ///< AutomatonSlot, the chain's and then the criterion's
  std::int64_t bytes = 0;  ///< of the whole, a multiple of ALIGNMENT
  std::int64_t rows = 0;
  std::int64_t capacity = 0;
  std::int64_t vocab = 0;
  std::int32_t transform_slots = 0;

  friend constexpr bool operator==(const StateLayout&, const StateLayout&) = default;

  /// Pointers into the allocation that begins at `base`, on whichever side that lies. `tokens` and
  /// `token_stride` are used where the layout holds no tokens of its own.
  StateView view(void* base, std::int32_t* external_tokens = nullptr,
                 std::int64_t token_stride = 0) const {
    std::byte* const start = static_cast<std::byte*>(base);
    StateView view;
    view.records = reinterpret_cast<RowRecord*>(start + records.offset);
    view.tokens =
        tokens.bytes ? reinterpret_cast<std::int32_t*>(start + tokens.offset) : external_tokens;
    view.token_stride = tokens.bytes ? tokens.stride : token_stride;
    if (seen.bytes) {
      view.seen = reinterpret_cast<SeenToken*>(start + seen.offset);
      view.seen_bits = reinterpret_cast<std::uint32_t*>(start + seen_bits.offset);
      view.seen_stride = seen.stride;
      view.seen_words = seen_bits.stride;
    }
    if (slots.bytes) view.slots = reinterpret_cast<AutomatonSlot*>(start + slots.offset);
    view.rows = rows;
    view.capacity = static_cast<std::int32_t>(capacity);
    view.vocab = static_cast<std::int32_t>(vocab);
    view.slot_count = static_cast<std::int32_t>(slots.stride);
    view.transform_slots = transform_slots;
    return view;
  }

  /// A table for a person: component, offset, bytes of an element, elements of a row, bytes.
  std::string describe() const {
    std::ostringstream out;
    out << "state of " << rows << " rows, capacity " << capacity << ", vocab " << vocab << ": "
        << bytes << " bytes\n";
    out << std::left << std::setw(12) << "component" << std::right << std::setw(14) << "offset"
        << std::setw(9) << "element" << std::setw(12) << "used/row" << std::setw(12) << "stride"
        << std::setw(16) << "bytes" << '\n';
    const std::pair<const char*, const Component*> lines[] = {{"records", &records},
                                                              {"tokens", &tokens},
                                                              {"seen", &seen},
                                                              {"seen_bits", &seen_bits},
                                                              {"slots", &slots}};
    for (const auto& [name, part] : lines) {
      out << std::left << std::setw(12) << name << std::right;
      if (part->bytes == 0) {
        out << std::setw(14) << (part == &tokens ? "external" : "none") << '\n';
        continue;
      }
      out << std::setw(14) << part->offset << std::setw(9) << part->element << std::setw(12)
          << part->used << std::setw(12) << part->stride << std::setw(16) << part->bytes << '\n';
    }
    return std::move(out).str();
  }
};

namespace detail {

constexpr std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// `a * b` of two numbers from 0 on.
/// @throws invalid_argument where the product is above 2^62, which leaves room for sums of a few
constexpr std::int64_t checked_product(std::string_view where, std::string_view what,
                                       std::int64_t a, std::int64_t b) {
  constexpr std::int64_t LIMIT = std::int64_t{1} << 62;
  if (b != 0 && a > LIMIT / b) {
    refuse_call(where, ": the shape's ", what, " need ", a, " x ", b,
                " bytes, more than any memory holds; fewer rows or a smaller capacity");
  }
  return a * b;
}

/// Places a component behind what there is.
template <class Element>
constexpr StateLayout::Component place(std::string_view where, std::string_view what,
                                       std::int64_t rows, std::int64_t used, std::int64_t stride,
                                       std::int64_t& end) {
  StateLayout::Component part;
  part.offset = end;
  part.stride = stride;
  part.used = used;
  part.element = static_cast<std::int64_t>(sizeof(Element));
  part.bytes = checked_product(where, what, rows, stride * part.element);
  if (part.bytes > std::numeric_limits<std::int64_t>::max() / 2 - end) {
    refuse_call(where, ": the shape's components together need more than 2^62 bytes");
  }
  end = round_up(end + part.bytes, StateLayout::ALIGNMENT);
  return part;
}

}  // namespace detail

/// The layout of a state.
/// @param external_tokens the caller keeps the histories: no room is laid out for them
/// @throws invalid_argument for a shape outside of its ranges or one that no memory can hold;
/// nothing
///         has been allocated then
constexpr StateLayout layout_of(const Shape& shape, const Needs& needs,
                                bool external_tokens = false,
                                std::string_view where = "StepState") {
  check_shape(shape, where);
  if (needs.transform_slots < 0 || needs.transform_slots > 65535) {
    refuse(where, "transform_slots", needs.transform_slots, "in [0, 65535]");
  }
  if (needs.criterion_slots < 0 || needs.criterion_slots > 65535) {
    refuse(where, "criterion_slots", needs.criterion_slots, "in [0, 65535]");
  }
  // 16 elements of 4 or 12 bytes are a whole number of lines.
  constexpr std::int64_t GROUP = 16;
  StateLayout layout;
  layout.rows = shape.rows;
  layout.capacity = shape.capacity;
  layout.vocab = shape.vocab;
  layout.transform_slots = needs.transform_slots;
  std::int64_t end = 0;
  layout.records = detail::place<RowRecord>(where, "records", shape.rows, 1, 1, end);
  if (!external_tokens) {
    layout.tokens = detail::place<std::int32_t>(where, "histories", shape.rows, shape.capacity,
                                                detail::round_up(shape.capacity, GROUP), end);
  }
  if (needs.seen) {
    const std::int64_t most = shape.capacity < shape.vocab ? shape.capacity : shape.vocab;
    const std::int64_t words = (shape.vocab + 31) / 32;
    layout.seen = detail::place<SeenToken>(where, "lists of distinct tokens", shape.rows, most,
                                           detail::round_up(most, GROUP), end);
    layout.seen_bits = detail::place<std::uint32_t>(where, "bitmaps of distinct tokens", shape.rows,
                                                    words, detail::round_up(words, GROUP), end);
  }
  if (needs.slots() > 0) {
    layout.slots = detail::place<AutomatonSlot>(where, "automata", shape.rows, needs.slots(),
                                                needs.slots(), end);
  }
  layout.bytes = end;
  return layout;
}

}  // namespace logitchain::inline v0
