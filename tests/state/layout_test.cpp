// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/state/layout.hpp>

#include "support/state_doubles.hpp"

namespace {

using namespace logitchain;
using logitchain_test::text_of_error;

constexpr Shape SHAPE{.rows = 3, .capacity = 20, .vocab = 70};

TEST(StateLayout, PlacesComponentsBehindEachOtherAtLines) {
  constexpr StateLayout layout = layout_of(SHAPE, {true, 2, 1});
  static_assert(layout.records.offset == 0 && layout.records.bytes == 3 * 64);
  static_assert(layout.tokens.offset == 192 && layout.tokens.stride == 32);
  static_assert(layout.seen.offset == 192 + 3 * 128 && layout.seen.used == 20);
  static_assert(layout.seen_bits.offset == 576 + 3 * 32 * 12 && layout.seen_bits.used == 3);
  static_assert(layout.slots.offset == 1728 + 3 * 64 && layout.slots.bytes == 3 * 3 * 32);
  static_assert(layout.bytes == 2240 && layout.bytes % StateLayout::ALIGNMENT == 0);
  for (const auto& part : {layout.tokens, layout.seen, layout.seen_bits}) {
    EXPECT_EQ(part.offset % 64, 0);
    EXPECT_EQ(part.stride * part.element % 64, 0) << "two rows share a line";
    EXPECT_GE(part.stride, part.used);
  }
}

TEST(StateLayout, LeavesOutWhatIsNotNeeded) {
  const StateLayout bare = layout_of(SHAPE, {});
  EXPECT_EQ(bare.seen.bytes + bare.seen_bits.bytes + bare.slots.bytes, 0);
  EXPECT_EQ(bare.bytes, 192 + 384);
  const StateLayout external = layout_of(SHAPE, {}, true);
  EXPECT_EQ(external.tokens.bytes, 0);
  EXPECT_EQ(external.bytes, 192);
}

TEST(StateLayout, ListsNoMoreDistinctTokensThanTheVocabularyHas) {
  EXPECT_EQ(layout_of({.rows = 1, .capacity = 1000, .vocab = 33}, {true, 0, 0}).seen.used, 33);
  EXPECT_EQ(layout_of({.rows = 1, .capacity = 10, .vocab = 33}, {true, 0, 0}).seen.used, 10);
}

TEST(StateLayout, PointsItsViewAtTheComponents) {
  const StateLayout layout = layout_of(SHAPE, {true, 2, 1});
  std::vector<std::byte> memory(static_cast<std::size_t>(layout.bytes) + 64);
  void* const base = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64);
  const StateView view = layout.view(base);
  const auto offset = [&](const void* at) {
    return static_cast<const std::byte*>(at) - static_cast<const std::byte*>(base);
  };
  EXPECT_EQ(offset(view.tokens_of(2)), layout.tokens.offset + 2 * 128);
  EXPECT_EQ(offset(view.seen_of(1)), layout.seen.offset + 32 * 12);
  EXPECT_EQ(offset(view.seen_bits_of(1)), layout.seen_bits.offset + 64);
  EXPECT_EQ(offset(view.transform_slots_of(2)), layout.slots.offset + 2 * 3 * 32);
  EXPECT_EQ(offset(view.criterion_slots_of(2)), layout.slots.offset + (2 * 3 + 2) * 32);
  EXPECT_EQ(view.capacity, 20);
  EXPECT_EQ(view.vocab, 70);
}

TEST(StateLayout, RefusesProductsThatNoMemoryHoldsBeforeAnythingIsAllocated) {
  const Shape most{.rows = 2147483647, .capacity = 2147483647, .vocab = 1048575};
  EXPECT_EQ(text_of_error([&] { (void)layout_of(most, {true, 0, 0}); }),
            "StepState: the shape's histories need 2147483647 x 8589934592 bytes, more than any "
            "memory holds; fewer rows or a smaller capacity");
  // 4 bytes per token fit below 2^62, and what lies behind them does not fit as well.
  const Shape half{.rows = 2147483647, .capacity = 400000000, .vocab = 1048575};
  EXPECT_NO_THROW((void)layout_of(half, {}));
  const Shape sum{.rows = 2147483647, .capacity = 536000000, .vocab = 1048575};
  EXPECT_EQ(text_of_error([&] { (void)layout_of(sum, {true, 65535, 65535}); }),
            "StepState: the shape's components together need more than 2^62 bytes");
}

TEST(StateLayout, RefusesAnUnlikelyNumberOfAutomata) {
  EXPECT_EQ(text_of_error([] { (void)layout_of(SHAPE, {false, -1, 0}); }),
            "StepState: transform_slots is -1; it must be in [0, 65535]");
  EXPECT_EQ(text_of_error([] { (void)layout_of(SHAPE, {false, 0, 65536}); }),
            "StepState: criterion_slots is 65536; it must be in [0, 65535]");
}

TEST(StateLayout, DescribesItselfAsATable) {
  EXPECT_EQ(layout_of(SHAPE, {true, 0, 0}, true).describe(),
            "state of 3 rows, capacity 20, vocab 70: 1536 bytes\n"
            "component           offset  element    used/row      stride           bytes\n"
            "records                  0       64           1           1             192\n"
            "tokens            external\n"
            "seen                   192       12          20          32            1152\n"
            "seen_bits             1344        4           3          16             192\n"
            "slots                 none\n");
}

// Case B09: row * columns beyond 2^31 - 1.
TEST(StateLayout, CountsOffsetsIn64Bits) {
  const StateLayout layout =
      layout_of({.rows = 14136, .capacity = 151936, .vocab = 256000}, {true, 0, 0});
  EXPECT_EQ(layout.tokens.stride, 151936);
  EXPECT_EQ(14135 * layout.tokens.stride, 2147615360);
  EXPECT_EQ(layout.seen.offset - layout.tokens.offset, std::int64_t{14136} * 151936 * 4);
  EXPECT_EQ(layout.bytes, 14136 * (std::int64_t{64} + 151936 * 4 + 151936 * 12 + 32000));
}

}  // namespace
