// SPDX-License-Identifier: Apache-2.0
// Every ordered pair of stages, run as one chain and as two: the scores are equal bit for bit.
#include <cstdint>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

constexpr std::int64_t VOCAB = 700;

/// Stages of every kind: maps that touch all scores and maps that list some, a temperature that
/// leaves the best token alone, filters in the order of the score and in another, normalisation,
/// repair.
const auto STAGES = std::make_tuple(Temperature{0.7}, Temperature{1e-40}, FrequencyPenalty{0.3},
                                    SuppressTokens{{1, 5, 699}}, RemoveInvalidValues{}, TopK{40},
                                    Greedy{}, MinP{0.05}, Typical{0.8}, Renormalize{});

/// Rows with ties, bans, both infinities, NaN, and nothing at all.
std::vector<std::vector<float>> rows() {
  std::mt19937 random(17);
  std::vector<std::vector<float>> all;
  all.push_back(random_row(random, VOCAB));
  all.push_back(random_row(random, VOCAB, 0.5f, 8));
  all.push_back(random_row(random, VOCAB, 0.05f, 60));
  for (std::size_t i = 0; i < all[1].size(); i += 3) all[1][i] = FILTER;
  all.push_back(std::vector<float>(index_of(VOCAB), -1.5f));
  all.push_back(random_row(random, VOCAB));
  all.back()[5] = NOT_A_NUMBER;  // banned where SuppressTokens comes first
  all.push_back(random_row(random, VOCAB));
  all.back()[1] = INFINITE;
  all.back()[2] = NOT_A_NUMBER;
  all.push_back(random_row(random, VOCAB));
  all.back()[300] = INFINITE;
  all.push_back(std::vector<float>(index_of(VOCAB), FILTER));
  std::vector<float> one(index_of(VOCAB), FILTER);
  one[5] = 3.0f;
  all.push_back(one);
  std::vector<float> wide = random_row(random, VOCAB, 3e35f);
  all.push_back(wide);
  return all;
}

template <class ChainType>
std::vector<float> applied(const ChainType& chain, const std::vector<float>& scores,
                           std::int64_t count) {
  host_engine engine;
  const std::vector<RowStart> starts(index_of(count), {.prompt = {3}, .generated = {2, 2, 8}});
  StepState state = state_of(engine, chain, criterion(), VOCAB, starts);
  std::vector<float> out(scores.size(), 0.0f);
  apply(engine, chain, state, host_logits(scores.data(), count, VOCAB),
        host_scores(out.data(), count, VOCAB));
  return out;
}

template <std::size_t First, std::size_t Second>
void expect_pair(const std::vector<float>& logits, std::int64_t count,
                 const std::vector<float>& after_first) {
  const auto& second = std::get<Second>(STAGES);
  const std::vector<float> fused = applied(chain(std::get<First>(STAGES), second), logits, count);
  const std::vector<float> staged = applied(chain(second), after_first, count);
  for (std::int64_t row = 0; row < count; ++row) {
    const auto part = [&](const std::vector<float>& all) {
      const float* const at = all.data() + row * VOCAB;
      return bits({at, at + VOCAB});
    };
    EXPECT_EQ(part(fused), part(staged))
        << "stage " << First << " then stage " << Second << ", row " << row;
  }
}

/// All pairs that begin with stage `First`.
template <std::size_t First>
void expect_pairs_from() {
  const std::vector<std::vector<float>> all = rows();
  const std::vector<float> logits = joined(all);
  const std::int64_t count = static_cast<std::int64_t>(all.size());
  const std::vector<float> after_first = applied(chain(std::get<First>(STAGES)), logits, count);
  [&]<std::size_t... Second>(std::index_sequence<Second...>) {
    (expect_pair<First, Second>(logits, count, after_first), ...);
  }(std::make_index_sequence<std::tuple_size_v<decltype(STAGES)>>{});
}

TEST(Pairs, ThatBeginWithATemperature) { expect_pairs_from<0>(); }
TEST(Pairs, ThatBeginWithATemperatureThatOverflows) { expect_pairs_from<1>(); }
TEST(Pairs, ThatBeginWithAFrequencyPenalty) { expect_pairs_from<2>(); }
TEST(Pairs, ThatBeginWithABan) { expect_pairs_from<3>(); }
TEST(Pairs, ThatBeginWithARepair) { expect_pairs_from<4>(); }
TEST(Pairs, ThatBeginWithTopK) { expect_pairs_from<5>(); }
TEST(Pairs, ThatBeginWithGreedy) { expect_pairs_from<6>(); }
TEST(Pairs, ThatBeginWithMinP) { expect_pairs_from<7>(); }
TEST(Pairs, ThatBeginWithTypical) { expect_pairs_from<8>(); }
TEST(Pairs, ThatBeginWithNormalisation) { expect_pairs_from<9>(); }

}  // namespace
