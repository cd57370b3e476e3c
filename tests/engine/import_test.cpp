// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/engine/host/host_engine.hpp>
#include <logitchain/engine/host/import.hpp>

#include "support/state_doubles.hpp"
#include "support/walking_stage.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

using Tokens = std::vector<std::int32_t>;

class Import : public ::testing::Test {
 protected:
  host_engine engine;
  Chain<WalkingTransform> walking = chain(WalkingTransform{});
  Criterion<WalkingRule> stop = criterion(WalkingRule{{}, 2});
  StepState state{
      engine, {.rows = 4, .capacity = 12, .vocab = 16, .seed = 7}, needs(walking, stop)};

  std::string refusal(const PaddedPrompts& prompts) {
    return text_of_error([&] { import_padded(engine, walking, stop, state, prompts); });
  }
};

TEST_F(Import, DropsPaddingOnBothSidesAndInside) {
  const std::vector<std::int64_t> ids{-1, -1, 4,  5,   //
                                      6,  7,  -1, -1,  //
                                      8,  -1, 9,  10};
  import_padded(engine, walking, stop, state, {.ids = ids, .rows = 3, .width = 4});
  EXPECT_EQ(as_vector(state.history(0)), (Tokens{4, 5}));
  EXPECT_EQ(as_vector(state.history(1)), (Tokens{6, 7}));
  EXPECT_EQ(as_vector(state.history(2)), (Tokens{8, 9, 10}));
  EXPECT_EQ(state.status(3), Status::released);
}

// Case B13: what was padding counts for nothing, though its id is a real token.
TEST_F(Import, CountsNoPadding) {
  const Tokens ids{0, 0, 0, 4, 5,  //
                   0, 1, 3, 4, 5};
  const std::vector<std::uint8_t> mask{0, 0, 0, 1, 1,  //
                                       1, 1, 1, 1, 1};
  import_padded(engine, walking, stop, state, {.ids = ids, .rows = 2, .width = 5, .mask = mask});
  EXPECT_EQ(image_of(state, 0).seen,
            (std::map<std::int32_t, SeenEntry>{{4, {0, true, 0}}, {5, {0, true, 1}}}));
  EXPECT_EQ(image_of(state, 1).seen.at(0), (SeenEntry{0, true, 0}));
  EXPECT_EQ(as_vector(state.history(1)), (Tokens{0, 1, 3, 4, 5}));
}

TEST_F(Import, GivesWhatAdmissionOfTheRealTokensGives) {
  const Tokens ids{9, 9, 3, 1, 9, 9,  //
                   9, 9, 9, 9, 9, 4};
  const std::vector<std::uint64_t> seeds{11, 12};
  const std::vector<std::int64_t> budgets{5, -1};
  const std::vector<std::int64_t> rows{3, 1};
  import_padded(engine, walking, stop, state,
                {.ids = ids,
                 .rows = 2,
                 .width = 6,
                 .pad_id = 9,
                 .state_rows = rows,
                 .seeds = seeds,
                 .budgets = budgets});
  StepState plain(engine, state.shape(), needs(walking, stop));
  admit(engine, walking, stop, plain,
        {{.row = 3, .prompt = {3, 1}, .seed = 11, .budget = 5},
         {.row = 1, .prompt = {4}, .seed = 12}});
  for (std::int64_t row = 0; row < 4; ++row) EXPECT_EQ(image_of(state, row), image_of(plain, row));
}

TEST_F(Import, ReadsEveryTypeOfMask) {
  const Tokens ids{1, 2, 3, 4};
  const bool flags[] = {false, true, true, false};
  const std::vector<std::int32_t> narrow{0, 1, 1, 0};
  const std::vector<std::int64_t> wide{0, 1, std::int64_t{1} << 40, 0};
  const PromptMask masks[] = {host_span<const bool>(flags), narrow, wide};
  for (const PromptMask& mask : masks) {
    import_padded(engine, walking, stop, state, {.ids = ids, .rows = 1, .width = 4, .mask = mask});
    EXPECT_EQ(as_vector(state.history(0)), (Tokens{2, 3}));
    release(engine, state, 0);
  }
}

