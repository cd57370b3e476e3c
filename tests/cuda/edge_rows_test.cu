// SPDX-License-Identifier: Apache-2.0
// Rows at the edges of what a row can be, on both engines, in clusters of every size and in every
// element type: scores, tokens and states are the same.
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/edge_chains.cuh"

namespace cuda_test {
namespace {

/// More than a list of survivors holds, and no multiple of anything.
constexpr std::int64_t EDGE_VOCAB = 4501;

/// How a batch is run. Large clusters are slow where a processor stands in for them, and what is
/// special about a row they find out as small ones do.
struct Way {
  int cluster;
  DType type;
  std::int64_t offset;  ///< elements by which logits miss their alignment
  std::size_t rows;     ///< of the edge rows, from the first
  Residence residence = Residence::resident;
};
constexpr Way ONE{1, DType::bf16, 1, 99};
constexpr Way STREAMED{1, DType::f32, 0, 99, Residence::streaming};
constexpr Way WAYS[] = {ONE,
                        {4, DType::f32, 0, 7},
                        {8, DType::f16, 3, 3},
                        {16, DType::bf16, 0, 1},
                        STREAMED,
                        {2, DType::bf16, 5, 99, Residence::streaming},
                        {4, DType::f16, 0, 99, Residence::streaming}};

std::vector<float> filled(float logit) {
  return std::vector<float>(static_cast<std::size_t>(EDGE_VOCAB), logit);
}

/// `levels` values that bfloat16 holds, anywhere.
std::vector<float> plateaus(unsigned levels, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> row = filled(0);
  for (float& logit : row) logit = 0.5f * static_cast<float>(random() % levels);
  return row;
}

struct Edge {
  const char* name;
  std::vector<float> row;
};

std::vector<Edge> edges() {
  std::mt19937 random(11);
  const std::vector<float> ordinary = random_row(random, EDGE_VOCAB);
  std::vector<Edge> all;
  const auto with = [&](const char* name, const std::vector<float>& row, auto change) {
    all.push_back({name, row});
    std::vector<float>& own = all.back().row;
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = change(static_cast<int>(i), own[i]);
  };
  // Some above, then ties that begin in front of the edge and end behind it.
  with("a huge tie across the edge", ordinary, [](int i, float) {
    return i % 450 == 7 ? 3.0f : i % 3 != 0 ? 2.5f : -1.0f;
  });
  all.push_back({"plateaus", plateaus(7, 2)});
  all.push_back({"ordinary", ordinary});
  with("one NaN", ordinary, [](int i, float z) { return i == 4099 ? NOT_A_NUMBER : z; });
  all.push_back({"all equal", filled(1.25f)});
  with("one survivor", filled(FILTER), [](int i, float z) { return i == 4400 ? -7.0f : z; });
  all.push_back({"nothing left", filled(FILTER)});
  all.push_back({"all NaN", filled(NOT_A_NUMBER)});
  all.push_back({"two plateaus", plateaus(2, 1)});
  all.push_back({"many plateaus", plateaus(90, 3)});
  with("one +inf", ordinary, [](int i, float z) { return i == 31 ? INFINITE : z; });
  with("a NaN among removed", filled(FILTER),
       [](int i, float z) { return i != 5 ? z : -NOT_A_NUMBER; });
  with("ascending", ordinary, [](int i, float) { return static_cast<float>(i) * 0.004f; });
  with("descending", ordinary, [](int i, float) { return static_cast<float>(-i) * 0.03f; });
  with("a tie across the edge", ordinary, [](int i, float) {
    return i % 450 == 7 ? 9.0f : i % 40 == 3 ? 7.0f : static_cast<float>(i % 5);
  });
  with("zeros of both signs", ordinary, [](int i, float) { return i % 2 == 0 ? 0.0f : -0.0f; });
  with("ends of the range", ordinary, [](int i, float) {
    return i % 3 == 0 ? 3.0e38f : i % 3 == 1 ? -3.0e38f : 1e-40f * static_cast<float>(i);
  });
  return all;
}

/// Runs edge rows as one batch, each with a history of its own.
template <class ChainType>
void expect_same(const char* name, const ChainType& chain, const Tables& tables, const Way& way) {
  SCOPED_TRACE(
      testing::Message() << name << ", "
                         << (way.residence == Residence::streaming ? "streamed" : "resident")
                         << ", cluster " << way.cluster << ", " << name_of(way.type));
  std::vector<Edge> rows = edges();
  if (rows.size() > way.rows) rows.resize(way.rows);
  const std::int64_t count = static_cast<std::int64_t>(rows.size());
  BothEngines<ChainType, Rules> both(
      {.rows = count, .capacity = 40, .vocab = EDGE_VOCAB, .seed = 5}, chain, tables.no_rules(),
      {.cluster = way.cluster, .residence = way.residence});
  std::vector<Request> requests;
  LogitsMemory logits(way.type, count, EDGE_VOCAB + 2, EDGE_VOCAB + 7);
  for (std::int64_t i = 0; i < count; ++i) {
    requests.push_back({.row = i, .prompt = {i, 7, 4400, 1}, .generated = {3, 4099, 3}});
    logits.set_row(i, rows[static_cast<std::size_t>(i)].row);
  }
  both.admit(requests);
  EXPECT_EQ(both.step(logits.view(), {}, way.offset), "");
  EXPECT_EQ(both.look_at_ends(), "");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string what = rows[i].name;
    const bool refused = what == "nothing left" || what == "all NaN" || what == "one NaN" ||
                         what == "one +inf" || what == "a NaN among removed" ||
                         (what == "ends of the range" && way.type == DType::f16);
    EXPECT_EQ(both.results()[i].status, refused ? Status::undefined_distribution : Status::ok)
        << what;
  }
}

Bounded bounded(const Tables& tables, const Temperature& temperature, const TopK& top_k, double p,
                double min_p) {
  return chain(SuppressTokens{{0, 4500}}, tables.biased_by(tables.none), RepetitionPenalty{1.3},
               temperature, top_k, TopP{p}, MinP{min_p});
}

TEST(EdgeRows, OfABoundedChainAreTheSameOnBothEngines) {
  const Tables tables(EDGE_VOCAB);
  for (const Way& way : WAYS) {
    expect_same("all stages", bounded(tables, {0.8}, {50}, 0.9, 0.05), tables, way);
  }
  for (const Way& way : {ONE, STREAMED}) {
    expect_same("an exact count", bounded(tables, {1}, {.k = 60, .ties = Ties::lowest_id}, 1, 0),
                tables, way);
    expect_same("more than a list", bounded(tables, {1.7}, {3000}, 0.95, 0), tables, way);
    expect_same("greedy", bounded(tables, {0}, {40}, 0.9, 0), tables, way);
  }
  expect_same("nearly a list", bounded(tables, {1.3}, {1700}, 0.95, 0), tables, STREAMED);
}

TEST(EdgeRows, OfAChainWithoutABoundAreTheSameOnBothEngines) {
  const Tables tables(EDGE_VOCAB);
  for (const Way& way : WAYS) {
    expect_same("top-p", bounded(tables, {1}, {0}, 0.7, 0), tables, way);
  }
  expect_same("a plain draw", bounded(tables, {1}, {0}, 1, 0), tables, WAYS[2]);
  expect_same("a plain draw", bounded(tables, {0.6}, {0}, 1, 0), tables, STREAMED);
  for (const Way& way : {ONE, STREAMED}) {
    expect_same("min-p", bounded(tables, {1.5}, {0}, 1, 0.3), tables, way);
  }
}

TEST(EdgeRows, OfAnOrderOfItsOwnAreTheSameOnBothEngines) {
  const Tables tables(EDGE_VOCAB);
  for (const Way& way : WAYS) expect_same("typical", chain(Typical{0.4}, TopH{}), tables, way);
}

TEST(EdgeRows, OfAWalkAreTheSameOnBothEngines) {
  const Tables tables(EDGE_VOCAB);
  for (const Way& way : WAYS) {
    const TopH walk{.fraction = 0.4, .candidates = way.cluster > 4 ? 40 : 100};
    expect_same("top-h", chain(Typical{1}, walk), tables, way);
  }
  expect_same("both", chain(Typical{0.9}, TopH{.fraction = 0.7}), tables, ONE);
  expect_same("a long walk", chain(Typical{1}, TopH{.fraction = 0.9, .candidates = 2100}), tables,
              {1, DType::f32, 0, 1});
}

}  // namespace
}  // namespace cuda_test
