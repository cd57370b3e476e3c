// SPDX-License-Identifier: Apache-2.0
// Rows that are streamed, whose logits come in the worst order, tie by the thousand, or are listed
// by the thousand: both engines say the same, whichever way a row takes.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/edge_chains.cuh"

namespace cuda_test {
namespace {

constexpr std::int64_t STREAM_VOCAB = 30'011;

/// The k of top-k, 0 off; p of top-p; min-p; the temperature.
struct Settings {
  int k;
  double p;
  double min_p;
  double temperature;
};

Bounded sampler(const Tables& tables, const Settings& numbers) {
  return chain(SuppressTokens{{0}}, tables.biased_by(tables.none), RepetitionPenalty{1.2},
               Temperature{numbers.temperature}, TopK{numbers.k}, TopP{numbers.p},
               MinP{numbers.min_p});
}

/// One row, with a history of `tokens`, by one block, two and four in turn.
std::string difference(const std::vector<float>& row, DType type, const Settings& numbers,
                       const TokenIds& history = {1, 2, 3}) {
  static int cluster = 1;
  cluster = cluster == 4 ? 1 : 2 * cluster;
  const Tables tables(STREAM_VOCAB);
  BothEngines both(
      {.rows = 1,
       .capacity = std::max<std::int64_t>(64, static_cast<std::int64_t>(history.size()) + 8),
       .vocab = STREAM_VOCAB,
       .seed = 5},
      sampler(tables, numbers), tables.no_rules(),
      {.cluster = cluster, .residence = Residence::streaming});
  LogitsMemory logits(type, 1, STREAM_VOCAB, STREAM_VOCAB);
  logits.set_row(0, row);
  both.admit({{.row = 0, .prompt = history}});
  const std::string own = both.step(logits.view());
  return own.empty() ? own : std::to_string(cluster) + " blocks: " + own;
}

template <class Logit>
std::vector<float> row_of(Logit logit) {
  std::vector<float> row;
  for (int i = 0; i < static_cast<int>(STREAM_VOCAB); ++i) row.push_back(logit(i));
  return row;
}

std::vector<float> bell(unsigned seed) {
  std::mt19937 random(seed);
  return random_row(random, STREAM_VOCAB);
}

const Settings FEW{20, 0.9, 0.02, 0.7};
const Settings MANY{1000, 0.99, 0, 1.3};
const Settings MASS{0, 0.9, 0, 0.8};
const Settings CUT{0, 1, 0.05, 1.1};
const Settings PLAIN{0, 1, 0, 0.9};
const Settings ALL[] = {FEW, MANY, MASS, CUT, PLAIN};

TEST(Streaming, GivesTheSameInAnyOrder) {
  for (const Settings& numbers : ALL) {
    EXPECT_EQ(difference(row_of([](int i) { return 0.001f * static_cast<float>(i); }), DType::f32,
                         numbers),
              "")
        << "rising";
    EXPECT_EQ(difference(bell(3), DType::f16, numbers), "") << "a bell";
  }
  for (const Settings& numbers : {FEW, MASS}) {
    EXPECT_EQ(difference(row_of([](int i) { return -0.0007f * static_cast<float>(i); }),
                         DType::bf16, numbers),
              "")
        << "falling, by plateaus";
    // Each round of a warp's strip brings better ones.
    EXPECT_EQ(difference(row_of([](int i) {
                           return static_cast<float>(i % 2048) * 0.01f +
                                  static_cast<float>(i * 7919 % 30011) * 1e-5f;
                         }),
                         DType::f32, numbers),
              "")
        << "rising strips";
  }
  EXPECT_EQ(difference(bell(4), DType::f32, {1700, 0.999, 0, 1}), "") << "nearly a list";
}

TEST(Streaming, GivesTheSameWhereThousandsTie) {
  for (const Settings& numbers : ALL) {
    EXPECT_EQ(difference(row_of([](int) { return 2.0f; }), DType::f32, numbers), "") << "all equal";
    EXPECT_EQ(difference(row_of([](int i) {
                           return i % 9 == 4 ? 3.0f : i % 3 == 0 ? 2.5f : -40.0f;
                         }),
                         DType::bf16, numbers),
              "")
        << "two plateaus";
    EXPECT_EQ(difference(row_of([](int i) {
                           return i % 700 == 5 ? 8.0f : i % 16 == 0 ? 7.75f : 0.0f;
                         }),
                         DType::f16, numbers),
              "")
        << "a tie that a list holds";
    EXPECT_EQ(difference(row_of([](int i) { return i == 29'999 || i == 4 ? 1.0f : FILTER; }),
                         DType::f32, numbers),
              "")
        << "two left";
  }
}

/// Neighbouring floats, which a division makes one.
TEST(Streaming, GivesTheSameWhereADivisionMakesTies) {
  for (const double temperature : {0.7, 1.3, 3.0, 1e6, 1e30}) {
    EXPECT_EQ(
        difference(row_of([](int i) {
                     return float_of(bits_of(5.0f) + static_cast<std::uint32_t>(i * 17 % 997));
                   }),
                   DType::f32, {15, 1, 0, temperature}),
        "")
        << temperature;
  }
}

TEST(Streaming, GivesTheSameForTokensThatAreListed) {
  std::mt19937 random(9);
  for (const int count : {700, 5000, 12'000}) {
    // The best of the row are part of its history.
    TokenIds history;
    std::vector<float> row = bell(5);
    for (int i = 0; i < count; ++i) {
      const auto token = static_cast<std::size_t>(random() % STREAM_VOCAB);
      history.push_back(static_cast<std::int64_t>(token));
      if (i % 2 == 0) row[token] += 6.0f;
    }
    for (const Settings& numbers : ALL) {
      EXPECT_EQ(difference(row, DType::f32, numbers, history), "") << count << ", k " << numbers.k;
    }
  }
}

/// A map of one's own that keeps the order of scores, and makes one of many or more than a float.
struct Stretch {
  static constexpr const char* name = "Stretch";
  static constexpr Kind kind = Kind::map;
  static constexpr bool monotone = true;

  Param<float> factor = 1;
  Param<float> most = 1e30;

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("factor", factor, FINITE);
    visit.number("most", most, FINITE);
  }
  struct Bound {
    float factor, most;
    LOGITCHAIN_HD float operator()(std::int32_t, float score) const {
      const float stretched = mul(score, factor);
      return is_finite(stretched) ? smaller(stretched, most) : stretched;
    }
  };
  LOGITCHAIN_HD Bound bind(const RowView& row) const {
    return {to_float(factor.at(row.row())), to_float(most.at(row.row()))};
  }
};

/// A temperature that does not say that it keeps the order of scores.
struct Cooled {
  static constexpr const char* name = "Cooled";
  static constexpr Kind kind = Kind::map;
  static constexpr bool may_collapse = true;

  Param<float> value = 1;

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("value", value, NON_NEGATIVE);
  }
  LOGITCHAIN_HD bool active(const RowView& row) const { return value.at(row.row()) != 1; }
  LOGITCHAIN_HD Temperature::Bound bind(const RowView& row) const {
    return {to_float(value.at(row.row()))};
  }
};

TEST(Streaming, GivesTheSameForMapsOfOnesOwn) {
  struct Try {
    const char* what;
    double factor, most, temperature, cooled;
    int k;
    double p;
  };
  const Try tries[] = {
      {"many of the best become one, of which the first is taken", 1, 3, 0, 1, 0, 1},
      {"the same behind a count", 1, 3, 1, 1, 5, 1},
      {"more merge than a slack is for", 1e-44, 1e30, 1, 1, 20, 1},
      {"and collapse", 1e-44, 1e30, 0, 1, 0, 1},
      {"the best overflows, and is banned behind the count", 1e38, 3e38, 1, 1, 3, 1},
      {"the best overflows in front of a mass", 1e38, 3e38, 1, 1, 0, 0.9},
      {"the best overflows in front of a temperature", 1e38, 3e38, 0.5, 1, 3, 1},
      {"a collapse without an order", 1, 1e30, 1, 0, 0, 1},
      {"a temperature without an order", 1, 1e30, 1, 0.5, 8, 0.9},
  };
  std::vector<float> row = bell(7);
  for (float& logit : row) logit = std::min(logit, 4.0f);
  row[20'000] = 9.5f;  // alone above 3.4
  for (const Try& one : tries) {
    const auto own =
        chain(Stretch{one.factor, one.most}, Temperature{one.temperature}, Cooled{one.cooled},
              JointTopKTopP{one.k, one.p}, SuppressTokens{{20'000}});
    BothEngines both({.rows = 1, .capacity = 64, .vocab = STREAM_VOCAB, .seed = 5}, own,
                     criterion(MaxNewTokens{0}), {.residence = Residence::streaming});
    LogitsMemory logits(DType::f32, 1, STREAM_VOCAB, STREAM_VOCAB);
    logits.set_row(0, row);
    both.admit({{.row = 0, .prompt = {1}}});
    EXPECT_EQ(both.step(logits.view()), "") << one.what;
  }
}

}  // namespace
}  // namespace cuda_test
