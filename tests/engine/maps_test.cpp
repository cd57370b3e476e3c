// SPDX-License-Identifier: Apache-2.0
// Maps side by side, maps of listed tokens, and stages that force theirs.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

using Scores = std::vector<float>;

const auto PLUS_ONE = [](const RowView&, int, float score) { return score + 1.0f; };
const auto TWICE = [](const RowView&, int, float score) { return score * 2.0f; };

TEST(Maps, RunInTheirOrderAndPastThoseThatAreOff) {
  const Scores logits = {1, 2, 4};
  EXPECT_EQ(scores_of(chain(PLUS_ONE, TWICE), logits), (Scores{4, 6, 10}));
  EXPECT_EQ(scores_of(chain(TWICE, PLUS_ONE), logits), (Scores{3, 5, 9}));
  EXPECT_EQ(scores_of(chain(Temperature{1}, PLUS_ONE, TWICE), logits), (Scores{4, 6, 10}));
  EXPECT_EQ(scores_of(chain(Temperature{0.5}, PLUS_ONE), logits), (Scores{3, 5, 9}));
  EXPECT_EQ(scores_of(chain(PLUS_ONE, Temperature{1}, TWICE), logits), (Scores{4, 6, 10}));
  EXPECT_EQ(scores_of(chain(PLUS_ONE, Temperature{0.5}, Temperature{0.5}), logits),
            (Scores{8, 12, 20}));
}

/// Scores of a row of some blocks whose history names tokens of the first, a middle and the last
/// one; all numbers are exact in every element type.
template <class ChainType>
Scores scores_of_blocks(const ChainType& chain, DType type, const Scores& logits) {
  host_engine engine;
  const auto vocab = static_cast<std::int64_t>(logits.size());
  LogitsMemory memory(type, 1, vocab, vocab);
  memory.set_row(0, logits);
  StepState state =
      state_of(engine, chain, criterion(), vocab,
               {RowStart{.prompt = {2}, .generated = {1, 700, 1, vocab - 1, 700, 1}}});
  Scores scores(logits.size(), NOT_A_NUMBER);
  apply(engine, chain, state, memory.view(), host_scores(scores.data(), 1, vocab));
  return scores;
}

TEST(Maps, OfEveryScoreAndOfListedTokensFollowEachOtherInEveryBlock) {
  for (const std::int64_t vocab : {1300, 2048}) {
    Scores logits(index_of(vocab));
    for (std::size_t i = 0; i < logits.size(); ++i) {
      logits[i] = static_cast<float>(i % 64) - 32.0f;
    }
    logits[900] = 64.0f;
    Scores counts(logits.size(), 0.0f);
    counts[1] = 3;
    counts[700] = 2;
    counts.back() = 1;
    const auto expected = [&](auto each) {
      Scores scores(logits.size());
      for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = each(logits[i], counts[i]);
      return scores;
    };
    const FrequencyPenalty penalty{8};
    for (const DType type : {DType::f32, DType::f16, DType::bf16}) {
      EXPECT_EQ(scores_of_blocks(chain(penalty, Temperature{0.5}), type, logits),
                expected([](float z, float n) { return (z - 8 * n) * 2; }));
      EXPECT_EQ(scores_of_blocks(chain(Temperature{0.5}, penalty), type, logits),
                expected([](float z, float n) { return z * 2 - 8 * n; }));
      EXPECT_EQ(scores_of_blocks(chain(penalty, Temperature{0.5}, Temperature{2}, Temperature{4}),
                                 type, logits),
                expected([](float z, float n) { return (z - 8 * n) / 4; }));
      EXPECT_EQ(
          scores_of_blocks(
              chain(penalty, Temperature{0.5}, penalty, Temperature{2}, PLUS_ONE, penalty), type,
              logits),
          expected([](float z, float n) { return ((z - 8 * n) * 2 - 8 * n) / 2 + 1 - 8 * n; }));
      EXPECT_EQ(scores_of_blocks(chain(penalty, Temperature{0.5}, penalty, Temperature{2}, TopK{5}),
                                 type, logits),
                scores_of(chain(TopK{5}), expected([](float z, float n) {
                            return ((z - 8 * n) * 2 - 8 * n) / 2;
                          })));
      EXPECT_EQ(
          scores_of_blocks(chain(Temperature{0.5}, Typical{0.5}, Temperature{2}), type, logits),
          scores_of(chain(Typical{0.5}, Temperature{2}),
                    expected([](float z, float) { return z * 2; })));
    }
  }
}

TEST(ListedMaps, ReviveNoTokenThatWasRemoved) {
  const BiasTable forcing = sequence_bias({{{1}, INFINITE}, {{2}, 5.0}}, 4);
  const auto biased = chain(SequenceBias{forcing});
  EXPECT_EQ(scores_of(biased, {1, FILTER, FILTER, 2}), (Scores{1, FILTER, FILTER, 2}));
  EXPECT_EQ(scores_of(biased, {1, 0, 0, 2}), (Scores{1, INFINITE, 5, 2}));
  // Removed by a filter, in place and out of it.
  EXPECT_EQ(scores_of(chain(TopK{1}, SequenceBias{forcing}), {9, 3, 2, 1}),
            (Scores{9, FILTER, FILTER, FILTER}));
  EXPECT_EQ(scores_of(chain(TopK{1}, SequenceBias{forcing}, RemoveInvalidValues{}), {9, 3, 2, 1}),
            (Scores{9, -LARGEST, -LARGEST, -LARGEST}));
}

TEST(ForcingStages, LeaveTheirTokensWithScoreZeroWhateverWasThere) {
  const RowStart start{.prompt = {0, 1}};
  const Scores expected = {FILTER, FILTER, 0, FILTER, 0};
  const Scores logits = {5, 4, 3, 2, FILTER};
  EXPECT_EQ(scores_of(chain(ForcedEOS{{2, 4}, 3}), logits, start), expected);
  EXPECT_EQ(scores_of(chain(TopK{2}, ForcedEOS{{2, 4}, 3}), logits, start), expected);
  EXPECT_EQ(scores_of(chain(ForcedEOS{{4, 2, 4}, 3}, Temperature{2}), logits, start), expected);
  EXPECT_EQ(scores_of(chain(ForcedEOS{{2, 4}, 3}, RemoveInvalidValues{}), logits, start),
            (Scores{-LARGEST, -LARGEST, 0, -LARGEST, 0}));
}

}  // namespace
