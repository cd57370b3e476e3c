// SPDX-License-Identifier: Apache-2.0
// Six tokens by hand: what each filter keeps, with what probability, and how the order of steps
// changes it.
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

const std::vector<float> LOGITS = {3.0f, 2.4f, 2.0f, 1.0f, 0.4f, -0.5f};

/// Probabilities to two digits, "--" for a removed token.
template <class ChainType>
std::string row_of(const ChainType& chain) {
  const std::vector<float> scores = scores_in_every_batch(chain, LOGITS);
  const std::vector<double> shares = probabilities(scores);
  std::string text;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    char cell[16];
    std::snprintf(cell, sizeof cell, "%.2f", shares[i]);
    text += (i ? " " : "") + std::string(scores[i] == FILTER ? "--" : cell);
  }
  return text;
}

TEST(SixTokens, AreSharpenedAndFlattenedByTheTemperature) {
  EXPECT_EQ(row_of(chain(Temperature{0.5})), "0.68 0.21 0.09 0.01 0.00 0.00");
  EXPECT_EQ(row_of(chain(Temperature{1.0})), "0.46 0.25 0.17 0.06 0.03 0.01");
  EXPECT_EQ(row_of(chain(Temperature{1.5})), "0.37 0.25 0.19 0.10 0.06 0.04");
}

TEST(SixTokens, AreCutInThreeWays) {
  EXPECT_EQ(row_of(chain(TopK{3})), "0.52 0.29 0.19 -- -- --");
  EXPECT_EQ(row_of(chain(TopP{0.9})), "0.49 0.27 0.18 0.07 -- --");
  EXPECT_EQ(row_of(chain(MinP{0.1})), "0.49 0.27 0.18 0.07 -- --");
}

TEST(SixTokens, DependOnWhetherTheTemperatureComesFirst) {
  EXPECT_EQ(row_of(chain(TopP{0.9}, Temperature{1.5})), "0.41 0.27 0.21 0.11 -- --");
  EXPECT_EQ(row_of(chain(Temperature{1.5}, TopP{0.9})), "0.38 0.26 0.20 0.10 0.07 --");
}

TEST(SixTokens, AreFiveInTransformersOrderAndFourInThatOfVllm) {
  EXPECT_EQ(row_of(chain(Temperature{1.5}, TopP{0.9}, MinP{0.1})), "0.38 0.26 0.20 0.10 0.07 --");
  EXPECT_EQ(row_of(chain(Temperature{1.5}, MinP{0.1}, TopP{0.9})), "0.41 0.27 0.21 0.11 -- --");
}

TEST(SixTokens, AreWithoutAnyWhereAMaskFollowsTheFilter) {
  // Only token 5 is allowed: with the mask in front it is drawn, behind the filter nothing is left.
  const SuppressTokens mask{{0, 1, 2, 3, 4}};
  EXPECT_EQ(kept(scores_of(chain(mask, TopK{3}), LOGITS)), (std::vector<int>{5}));
  EXPECT_EQ(kept(scores_of(chain(TopK{3}, mask), LOGITS)), (std::vector<int>{}));
}

TEST(SixTokens, MayBePenalisedBeforeOrAfterTheMask) {
  const RowStart start{.prompt = {0, 3, 5}};
  const SuppressTokens mask{{0, 4}};
  EXPECT_EQ(bits(scores_of(chain(mask, RepetitionPenalty{1.1}), LOGITS, start)),
            bits(scores_of(chain(RepetitionPenalty{1.1}, mask), LOGITS, start)));
}

}  // namespace
