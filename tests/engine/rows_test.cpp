// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/engine/host/host_engine.hpp>
#include <logitchain/engine/host/rows.hpp>
#include <logitchain/tables/table_ref.hpp>

#include "support/state_doubles.hpp"
#include "support/walking_stage.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

class Rows : public ::testing::Test {
 protected:
  host_engine engine;
  Chain<WalkingTransform> walking = chain(WalkingTransform{});
  Criterion<WalkingRule> stop = criterion(WalkingRule{{}, 2});
  StepState state{
      engine, {.rows = 4, .capacity = 12, .vocab = 16, .seed = 7}, needs(walking, stop)};

  std::vector<RowImage> images() const {
    std::vector<RowImage> all;
    for (std::int64_t row = 0; row < state.rows(); ++row) all.push_back(image_of(state, row));
    return all;
  }
  /// Four rows, all different, one of them finished and one released.
  void fill() {
    admit(engine, walking, stop, state,
          {{.row = 0, .prompt = {1, 3}},
           {.row = 1, .prompt = {5, 5, 6}, .generated = {7}, .seed = 4},
           {.row = 2, .prompt = {9}, .budget = 3}});
    commit_token(state.view(), 0, 2, walking, stop);
    commit_token(state.view(), 2, 9, walking, stop);
  }
};

