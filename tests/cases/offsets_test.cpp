// SPDX-License-Identifier: Apache-2.0
// Offsets beyond 2^31 elements: address space is reserved, only the pages of the rows that are read
// exist.
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

/// Zeros that take no memory until they are written.
class Reserved {
 public:
  explicit Reserved(std::int64_t bytes)
      : bytes_(index_of(bytes)),
        memory_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;
  ~Reserved() {
    if (there()) munmap(memory_, bytes_);
  }
  bool there() const { return memory_ != MAP_FAILED; }
  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  std::size_t bytes_;
  void* memory_;
};

void expect_planted_maxima(std::int64_t width, std::int64_t rows, std::int32_t first,
                           std::int64_t offset_of_second) {
  const std::int32_t second = first + 1;
  ASSERT_EQ(second * width, offset_of_second);
  const Reserved memory(rows * width * 2);
  if (!memory.there()) GTEST_SKIP() << "no address space of " << rows * width * 2 << " bytes";
  bfloat16* const logits = memory.as<bfloat16>();
  for (const std::int32_t row : {first, second}) {
    logits[row * width + 7919ll * row % width] = to_bfloat16(1.0f);
  }
  host_engine engine;
  const auto best = chain(Greedy{});
  StepState state = state_of(engine, best, criterion(), width, {RowStart{}, RowStart{}});
  const std::vector<std::int32_t> logits_row = {first, second};
  std::vector<std::int64_t> tokens(2);
  step(engine, best, criterion(), state, host_logits(logits, rows, width),
       {.tokens = tokens, .items = {.logits_row = logits_row}});
  EXPECT_EQ(tokens, (std::vector<std::int64_t>{7919ll * first % width, 7919ll * second % width}));
}

TEST(RowsOfLogits, B09_BeyondTwoToThe31ElementsAreFound) {
  expect_planted_maxima(151936, 14136, 14134, 2147615360);
}

TEST(RowsOfLogits, B09_OfALargerVocabularyAreFoundToo) {
  expect_planted_maxima(256000, 8390, 8388, 2147584000);
}

TEST(RowsOfScores, B09_BeyondTwoToThe31ElementsAreFound) {
  constexpr std::int64_t WIDTH = 151936;
  const Reserved memory(14136 * WIDTH * 2);
  if (!memory.there()) GTEST_SKIP() << "no address space";
  bfloat16* const base = memory.as<bfloat16>();
  const host_scores scores(base, 14136, WIDTH, WIDTH);
  EXPECT_EQ(static_cast<bfloat16*>(scores.row(14134)) - base, 2147463424);
  EXPECT_EQ(static_cast<bfloat16*>(scores.row(14135)) - base, 2147615360);
}

TEST(Histories, B09_BeyondTwoToThe31ElementsAreFound) {
  constexpr std::int64_t STRIDE = 256000;
  constexpr std::int64_t ROWS = 8390;
  const Reserved memory(ROWS * STRIDE * 4);
  if (!memory.there()) GTEST_SKIP() << "no address space";
  std::int32_t* const tokens = memory.as<std::int32_t>();
  host_engine engine;
  const auto none = chain();
  StepState state(engine, {.rows = ROWS, .capacity = 16, .vocab = 32, .seed = 1},
                  needs(none, criterion()), {.tokens = tokens, .token_stride = STRIDE});
  admit(engine, none, criterion(), state,
        {{.row = 8388, .prompt = {3, 4}}, {.row = 8389, .prompt = {5}}});
  const std::vector<std::int32_t> rows = {8388, 8389};
  commit(engine, none, criterion(), state, std::vector<std::int32_t>{6, 7},
         {.items = {.state_row = rows}});
  EXPECT_EQ(tokens[8388 * STRIDE + 2], 6);
  EXPECT_EQ(tokens[2147584000], 5);
  EXPECT_EQ(tokens[2147584001], 7);
}

TEST(StateViews, B09_MultiplyRowsInSixtyFourBits) {
  const Reserved memory(std::int64_t{1} << 36);
  if (!memory.there()) GTEST_SKIP() << "no address space";
  StateView view;
  view.tokens = memory.as<std::int32_t>();
  view.seen = memory.as<SeenToken>();
  view.seen_bits = memory.as<std::uint32_t>();
  view.slots = memory.as<AutomatonSlot>();
  view.token_stride = 151936;
  view.seen_stride = 151936;
  view.seen_words = (151936 + 31) / 32;
  view.slot_count = 4;
  EXPECT_EQ(view.tokens_of(14135) - view.tokens, 2147615360);
  EXPECT_EQ(view.seen_of(14135) - view.seen, 2147615360);
  EXPECT_EQ(view.seen_bits_of(500000) - view.seen_bits, 500000ll * 4748);
  EXPECT_EQ(view.transform_slots_of(500000000) - view.slots, 2000000000);
}

}  // namespace
