// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/state/step_state.hpp>

#include "support/state_doubles.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

const FakeEngine engine;
constexpr Shape SHAPE{.rows = 3, .capacity = 20, .vocab = 70, .seed = 5};

/// Memory at a multiple of 64 and a byte of tail that nobody may touch.
struct Block {
  explicit Block(std::size_t size) : bytes(size + 128, std::byte{0xa5}) {
    start = bytes.data() + (64 - reinterpret_cast<std::uintptr_t>(bytes.data()) % 64);
  }
  std::vector<std::byte> bytes;
  std::byte* start;
};

TEST(StepState, BeginsWithReleasedRows) {
  const StepState state(engine, SHAPE, {true, 1, 1});
  for (std::int64_t row = 0; row < 3; ++row) {
    EXPECT_EQ(state.status(row), Status::released);
    EXPECT_FALSE(state.active(row));
    EXPECT_EQ(state.total(row), 0);
    EXPECT_EQ(state.history(row).size(), 0);
    EXPECT_EQ(state.finish(row).criterion, NOT_FINISHED);
  }
  EXPECT_EQ(state.admissions(), 0u);
  EXPECT_EQ(state.device(), -1);
  EXPECT_EQ(state.workspace().size, 192u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(state.workspace().data) % 64, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(state.view().records) % 64, 0u);
}

TEST(StepState, TellsOfARow) {
  StepState state(engine, SHAPE, {});
  const PlainStages none;
  begin(state, none, none,
        {{.row = 1, .prompt = {4, 5, 6}, .generated = {7}, .seed = 11, .budget = 9}});
  EXPECT_EQ(state.status(1), Status::ok);
  EXPECT_TRUE(state.active(1));
  EXPECT_EQ(state.seed(1), 11u);
  EXPECT_EQ(state.admission(1), 0u);
  EXPECT_EQ(state.position(1), 1);
  EXPECT_EQ(state.budget(1), 9);
  EXPECT_EQ(state.width(1), 12);
  EXPECT_EQ(state.total(1), 4);
  EXPECT_EQ(as_vector(state.history(1)), (std::vector<std::int32_t>{4, 5, 6, 7}));
  EXPECT_EQ(as_vector(state.prompt_history(1)), (std::vector<std::int32_t>{4, 5, 6}));
  EXPECT_EQ(as_vector(state.generated(1)), (std::vector<std::int32_t>{7}));
  EXPECT_EQ(state.admissions(), 1u);
}

TEST(StepState, RefusesRowsThatAreNotThereByTheMembersName) {
  const StepState state(engine, SHAPE, {});
  EXPECT_EQ(text_of_error([&] { (void)state.status(3); }),
            "StepState::status: row is 3; it must be in [0, 2]");
  EXPECT_EQ(text_of_error([&] { (void)state.history(-1); }),
            "StepState::history: row is -1; it must be in [0, 2]");
  for (const std::int64_t row : {std::int64_t{-1}, std::int64_t{3}, std::int64_t{1} << 40}) {
    EXPECT_THROW((void)state.active(row), invalid_argument);
    EXPECT_THROW((void)state.finish(row), invalid_argument);
    EXPECT_THROW((void)state.seed(row), invalid_argument);
    EXPECT_THROW((void)state.admission(row), invalid_argument);
    EXPECT_THROW((void)state.position(row), invalid_argument);
    EXPECT_THROW((void)state.width(row), invalid_argument);
    EXPECT_THROW((void)state.total(row), invalid_argument);
    EXPECT_THROW((void)state.budget(row), invalid_argument);
    EXPECT_THROW((void)state.prompt_history(row), invalid_argument);
    EXPECT_THROW((void)state.generated(row), invalid_argument);
  }
}

