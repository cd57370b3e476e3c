// SPDX-License-Identifier: Apache-2.0
// The numbers of a row, whole or of survivors, are those of a sum over all its scores, bit for bit;
// and what working memory held before plays no part.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/engine/host/detail/load.hpp>
#include <logitchain/engine/host/detail/reduce.hpp>
#include <logitchain/engine/host/detail/shrink.hpp>
#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"
#include "support/reference.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

/// Working memory that is full of one number.
class Scratch {
 public:
  Scratch(std::int64_t vocab, std::int32_t filled)
      : lines_((detail::HostScratch::bytes(vocab) + 63) / 64, Line{}) {
    for (Line& line : lines_) std::fill_n(line.numbers, 16, filled);
  }
  void* data() { return lines_.data(); }
  std::size_t bytes() const { return lines_.size() * sizeof(Line); }

 private:
  struct alignas(64) Line {
    std::int32_t numbers[16];
  };
  std::vector<Line> lines_;
};

void expect_numbers(const std::vector<float>& scores, bool survivors_only) {
  const std::int64_t vocab = static_cast<std::int64_t>(scores.size());
  Scratch memory(vocab, 0);
  detail::HostScratch scratch =
      detail::HostScratch::carve(static_cast<std::byte*>(memory.data()), vocab);
  detail::HostRow row =
      detail::load_row_of_logits(host_logits(scores.data(), 1, vocab), 0, vocab, scratch);
  if (survivors_only) {
    detail::rewrite_row(row, false, [](std::int64_t, std::int32_t, float score) { return score; });
  }
  detail::require(row, scratch, Numbers::total | Numbers::entropy);
  ASSERT_TRUE(row.has_distribution);
  const reference::Distribution expected(scores);
  EXPECT_EQ(bits_of(row.numbers.maximum), bits_of(expected.maximum));
  EXPECT_EQ(row.numbers.total, expected.total);
  EXPECT_EQ(bits_of(row.numbers.log_total), bits_of(expected.log_total));
  EXPECT_EQ(bits_of(row.numbers.entropy), bits_of(expected.entropy));
}

void expect_numbers(const std::vector<float>& scores) {
  expect_numbers(scores, false);
  expect_numbers(scores, true);
}

TEST(NumbersOfARow, AreThoseOfAllItsScores) {
  std::mt19937 random(61);
  for (const std::int64_t size : {1, 15, 511, 512, 513, 5000}) {
    for (const float step : {0.001f, 0.02f, 0.1f, 5.0f}) {
      std::vector<float> row = random_row(random, size, step);
      expect_numbers(row);
      for (std::size_t i = 1; i < row.size(); i += 3) row[i] = FILTER;
      expect_numbers(row);
    }
  }
}

TEST(NumbersOfARow, CountWholeBlocksThatAreFarFromTheMaximum) {
  // A token 33 below the maximum has no mass, but mass times distance.
  for (float distance = 30.0f; distance < 37.0f; distance += 0.25f) {
    std::vector<float> row(6000, -distance);
    row[700] = 0.0f;
    expect_numbers(row);
  }
}

/// A cut that gives every token the row's maximum.
struct Maximum {
  static constexpr Kind kind = Kind::cut;
  static constexpr Numbers numbers = Numbers::maximum;
  struct Bound {
    float maximum;
    float operator()(std::int32_t, float) const { return maximum; }
  };
  Bound bind(const RowView&, const RowNumbers& found) const { return {found.maximum}; }
};

TEST(NumbersOfARow, HaveAMaximumOfPlusZeroWhicheverZeroComesFirst) {
  for (const std::int64_t size : {3, 700}) {
    for (const float other : {0.0f, -0.0f}) {
      std::vector<float> row(index_of(size), -1.0f);
      row[0] = -0.0f;
      row[1] = other;
      // The whole row, and survivors.
      EXPECT_EQ(bits(scores_of(chain(Maximum{}), row)),
                std::vector<std::uint32_t>(row.size(), bits_of(0.0f)));
      EXPECT_EQ(bits_of(scores_of(chain(TopK{2}, Maximum{}), row)[0]), bits_of(0.0f));
    }
  }
}

TEST(WorkingMemory, ThatHeldOtherThingsChangesNothing) {
  constexpr std::int64_t VOCAB = 1100;
  std::mt19937 random(3);
  const std::vector<float> logits = random_row(random, VOCAB, 0.02f, 900);
  const auto best =
      static_cast<std::int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  const auto sampler =
      chain(MinP{0.9}, TopK{15}, RemoveInvalidValues{}, JointTopKTopP{.k = 40, .p = 0.9});
  const auto expected =
      bits(scores_of(chain(RemoveInvalidValues{}, JointTopKTopP{.k = 40, .p = 0.9}),
                     reference::top_k(reference::min_p(logits, 0.9, 1), 15, 1, true)));
  host_engine engine;
  for (const std::int32_t filled : {0, best, -1, 0x7fc00000}) {
    Scratch memory(VOCAB, filled);
    StepState state(engine, {.rows = 1, .capacity = 4, .vocab = VOCAB}, needs(sampler, criterion()),
                    {.workspace = memory.data(), .workspace_bytes = memory.bytes()});
    admit(engine, sampler, criterion(), state, {.row = 0, .prompt = {}, .seed = 1});
    std::vector<float> scores(logits.size());
    apply(engine, sampler, state, host_logits(logits.data(), 1, VOCAB),
          host_scores(scores.data(), 1, VOCAB));
    EXPECT_EQ(bits(scores), expected) << "memory full of " << filled;
  }
}

}  // namespace
