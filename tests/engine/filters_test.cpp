// SPDX-License-Identifier: Apache-2.0
// Every filter against a reference that sorts: sizes around the sweeps' blocks and the search's
// bins, rows with large groups of ties, numbers at their edges. Scores are equal bit for bit.
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"
#include "support/reference.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

constexpr std::int64_t SIZES[] = {1, 2, 511, 512, 513, 2047, 2048, 4097};

struct NamedRow {
  std::string name;
  std::vector<float> scores;
};

std::vector<NamedRow> rows_of(std::int64_t size) {
  std::mt19937 random(static_cast<unsigned>(size));
  const std::string suffix = " of " + std::to_string(size);
  std::vector<NamedRow> rows;
  rows.push_back({"equal scores" + suffix, std::vector<float>(index_of(size), 1.25f)});
  rows.push_back({"random scores" + suffix, random_row(random, size)});
  std::vector<float> rising(index_of(size));
  for (std::size_t i = 0; i < rising.size(); ++i) rising[i] = 0.003f * static_cast<float>(i);
  rows.push_back({"rising scores" + suffix, rising});
  rows.push_back({"falling scores" + suffix, {rising.rbegin(), rising.rend()}});
  std::vector<float> plateaus = random_row(random, size, 0.004f);
  for (float& score : plateaus) score = widen(to_bfloat16(score));
  rows.push_back({"plateaus" + suffix, plateaus});
  std::vector<float> banned = random_row(random, size, 0.1f, 50);
  for (std::size_t i = 1; i < banned.size(); i += 2) banned[i] = FILTER;
  rows.push_back({"banned tokens" + suffix, banned});
  std::vector<float> peaked(index_of(size), -40.0f);  // no mass but the peak's
  peaked[peaked.size() / 2] = 3.0f;
  rows.push_back({"one peak" + suffix, peaked});
  std::vector<float> zeros(index_of(size), 0.0f);
  for (std::size_t i = 0; i < zeros.size(); i += 2) zeros[i] = -0.0f;
  rows.push_back({"zeros of both signs" + suffix, zeros});
  return rows;
}

/// Runs a chain whose numbers differ by row on copies of one row of logits, one copy for each set
/// of numbers, and compares each with what `expected(i)` says.
template <class ChainType, class Expected>
void expect_rows(const ChainType& chain, const NamedRow& row, std::size_t count,
                 Expected expected) {
  host_engine engine;
  const std::int64_t vocab = static_cast<std::int64_t>(row.scores.size());
  const std::int64_t rows = static_cast<std::int64_t>(count);
  StepState state = state_of(engine, chain, criterion(), vocab, std::vector<RowStart>(count), 1);
  std::vector<float> scores(count * row.scores.size());
  apply(engine, chain, state, host_logits(row.scores.data(), rows, vocab, 0),
        host_scores(scores.data(), rows, vocab));
  for (std::size_t i = 0; i < count; ++i) {
    const float* const at = scores.data() + i * row.scores.size();
    ASSERT_EQ(bits({at, at + row.scores.size()}), bits(expected(i)))
        << row.name << ", number " << i;
  }
}

/// All of `numbers` with 1 to 5 tokens that stay in any case.
template <class T>
struct WithLeast {
  std::vector<T> numbers;
  std::vector<std::int32_t> least;
  explicit WithLeast(const std::vector<T>& all) {
    for (std::int32_t count = 1; count <= 5; ++count) {
      for (const T number : all) {
        numbers.push_back(number);
        least.push_back(count);
      }
    }
  }
};

template <class Test>
void for_each_row(Test test) {
  for (const std::int64_t size : SIZES) {
    for (const NamedRow& row : rows_of(size)) test(row);
  }
}

const std::vector<float> SHARES = {0.0f, 1e-30f, 0.1f,        0.5f, 0.75f,
                                   0.9f, 0.999f, 0.99999994f, 1.0f};