TEST(StepState, LiesInTheCallersMemoryAndTouchesNothingBeyond) {
  const Needs needs{true, 1, 0};
  const StateBytes bytes = bytes_needed(engine, SHAPE, needs);
  Block state_block(bytes.state);
  Block workspace_block(bytes.workspace);
  const std::byte* const state_end = state_block.start + bytes.state;
  {
    StepState state(engine, SHAPE, needs,
                    {.state = state_block.start,
                     .state_bytes = bytes.state,
                     .workspace = workspace_block.start,
                     .workspace_bytes = bytes.workspace});
    EXPECT_EQ(static_cast<void*>(state.view().records), state_block.start);
    EXPECT_EQ(state.workspace().data, workspace_block.start);
    std::vector<std::int64_t> prompt;
    for (std::int64_t i = 0; i < SHAPE.capacity; ++i) prompt.push_back(i * 3 % 70);
    const FakeStages<1, true> chain;
    const NoStages stop;
    for (std::int64_t row = 0; row < 3; ++row) {
      begin(state, chain, stop, {{.row = row, .prompt = prompt}});
    }
    EXPECT_EQ(state.total(2), 20);
  }
  for (const std::byte* at = state_end; at < state_block.bytes.data() + state_block.bytes.size();
       ++at) {
    ASSERT_EQ(*at, std::byte{0xa5});
  }
}

TEST(StepState, RefusesMemoryThatIsTooSmallOrMisalignedWithTheSizeNeeded) {
  const StateBytes bytes = bytes_needed(engine, SHAPE, {});
  ASSERT_EQ(bytes.state, 576u);
  Block block(bytes.state);
  const auto make = [&](StateMemory memory) {
    return text_of_error([&] { const StepState state(engine, SHAPE, {}, memory); });
  };
  EXPECT_EQ(make({.state = block.start, .state_bytes = bytes.state}), "");
  EXPECT_EQ(make({.state = block.start, .state_bytes = bytes.state - 1}),
            "StepState: the memory for the state has 575 bytes; it needs 576");
  EXPECT_EQ(make({.workspace = block.start, .workspace_bytes = 191}),
            "StepState: the memory for the workspace has 191 bytes; it needs 192");
  const std::string misaligned = make({.state = block.start + 16, .state_bytes = 4096});
  EXPECT_NE(misaligned.find("it must begin at a multiple of 64 and hold 576 bytes"),
            std::string::npos)
      << misaligned;
  EXPECT_EQ(make({.state_bytes = 4096}), "StepState: state_bytes is 4096 and state is null");
  EXPECT_EQ(make({.token_stride = 20}), "StepState: token_stride is 20 and tokens is null");
}

TEST(StepState, KeepsHistoriesInTheCallersArray) {
  std::vector<std::int32_t> tokens(3 * 25, -9);
  const StateMemory memory{.tokens = tokens.data(), .token_stride = 25};
  StepState state(engine, SHAPE, {}, memory);
  EXPECT_EQ(state.layout().tokens.bytes, 0);
  EXPECT_EQ(bytes_needed(engine, SHAPE, {}, true).state, 192u);
  const PlainStages none;
  begin(state, none, none, {{.row = 2, .prompt = {4, 5}}});
  commit_token(state.view(), 2, 6, none, none);
  EXPECT_EQ(tokens[50], 4);
  EXPECT_EQ(tokens[51], 5);
  EXPECT_EQ(tokens[52], 6);
  EXPECT_EQ(tokens[53], -9);
  EXPECT_EQ(as_vector(state.generated(2)), (std::vector<std::int32_t>{6}));
}

TEST(StepState, RefusesAnArrayOfHistoriesThatCannotBeOne) {
  std::vector<std::int32_t> tokens(75);
  const auto make = [&](Shape shape, std::int32_t* at, std::int64_t stride) {
    return text_of_error(
        [&] { const StepState state(engine, shape, {}, {.tokens = at, .token_stride = stride}); });
  };
  EXPECT_EQ(make(SHAPE, tokens.data(), 19),
            "StepState: token_stride is 19; it must be at least the capacity, 20");
  EXPECT_EQ(make(SHAPE, tokens.data(), std::int64_t{1} << 61),
            "StepState: the shape's external tokens need 2305843009213693952 x 4 bytes, more than "
            "any memory holds; fewer rows or a smaller capacity");
  auto* const odd =
      reinterpret_cast<std::int32_t*>(reinterpret_cast<std::uintptr_t>(tokens.data()) + 2);
  EXPECT_NE(make(SHAPE, odd, 20).find("it must begin at a multiple of 4"), std::string::npos);
}