TEST_F(Rows, AreAdmittedOneOrMany) {
  admit(engine, walking, stop, state, {.row = 3, .prompt = {1, 2}});
  admit(engine, walking, stop, state, {{.row = 0, .prompt = {4}}, {.row = 1, .prompt = {5}}});
  const std::vector<Request> more{{.row = 2, .prompt = {6}}};
  admit(engine, walking, stop, state, more);
  admit(engine, walking, stop, state, std::vector<Request>{});
  EXPECT_EQ(as_vector(state.history(3)), (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(state.admission(1), 2u);
  EXPECT_EQ(state.admission(2), 3u);
  EXPECT_EQ(state.admissions(), 4u);
}

TEST_F(Rows, AreAdmittedFromBracesOfAnyNumbers) {
  // 0 is a null pointer and {1} a size to a compiler that looks at constructors before aggregates.
  admit(engine, walking, stop, state, {.row = 0, .prompt = {1}});
  admit(engine, walking, stop, state, {{.row = 1, .prompt = {0}}});
  admit(engine, walking, stop, state, {{.row = 2, .prompt = {}}, {.row = 3, .prompt = {0, 0}}});
  EXPECT_EQ(as_vector(state.history(0)), (std::vector<std::int32_t>{1}));
  EXPECT_EQ(as_vector(state.history(1)), (std::vector<std::int32_t>{0}));
  EXPECT_EQ(as_vector(state.history(2)), (std::vector<std::int32_t>{}));
  EXPECT_EQ(as_vector(state.history(3)), (std::vector<std::int32_t>{0, 0}));
  release(engine, state, {0, 1});
  admit(engine, walking, stop, state, {.row = 0, .prompt = {}});
  admit(engine, walking, stop, state, {.row = 1, .prompt = {0}, .generated = {0}, .seed = 0});
  EXPECT_EQ(state.total(0), 0);
  EXPECT_EQ(state.total(1), 2);
}

TEST_F(Rows, AreAdmittedAllOrNone) {
  fill();
  release(engine, state, 2);
  const std::vector<RowImage> before = images();
  EXPECT_EQ(text_of_error([&] {
              admit(engine, walking, stop, state,
                    {{.row = 2, .prompt = {1}}, {.row = 3, .prompt = {1, -1}}});
            }),
            "admit: requests[1].prompt[1] is -1; it must be in [0, 2147483647]");
  EXPECT_EQ(images(), before);
  EXPECT_EQ(state.admissions(), 3u);
}

TEST_F(Rows, AreRefusedByAStateThatHoldsLessThanTheChainNeeds) {
  StepState bare(engine, {.rows = 1, .capacity = 4, .vocab = 16, .seed = 7}, {});
  const std::string text =
      text_of_error([&] { admit(engine, walking, stop, bare, {.row = 0, .prompt = {1}}); });
  EXPECT_EQ(text.substr(0, 50), "admit: the chain needs more than the state holds; ") << text;
  EXPECT_EQ(bare.status(0), Status::released);
}

/// A table of no use, chosen per row.
struct NoTable {
  std::int32_t vocab() const { return 16; }
};

struct TableRule : WalkingRule {
  static constexpr std::string_view name = "TableRule";
  TableRef<NoTable> table{};
  template <class Visitor>
  void parameters(Visitor& visit) const {
    visit.table("table", table);
  }
};

TEST_F(Rows, AreRefusedWithATableIndexThatNamesNoTable) {
  const std::vector<NoTable> tables(2);
  const std::vector<std::int32_t> index{0, 1, -1, 2};
  TableRule rule;
  rule.table = TableRef<NoTable>(host_span<const NoTable>(tables), per_row(index));
  const auto by_row = criterion(rule);
  EXPECT_EQ(text_of_error([&] {
              admit(engine, walking, by_row, state,
                    {{.row = 0, .prompt = {1}}, {.row = 3, .prompt = {1}}});
            }),
            "admit: the index of row 3 among the tables of TableRule's table is 2; it must be in "
            "[-1, 1]");
  EXPECT_EQ(state.status(0), Status::released);
  admit(engine, walking, by_row, state,
        {{.row = 0, .prompt = {1}}, {.row = 1, .prompt = {1}}, {.row = 2, .prompt = {1}}});
  EXPECT_EQ(state.status(2), Status::ok);
}

TEST_F(Rows, AreReleasedAndMayBeReleasedAgain) {
  fill();
  release(engine, state, {0, 3});
  release(engine, state, 0);
  EXPECT_EQ(state.status(0), Status::released);
  EXPECT_EQ(state.total(0), 0);
  EXPECT_EQ(state.status(1), Status::ok);
  release(engine, state, std::vector<std::int32_t>{1, 1});
  release(engine, state, std::vector<std::int64_t>{2});
  for (std::int64_t row = 0; row < 4; ++row) EXPECT_EQ(image_of(state, row), RowImage{});
}

TEST_F(Rows, AreReleasedAllOrNone) {
  fill();
  const std::vector<RowImage> before = images();
  EXPECT_EQ(text_of_error([&] { release(engine, state, {1, 4}); }),
            "release: rows[1] is 4; it must be in [0, 3]");
  EXPECT_EQ(text_of_error([&] { release(engine, state, -1); }),
            "release: rows[0] is -1; it must be in [0, 3]");
  EXPECT_EQ(images(), before);
}

TEST_F(Rows, BecomeCopiesOfTheirParents) {
  fill();
  const std::vector<RowImage> before = images();
  gather(engine, state, {1, 0, 0, -1});
  EXPECT_EQ(image_of(state, 0), before[1]);
  EXPECT_EQ(image_of(state, 1), before[0]);
  EXPECT_EQ(image_of(state, 2), before[0]);
  EXPECT_EQ(image_of(state, 3), before[3]);
}

TEST_F(Rows, GetTheSeedsGivenWhereTheyHaveAParent) {
  fill();
  const std::uint64_t third = state.seed(2);
  const std::vector<std::int32_t> parents{0, 0, -1, 0};
  const std::vector<std::uint64_t> seeds{10, 11, 12, 13};
  gather(engine, state, parents, seeds);
  EXPECT_EQ(state.seed(0), 10u);
  EXPECT_EQ(state.seed(1), 11u);
  EXPECT_EQ(state.seed(2), third);
  EXPECT_EQ(state.seed(3), 13u);
  EXPECT_EQ(as_vector(state.history(3)), as_vector(state.history(0)));
}

TEST_F(Rows, GoOnByThemselvesAfterACopy) {
  fill();
  gather(engine, state, {-1, -1, 1, 1});
  commit_token(state.view(), 2, 8, walking, stop);
  commit_token(state.view(), 3, 10, walking, stop);
  EXPECT_EQ(as_vector(state.generated(1)), (std::vector<std::int32_t>{7}));
  EXPECT_EQ(as_vector(state.generated(2)), (std::vector<std::int32_t>{7, 8}));
  EXPECT_EQ(as_vector(state.generated(3)), (std::vector<std::int32_t>{7, 10}));
  EXPECT_EQ(image_of(state, 2).seen.count(10), 0u);
}

TEST_F(Rows, AreGatheredAllOrNone) {
  fill();
  const std::vector<RowImage> before = images();
  const auto text = [&](std::vector<std::int64_t> parents, std::vector<std::uint64_t> seeds) {
    return text_of_error([&] { gather(engine, state, parents, seeds); });
  };
  EXPECT_EQ(text({1, 0, 0}, {}),
            "gather: the number of parents is 3; it must be the state's rows, 4");
  EXPECT_EQ(text({1, 0, 0, 4}, {}), "gather: parents[3] is 4; it must be -1, or in [0, 3]");
  EXPECT_EQ(text({-2, 0, 0, 0}, {}), "gather: parents[0] is -2; it must be -1, or in [0, 3]");
  EXPECT_EQ(text({1, 0, std::int64_t{1} << 32, 0}, {}),
            "gather: parents[2] is 4294967296; it must be -1, or in [0, 3]");
  EXPECT_EQ(text({1, 0, 0, 0}, {1, 2}),
            "gather: the number of seeds is 2; it must be 0 or the state's rows, 4");
  EXPECT_EQ(images(), before);
}

TEST_F(Rows, AreGatheredByAnyMapOfRows) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    const std::int64_t rows = 1 + static_cast<std::int64_t>(random() % 9);
    std::vector<std::int32_t> tokens(static_cast<std::size_t>(rows) * 13);
    const StateMemory outside{.tokens = tokens.data(), .token_stride = 13};
    StepState many(engine, {.rows = rows, .capacity = 12, .vocab = 16, .seed = 7},
                   needs(walking, stop), round % 2 ? outside : StateMemory{});
    std::vector<std::int32_t> parents;
    for (std::int64_t row = 0; row < rows; ++row) {
      parents.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(rows + 1)) -
                        1);
      if (random() % 8 == 0) continue;
      Request request{.row = row, .prompt = {row}};
      for (std::uint64_t i = random() % 6; i > 0; --i) {
        request.prompt.push_back(static_cast<std::int64_t>(random() % 16));
      }
      admit(engine, walking, stop, many, request);
    }
    if (round % 3 == 0) {
      for (std::int64_t row = 0; row < rows; ++row) {
        parents[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(row);
      }
      std::shuffle(parents.begin(), parents.end(), random);
    }
    std::vector<RowImage> before;
    for (std::int64_t row = 0; row < rows; ++row) before.push_back(image_of(many, row));
    gather(engine, many, parents);
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int32_t parent = parents[static_cast<std::size_t>(row)];
      ASSERT_EQ(image_of(many, row), before[static_cast<std::size_t>(parent < 0 ? row : parent)])
          << "round " << round << " row " << row;
    }
  }
}

}  // namespace