TEST(TopKAgainstSorting, KeepsAllThatTieWithTheLast) {
  for_each_row([](const NamedRow& row) {
    const auto vocab = static_cast<std::int32_t>(row.scores.size());
    const WithLeast<std::int32_t> all({0, 1, 2, vocab / 2, vocab - 1, vocab, vocab + 1,
                                       std::numeric_limits<std::int32_t>::max()});
    expect_rows(chain(TopK{per_row(all.numbers), per_row(all.least)}), row, all.numbers.size(),
                [&](std::size_t i) {
                  return reference::top_k(row.scores, all.numbers[i], all.least[i], true);
                });
  });
}

TEST(TopKAgainstSorting, KeepsExactlyKOfTheLowestIdsWhereAsked) {
  for_each_row([](const NamedRow& row) {
    const auto vocab = static_cast<std::int32_t>(row.scores.size());
    const WithLeast<std::int32_t> all({1, 2, vocab / 2 + 1, vocab - 1, vocab, vocab + 1,
                                       std::numeric_limits<std::int32_t>::max()});
    const auto chain_of_one =
        chain(TopK{per_row(all.numbers), per_row(all.least), Ties::lowest_id});
    expect_rows(chain_of_one, row, all.numbers.size(), [&](std::size_t i) {
      return reference::top_k(row.scores, all.numbers[i], all.least[i], false);
    });
  });
}

TEST(TopPAgainstSorting, KeepsThePrefixThatSpendsTheMass) {
  const WithLeast<float> all(SHARES);
  for_each_row([&](const NamedRow& row) {
    expect_rows(
        chain(TopP{per_row(all.numbers), per_row(all.least)}), row, all.numbers.size(),
        [&](std::size_t i) { return reference::top_p(row.scores, all.numbers[i], all.least[i]); });
  });
}

TEST(TypicalAgainstSorting, KeepsThePrefixInTheOrderOfTheDistance) {
  const WithLeast<float> all({1e-30f, 0.1f, 0.5f, 0.9f, 0.99999994f, 1.0f});
  for_each_row([&](const NamedRow& row) {
    expect_rows(chain(Typical{per_row(all.numbers), per_row(all.least)}), row, all.numbers.size(),
                [&](std::size_t i) {
                  return reference::typical(row.scores, all.numbers[i], all.least[i]);
                });
  });
}

TEST(MinPAgainstSorting, KeepsWhatIsNotFarBelowTheMaximum) {
  const WithLeast<float> all({0.0f, 1e-38f, 0.01f, 0.3f, 1.0f});
  for_each_row([&](const NamedRow& row) {
    expect_rows(
        chain(MinP{per_row(all.numbers), per_row(all.least)}), row, all.numbers.size(),
        [&](std::size_t i) { return reference::min_p(row.scores, all.numbers[i], all.least[i]); });
  });
}

TEST(EpsilonCutoffAgainstSorting, KeepsWhatHasTheProbability) {
  const WithLeast<float> all({0.0f, 1e-6f, 0.001f, 0.1f, 0.999f});
  for_each_row([&](const NamedRow& row) {
    expect_rows(chain(EpsilonCutoff{per_row(all.numbers), per_row(all.least)}), row,
                all.numbers.size(), [&](std::size_t i) {
                  return reference::epsilon_cutoff(row.scores, all.numbers[i], all.least[i]);
                });
  });
}

TEST(EtaCutoffAgainstSorting, LowersItsLimitWithTheEntropy) {
  const WithLeast<float> all({0.0f, 1e-6f, 0.001f, 0.1f, 0.999f});
  for_each_row([&](const NamedRow& row) {
    expect_rows(chain(EtaCutoff{per_row(all.numbers), per_row(all.least)}), row, all.numbers.size(),
                [&](std::size_t i) {
                  return reference::eta_cutoff(row.scores, all.numbers[i], all.least[i]);
                });
  });
}

