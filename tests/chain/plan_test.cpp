// SPDX-License-Identifier: Apache-2.0
// The plan is a constexpr value: these tests pass by compiling.
#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

namespace lc = logitchain;

namespace {

template <class... Stages>
constexpr auto plan_of() {
  return lc::Chain<Stages...>::PLAN;
}

constexpr lc::Numbers MASS = lc::Numbers::maximum | lc::Numbers::total;

// Nothing to transform: one pass, which draws.
static_assert(plan_of<>().passes == 1);
static_assert(plan_of<>()[0] == lc::Pass{0, 0, -1, MASS, lc::Numbers::none, true, false});

// Consecutive maps are one run in front of the first shrink.
constexpr auto LONG = plan_of<lc::RepetitionPenalty, lc::PresencePenalty, lc::Temperature, lc::TopK,
                              lc::TopP, lc::MinP>();
static_assert(LONG.passes == 4);
static_assert(LONG[0].first_map == 0 && LONG[0].maps == 3 && LONG[0].stage == 3);
static_assert(LONG.whole_row_passes() == 1, "behind a selection only survivors are touched");
static_assert(LONG[1].stage == 4 && LONG[1].maps == 0 && !LONG[1].whole_row);

// The best token passes top-k unchanged: top-p shares the maximum and needs a mass of its own.
static_assert(LONG[1].numbers == MASS && LONG[1].shared == lc::Numbers::maximum);
static_assert(LONG[2].numbers == (lc::Numbers::maximum | lc::Numbers::kth) &&
              LONG[2].shared == lc::Numbers::maximum);

// A map in between makes other scores: nothing is shared, but through one that keeps the order.
constexpr auto WARMED = plan_of<lc::TopK, lc::Temperature, lc::TopP>();
static_assert(WARMED[1].maps == 1 && WARMED[1].shared == lc::Numbers::maximum);
constexpr auto PENALISED = plan_of<lc::TopK, lc::Temperature, lc::PresencePenalty, lc::TopP>();
static_assert(PENALISED[1].maps == 2 && PENALISED[1].shared == lc::Numbers::none);

// Typical may remove the best token, Renormalize rewrites it.
static_assert(plan_of<lc::Typical, lc::TopK>()[1].shared == lc::Numbers::none);
static_assert(plan_of<lc::Renormalize, lc::TopK>()[1].shared == lc::Numbers::none);

// Entropy implies mass, mass implies the maximum.
static_assert(lc::has(plan_of<lc::Typical>()[0].numbers, lc::Numbers::entropy));
static_assert(lc::has(plan_of<lc::Typical>()[0].numbers, lc::Numbers::total));
static_assert(lc::has(plan_of<lc::EtaCutoff>()[0].numbers, lc::Numbers::maximum));

// Filters that the best token passes are void in front of Greedy, and only there.
constexpr auto GREEDY = plan_of<lc::Temperature, lc::TopK, lc::MinP, lc::TopP, lc::Greedy>();
static_assert(!GREEDY.dropped[0] && GREEDY.dropped[1] && GREEDY.dropped[2] && GREEDY.dropped[3]);
static_assert(GREEDY.passes == 2 && GREEDY[0].stage == 4 && GREEDY[0].maps == 1);
constexpr auto TYPICAL_GREEDY = plan_of<lc::TopK, lc::Typical, lc::TopP, lc::Greedy>();
static_assert(!TYPICAL_GREEDY.dropped[0] && !TYPICAL_GREEDY.dropped[1] && TYPICAL_GREEDY.dropped[2],
              "what Typical keeps depends on what top-k left");
constexpr auto PENALISED_GREEDY = plan_of<lc::TopK, lc::FrequencyPenalty, lc::Greedy>();
static_assert(!PENALISED_GREEDY.dropped[0], "a penalty may bring down the best of the survivors");
static_assert(!plan_of<lc::TopK, lc::TopP>().dropped[0]);

// What a later stage revives keeps its place, and every pass up to there runs over the whole row.
constexpr auto REVIVED = plan_of<lc::TopK, lc::RemoveInvalidValues, lc::TopP>();
static_assert(REVIVED[0].in_place && REVIVED[0].whole_row);
static_assert(REVIVED[1].whole_row && !REVIVED[1].in_place && !REVIVED[2].whole_row);
static_assert(REVIVED.whole_row_passes() == 2);

// Plans are made of kinds, not of names.
static_assert(plan_of<lc::TopK, lc::TopP>()[0].maps == plan_of<lc::TopH, lc::TopP>()[0].maps);

TEST(Plan, IsTheSameValueThroughTheFunction) {
  const auto chain = lc::chain(lc::Temperature{0.7}, lc::TopK{20});
  constexpr auto expected = plan_of<lc::Temperature, lc::TopK>();
  EXPECT_EQ(lc::plan(chain), expected);
}

}  // namespace