TEST_F(Import, SkipsWhatLiesBetweenRows) {
  const Tokens ids{1, 2, -5, -5, 3, 4};
  import_padded(engine, walking, stop, state,
                {.ids = ids, .rows = 2, .width = 2, .stride = 4, .first_row = 2});
  EXPECT_EQ(as_vector(state.history(2)), (Tokens{1, 2}));
  EXPECT_EQ(as_vector(state.history(3)), (Tokens{3, 4}));
  release(engine, state, {2, 3});
  const std::vector<std::uint8_t> mask{0, 1, 0, 0, 1, 1};
  import_padded(engine, walking, stop, state,
                {.ids = ids, .rows = 2, .width = 2, .stride = 4, .mask = mask});
  EXPECT_EQ(as_vector(state.history(0)), (Tokens{2}));
  EXPECT_EQ(as_vector(state.history(1)), (Tokens{3, 4}));
}

TEST_F(Import, BeginsARowOfNothingButPadding) {
  const Tokens ids{-1, -1};
  import_padded(engine, walking, stop, state, {.ids = ids, .rows = 1, .width = 2});
  EXPECT_EQ(state.status(0), Status::ok);
  EXPECT_EQ(state.total(0), 0);
}

TEST_F(Import, RefusesWhatDoesNotFitTogether) {
  const Tokens ids{1, 2, 3, 4, -5, 6};
  const std::vector<std::int64_t> two{1, 2};
  const std::vector<std::uint8_t> mask{1, 1, 1, 1, 1};
  EXPECT_EQ(refusal({.ids = ids, .rows = 2, .width = 3}),
            "import_padded: ids[1, 1] is -5; it must be in [0, 2147483647], or the pad id -1");
  EXPECT_EQ(refusal({.ids = ids, .rows = 3, .width = 3}),
            "import_padded: ids has 6 entries; 3 rows of 3 with a stride of 3 need more");
  EXPECT_EQ(refusal({.ids = ids, .rows = 2, .width = 1, .stride = std::int64_t{1} << 62}),
            "import_padded: ids has 6 entries; 2 rows of 1 with a stride of 4611686018427387904 "
            "need more");
  EXPECT_EQ(refusal({.ids = ids, .rows = 2, .width = 3, .mask = mask}),
            "import_padded: mask has 5 entries; 2 rows of 3 with a stride of 3 need more");
  EXPECT_EQ(refusal({.ids = ids, .rows = 2, .width = 3, .stride = 2}),
            "import_padded: stride is 2; it must be at least the width, 3");
  EXPECT_EQ(refusal({.ids = ids, .rows = 5, .width = 1}),
            "import_padded: rows is 5; it must be at most the state's, 4");
  EXPECT_EQ(refusal({.ids = ids, .rows = -1, .width = 1}),
            "import_padded: rows is -1; it must be >= 0");
  EXPECT_EQ(refusal({.ids = ids, .rows = 1, .width = -1}),
            "import_padded: width is -1; it must be >= 0");
  EXPECT_EQ(refusal({.ids = ids, .rows = 1, .width = 1, .state_rows = two}),
            "import_padded: the number of state_rows is 2; it must be 0 or the number of prompts, "
            "1");
  EXPECT_EQ(refusal({.ids = ids, .rows = 1, .width = 1, .budgets = two}),
            "import_padded: the number of budgets is 2; it must be 0 or the number of prompts, 1");
  EXPECT_EQ(refusal({.ids = ids, .rows = 2, .width = 1, .first_row = 3}),
            "import_padded: first_row is 3; it must be in [0, 2]");
  const std::vector<std::int64_t> twice{1, 1};
  EXPECT_EQ(refusal({.ids = ids, .rows = 2, .width = 1, .state_rows = twice}),
            "import_padded: requests[0] and requests[1] are both for row 1");
  for (std::int64_t row = 0; row < 4; ++row) EXPECT_EQ(state.status(row), Status::released);
}

}  // namespace
