// SPDX-License-Identifier: Apache-2.0
// What the compiler of biases and bad words takes, refuses, and how large its tables grow.
#include <logitchain/build/bias_table.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace logitchain;

using Ids = std::vector<std::int64_t>;
using Words = std::vector<Ids>;

constexpr double INF = std::numeric_limits<double>::infinity();

template <class Call>
std::string refusal_of(Call&& call) {
  try {
    call();
  } catch (const invalid_argument& refused) {
    return refused.what();
  }
  return "not refused";
}

TEST(BiasTable, RefusesEmptySequencesByTheirIndex) {
  EXPECT_EQ(refusal_of([] { (void)build_bias_table({{{1}, 1.0}, {{}, 1.0}}, 8); }),
            "sequence_bias: entry 1 is empty; it must hold at least one token id");
}

TEST(BiasTable, RefusesIdsOutsideOfTheVocabulary) {
  EXPECT_EQ(refusal_of([] { (void)build_bias_table({{{1}, 1.0}, {{7, 8}, 1.0}}, 8); }),
            "sequence_bias: entry 1, token 1 is 8; it must be in [0, 8), the vocabulary");
  EXPECT_EQ(refusal_of([] { (void)build_bias_table({{{-1, 2}, 1.0}}, 8); }),
            "sequence_bias: entry 0, token 0 is -1; it must be in [0, 8), the vocabulary");
  // Token 1, if it were narrowed before it was checked.
  EXPECT_EQ(refusal_of([] { (void)build_bias_table({{{4294967297}, 1.0}}, 8, "bad_words"); }),
            "bad_words: entry 0, token 0 is 4294967297; it must be in [0, 8), the vocabulary");
}

TEST(BiasTable, RefusesABiasThatIsNoNumber) {
  EXPECT_EQ(refusal_of([] { (void)build_bias_table({{{1}, std::nan("")}}, 8); }),
            "sequence_bias: entry 0, bias is nan; it must be a number or an infinity");
}

TEST(BiasTable, RefusesAVocabularyOutOfRange) {
  for (const std::int64_t vocab : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1048576}}) {
    EXPECT_EQ(refusal_of([&] { (void)build_bias_table({}, vocab); }),
              "sequence_bias: vocab is " + std::to_string(vocab) + "; it must be in [1, 1048575]");
  }
  EXPECT_EQ(build_bias_table({}, 1048575).vocab(), 1048575);
}

TEST(BiasTable, RoundsBiasesToFloatAndBeyondItsRangeToInfinity) {
  const BiasTable table = build_bias_table(
      {{{0}, 0.1}, {{1}, 1e300}, {{2}, -1e300}, {{3}, INF}, {{4}, -INF}, {{5}, 1e-300}}, 8);
  const float right[] = {0.1F, HUGE_VALF, -HUGE_VALF, HUGE_VALF, -HUGE_VALF, 0.0F};
  for (std::int32_t token = 0; token < 6; ++token) {
    EXPECT_EQ(table.view().of(0, token, 0).bias, right[token]) << token;
  }
}

TEST(BiasTable, NamesItsContentByATag) {
  const BiasTable table = build_bias_table({{{1, 2}, 1.0}}, 8);
  EXPECT_NE(table.tag(), 0U);
  EXPECT_EQ(table.tag(), build_bias_table({{{1, 2}, 1.0}}, 8).tag());
  EXPECT_NE(table.tag(), build_bias_table({{{1, 2}, 2.0}}, 8).tag());
  EXPECT_NE(table.tag(), build_bias_table({{{2, 2}, 1.0}}, 8).tag());
  EXPECT_NE(table.tag(), build_bias_table({{{1, 2}, 1.0}}, 9).tag());
}

TEST(BiasTable, DoesNotMultiplySingleTokensBySequences) {
  std::vector<BiasEntry> entries;
  for (std::int64_t token = 0; token < 100000; ++token) entries.push_back({{token}, 1.0});
  // Every state of these 5,000 ends in token 7, which itself begins 20,000 pairs.
  for (std::int64_t i = 0; i < 20000; ++i) entries.push_back({{7, i}, 1.0});
  for (std::int64_t i = 0; i < 5000; ++i) entries.push_back({{i + 100, 7, 3}, 1.0});
  const BiasTable table = build_bias_table(entries, 100000);
  const BiasTableShape& shape = table.shape();
  EXPECT_EQ(shape.items, 125000);
  EXPECT_EQ(shape.nodes, 1 + 1 + 2 * 5000);
  EXPECT_EQ(static_cast<std::int64_t>(table.storage().size()), shape.storage_bytes());
  EXPECT_LT(table.storage().size(), 2000000U);

  const BiasTableView view = table.view();
  const AutomatonSlot slot = view.advance(view.advance(view.start(), 100), 7);
  EXPECT_EQ(view.listed(slot.node), 1 + 20000 + 100000);
  int tokens = 0;
  for (int i = 0; i < view.listed(slot.node); ++i) tokens += view.entry(slot.node, i, 9).token >= 0;
  EXPECT_EQ(tokens, 100000);
  EXPECT_EQ(view.of(slot.node, 3, 9).bias, 3.0F);
  EXPECT_EQ(view.of(slot.node, 19999, 9).bias, 2.0F);
  EXPECT_EQ(view.of(slot.node, 20000, 9).bias, 1.0F);
}

TEST(BadWords, AreBiasesOfMinusInfinityWithoutSingleEndTokens) {
  const Words words{{2}, {5, 2}, {3}, {2, 2}};
  const Ids eos{2, 9};
  const std::vector<BiasEntry> entries = bad_word_entries(words, eos);
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].tokens, (Ids{5, 2}));
  EXPECT_EQ(entries[1].tokens, (Ids{3}));
  EXPECT_EQ(entries[2].tokens, (Ids{2, 2}));
  for (const BiasEntry& entry : entries) EXPECT_EQ(entry.bias, -INF);
  EXPECT_EQ(bad_word_entries(words, {}).size(), 4U);
}

TEST(BadWords, BanNothingWhereNothingIsLeft) {
  const Ids eos{2};
  EXPECT_TRUE(bad_word_entries(Words{{2}, {2}}, eos).empty());
  EXPECT_TRUE(bad_word_entries(Words{}, eos).empty());
  EXPECT_EQ(build_bias_table(bad_word_entries(Words{{2}}, eos), 8).view().listed(0), 0);
}

TEST(BadWords, RefuseAnEmptyWordByItsIndex) {
  const Ids eos{2};
  EXPECT_EQ(refusal_of([] { (void)bad_word_entries(Words{{}}, {}); }),
            "bad_words: entry 0 is empty; it must hold at least one token id");
  EXPECT_EQ(refusal_of([&] { (void)bad_word_entries(Words{{2}, {1}, {}}, eos); }),
            "bad_words: entry 2 is empty; it must hold at least one token id");
}

TEST(BadWords, NameTheCallersIndexBehindADroppedWord) {
  const Ids eos{2};
  EXPECT_EQ(refusal_of([&] { (void)bad_word_entries(Words{{2}, {1, 8}}, eos, 8); }),
            "bad_words: entry 1, token 1 is 8; it must be in [0, 8), the vocabulary");
  EXPECT_EQ(refusal_of([&] { (void)bad_word_entries(Words{{2}, {-3}}, eos, 8); }),
            "bad_words: entry 1, token 0 is -3; it must be in [0, 8), the vocabulary");
}

}  // namespace
