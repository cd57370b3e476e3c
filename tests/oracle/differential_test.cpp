// SPDX-License-Identifier: Apache-2.0
// Random rows through every chain type of the table, by the library and by the oracle: kept sets,
// bits of scores, tokens, statuses. LOGITCHAIN_ROWS sets how many rows, LOGITCHAIN_SEED which.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/chains/comparison.hpp"

namespace {

using namespace oracle_test;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Rows over all chains; those of other tests are shares of it.
std::int64_t rows_asked() {
  return static_cast<std::int64_t>(number_from("LOGITCHAIN_ROWS", 300'000));
}

std::uint64_t first_seed() { return number_from("LOGITCHAIN_SEED", 1) * 1'000'000'007; }

/// Compares batches of each chain until each has had its share of the rows.
Tally compare_all(std::int64_t rows, const Sizes& sizes, Mode mode, std::uint64_t seed) {
  const std::vector<ChainType>& types = chain_types();
  const std::int64_t each = rows / static_cast<std::int64_t>(types.size()) + 1;
  Tally all;
  int differences = 0;
  for (const ChainType& type : types) {
    Tally tally;
    for (; tally.rows < each; ++seed) {
      const std::string difference = compare(type, seed, sizes, mode, tally);
      if (difference.empty()) continue;
      ADD_FAILURE() << difference;
      if (++differences == 20) return all;
      break;  // the next chain: this one is known to be wrong
    }
    all += tally;
  }
  std::cout << types.size() << " chains, " << all.text() << '\n';
  return all;
}

TEST(Oracle, KnowsEveryChainOfTheTableOnce) {
  std::set<std::string> names;
  for (const ChainType& type : chain_types()) names.insert(type.name);
  EXPECT_EQ(names.size(), CHAINS);
  EXPECT_EQ(names.count("[RepetitionPenalty, Temperature, TopK, TopP]"), 1u);
}

TEST(Oracle, AgreesBitForBitOnRandomRows) {
  const Tally all = compare_all(rows_asked(), {}, Mode::bit_for_bit, first_seed());
  // The rows were of every kind.
  EXPECT_GT(all.drawn, all.rows / 2);
  EXPECT_GT(all.filtered, all.rows / 4);
  EXPECT_GT(all.undefined, all.rows / 100);
  EXPECT_GT(all.refused, all.rows / 1000);
  EXPECT_GT(all.finished, all.rows / 100);
}

TEST(Oracle, AgreesBitForBitOnLargeVocabularies) {
  const std::int64_t rows = rows_asked() / 300;
  compare_all(rows, {.vocab = 32'000, .most_rows = 2, .most_steps = 2}, Mode::bit_for_bit,
              first_seed() + 500'000'000);
  compare_all(rows / 4, {.vocab = 151'936, .most_rows = 1, .most_steps = 1}, Mode::bit_for_bit,
              first_seed() + 600'000'000);
}

TEST(Oracle, OfTrueExpAndLogAgreesWhereverTheBoundsDecide) {
  Tally all;
  for (const std::int64_t vocab : {3, 17, 60, 250}) {
    all += compare_all(rows_asked() / 40, {.vocab = vocab}, Mode::by_bounds,
                       first_seed() + 700'000'000 + static_cast<std::uint64_t>(vocab) * 1'000'000);
  }
  // A test that leaves everything open shows nothing.
  EXPECT_LT(all.open, all.rows / 5);
  EXPECT_LT(all.open_draws, all.rows / 5);
}

}  // namespace