TEST(StepState, MovesWithoutItsAddressesChanging) {
  StepState state(engine, SHAPE, {true, 0, 0});
  const SeenStages none;
  begin(state, none, none, {{.row = 0, .prompt = {4, 5}}});
  const RowRecord* const records = state.view().records;
  StepState other(std::move(state));
  EXPECT_EQ(other.view().records, records);
  EXPECT_EQ(other.total(0), 2);
  EXPECT_EQ(other.admissions(), 1u);
  EXPECT_THROW((void)state.total(0), invalid_argument);  // NOLINT: what is left holds no rows
  StepState third(engine, {.rows = 1, .capacity = 1, .vocab = 1}, {});
  third = std::move(other);
  EXPECT_EQ(third.view().records, records);
  EXPECT_EQ(third.rows(), 3);
  EXPECT_EQ(third.shape().capacity, 20);
}

/// An engine with memory of its own, which counts and can run out.
struct HookedEngine : FakeEngine {
  static inline int live = 0;
  static inline int writes = 0;
  static inline bool empty = false;
  int device() const { return 3; }
  MemoryHooks memory_hooks() const {
    return {[](std::size_t bytes, int device, void* context) -> void* {
              EXPECT_EQ(device, 3);
              EXPECT_EQ(context, &live);
              if (empty) return nullptr;
              ++live;
              return ::operator new(bytes, std::align_val_t{64});
            },
            [](void* memory, int, void* context) noexcept {
              EXPECT_EQ(context, &live);
              --live;
              ::operator delete(memory, std::align_val_t{64});
            },
            [](void* to, const void* from, std::size_t bytes, int, void*) {
              ++writes;
              std::copy_n(static_cast<const std::byte*>(from), bytes, static_cast<std::byte*>(to));
            },
            &live};
  }
};

TEST(StepState, OwnsMemoryThroughTheEnginesHooks) {
  HookedEngine hooked;
  {
    const StepState state(hooked, SHAPE, {});
    EXPECT_EQ(HookedEngine::live, 2);
    EXPECT_EQ(HookedEngine::writes, 1);
    EXPECT_EQ(state.device(), 3);
  }
  EXPECT_EQ(HookedEngine::live, 0);
  hooked.scratch = 0;
  {
    const StepState state(hooked, SHAPE, {});
    EXPECT_EQ(HookedEngine::live, 1);
    EXPECT_EQ(state.workspace().data, nullptr);
  }
  HookedEngine::empty = true;
  EXPECT_EQ(text_of_error<runtime_error>([&] { const StepState state(hooked, SHAPE, {}); }),
            "StepState: 576 bytes for the state could not be allocated");
  HookedEngine::empty = false;
  EXPECT_EQ(HookedEngine::live, 0);
}

/// An engine of another memory space.
struct DeviceEngine : HookedEngine {
  static constexpr Space space = Space::device;
};

TEST(StepState, ReadsNoRowsOfADeviceOnTheHost) {
  const DeviceEngine device;
  const StepState state(device, SHAPE, {});
  EXPECT_EQ(state.space(), Space::device);
  EXPECT_EQ(text_of_error([&] { (void)state.status(0); }),
            "StepState::status: the state lies on device 3; read_records(engine, state) copies its "
            "records to the host, and save_row whole rows");
}

// Case B09: rows whose tokens begin beyond element 2^31 - 1, in memory that is only reserved.
TEST(StepState, ReachesRowsBeyondTwoToThe31Tokens) {
  constexpr std::int64_t rows = 14137;
  constexpr std::int64_t stride = 151936;
  constexpr std::size_t bytes = static_cast<std::size_t>(rows * stride) * 4;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* const tokens = static_cast<std::int32_t*>(memory);
  {
    StepState state(engine, {.rows = rows, .capacity = stride, .vocab = 256000, .seed = 1}, {},
                    {.tokens = tokens, .token_stride = stride});
    const PlainStages none;
    for (const std::int64_t row : {std::int64_t{0}, std::int64_t{14134}, std::int64_t{14135}}) {
      begin(state, none, none, {{.row = row, .prompt = {row, 7919 * row % 256000}}});
    }
    EXPECT_EQ(state.view().tokens_of(14135) - tokens, 2147615360);
    EXPECT_EQ(tokens[2147615360], 14135);
    EXPECT_EQ(tokens[2147615361], 7919 * 14135 % 256000);
    EXPECT_EQ(tokens[2147463424], 14134);
    EXPECT_EQ(tokens[0], 0);
    EXPECT_EQ(as_vector(state.history(14135)),
              (std::vector<std::int32_t>{14135, 7919 * 14135 % 256000}));
  }
  munmap(memory, bytes);
}

}  // namespace