TEST(TopHAgainstSorting, SpendsAFractionOfTheCandidatesEntropy) {
  std::vector<float> fractions;
  std::vector<std::int32_t> candidates;
  for (const std::int32_t count : {1, 2, 100, 2048, std::numeric_limits<std::int32_t>::max()}) {
    for (const float fraction : {0.0f, 1e-6f, 0.3f, 0.7f, 1.0f}) {
      fractions.push_back(fraction);
      candidates.push_back(count);
    }
  }
  for_each_row([&](const NamedRow& row) {
    expect_rows(
        chain(TopH{per_row(fractions), per_row(candidates)}), row, fractions.size(),
        [&](std::size_t i) { return reference::top_h(row.scores, fractions[i], candidates[i]); });
  });
}

TEST(JointTopKTopPAgainstSorting, TakesTheShorterOfTwoPrefixes) {
  for_each_row([&](const NamedRow& row) {
    const auto vocab = static_cast<std::int32_t>(row.scores.size());
    std::vector<std::int32_t> ks;
    std::vector<float> ps;
    for (const std::int32_t k : {0, 1, 2, 40, vocab - 1, vocab, vocab + 1}) {
      for (const float p : SHARES) {
        ks.push_back(k);
        ps.push_back(p);
      }
    }
    expect_rows(chain(JointTopKTopP{per_row(ks), per_row(ps)}), row, ks.size(), [&](std::size_t i) {
      return reference::joint_top_k_top_p(row.scores, ks[i], ps[i]);
    });
  });
}

TEST(TopKAgainstSorting, FindsTheEndAmongManyCloseScores) {
  std::mt19937 random(29);
  for (const std::uint32_t apart : {1u, 40u, 1024u}) {
    NamedRow row{"scores some " + std::to_string(apart) + " places apart", {}};
    for (std::uint32_t i = 0; i < 9000; ++i) {
      row.scores.push_back(float_of(bits_of(8.0f) + i * apart + (i % 7 == 0 ? 0 : 1)));
    }
    for (std::size_t i = row.scores.size() - 1; i > 0; --i) {
      std::swap(row.scores[i], row.scores[random() % (i + 1)]);
    }
    std::vector<std::int32_t> ks = {4999, 5000, 5001};
    for (std::int32_t k = 1; k < 9000; k += 431) ks.push_back(k);
    for (const bool all : {false, true}) {
      expect_rows(chain(TopK{per_row(ks), 1, all ? Ties::all : Ties::lowest_id}), row, ks.size(),
                  [&](std::size_t i) { return reference::top_k(row.scores, ks[i], 1, all); });
    }
  }
}

TEST(FiltersInARow, WorkOnSurvivorsAsOnAWholeRow) {
  for_each_row([&](const NamedRow& row) {
    const auto filtered = reference::min_p(
        reference::top_p(reference::top_k(row.scores, 300, 1, true), 0.9, 3), 0.05, 2);
    const auto expected = reference::typical(filtered, 0.8, 1);
    EXPECT_EQ(
        bits(scores_of(chain(TopK{300}, TopP{0.9, 3}, MinP{0.05, 2}, Typical{0.8}), row.scores)),
        bits(expected))
        << row.name;
  });
}

TEST(ACut, KeepsAsManyOfTheBestAsItMustAndTheirTies) {
  const std::vector<float> scores = {3, 9, 5, 1, 5, FILTER};
  const std::vector<std::vector<int>> expected = {
      {}, {1}, {1, 2, 4}, {1, 2, 4}, {0, 1, 2, 4}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}};
  for (std::int32_t least = 1; least <= 6; ++least) {
    const std::vector<int>& wanted = expected[index_of(least)];
    EXPECT_EQ(kept(scores_of(chain(MinP{1, least}), scores)), wanted) << least;
    EXPECT_EQ(kept(scores_of(chain(EpsilonCutoff{0.99, least}), scores)), wanted) << least;
    EXPECT_EQ(kept(scores_of(chain(EtaCutoff{0.99, least}), scores)), wanted) << least;
    EXPECT_EQ(kept(scores_of(chain(TopK{5}, MinP{1, least}), scores)), wanted) << least;
  }
}

}  // namespace
