// SPDX-License-Identifier: Apache-2.0
// Steps cut in other ways give the same: in parts, resumed in the middle, several tokens at once.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "properties/run.hpp"

namespace {

using namespace properties;
using logitchain_test::bytes_of_row;
using logitchain_test::text_of_result;
using logitchain_test::texts_of;

void expect_same_rows(const StepState& a, const StepState& b) {
  for (std::int64_t row = 0; row < a.rows(); ++row) {
    ASSERT_EQ(bytes_of_row(a, row), bytes_of_row(b, row)) << "row " << row;
  }
}

TEST(AStep, IsApplyThenDrawThenCommit) {
  for_every_chain(6'000'000, [](const ChainType& type, std::uint64_t seed) {
    Setting setting(type, seed);
    StepState whole = setting.begin();
    StepState parts = setting.begin();
    const std::int64_t rows = whole.rows();
    for (int step = 0; step < STEPS; ++step) {
      const std::vector<StepResult> results = setting.step(whole, step);
      std::vector<float> scores = setting.scores(parts, step);
      std::vector<std::int64_t> tokens(setting.rows(), -7);
      draw(setting.engine, parts, host_scores(scores.data(), rows, setting.batch.vocab), tokens);
      std::vector<StepResult> results_of_parts(setting.rows());
      setting.instance->commit(setting.engine, setting.batch.stop(), parts, tokens,
                               {.results = results_of_parts});
      for (std::size_t row = 0; row < setting.rows(); ++row) {
        const std::int64_t i = static_cast<std::int64_t>(row);
        ASSERT_EQ(text_of_result(results_of_parts[row]), text_of_result(results[row]))
            << "step " << step << ", row " << row;
        ASSERT_EQ(bytes_of_row(parts, i), bytes_of_row(whole, i)) << "step " << step;
      }
    }
  });
}

TEST(AStep, OfARowThatCameBackIsThatOfOneThatStayed) {
  for_every_chain(7'000'000, [](const ChainType& type, std::uint64_t seed) {
    Setting setting(type, seed);
    StepState stays = setting.begin();
    for (int step = 0; step < STEPS; ++step) {
      std::vector<Request> requests = setting.batch.requests();
      for (Request& request : requests) {
        const host_span<const std::int32_t> generated = stays.generated(request.row);
        request.generated = std::vector<std::int64_t>(generated.begin(), generated.end());
      }
      StepState back = setting.instance->state(setting.engine, setting.batch);
      setting.instance->admit(setting.engine, setting.batch.stop(), back, requests);
      std::vector<bool> was_active;
      for (std::int64_t row = 0; row < stays.rows(); ++row) was_active.push_back(stays.active(row));
      const std::vector<std::string> results = texts_of(setting.step(stays, step));
      const std::vector<std::string> results_of_back = texts_of(setting.step(back, step));
      for (std::int64_t row = 0; row < stays.rows(); ++row) {
        if (!was_active[static_cast<std::size_t>(row)]) continue;  // it came back to life
        ASSERT_EQ(results_of_back[static_cast<std::size_t>(row)],
                  results[static_cast<std::size_t>(row)])
            << "step " << step << ", row " << row;
        ASSERT_EQ(bytes_of_row(back, row), bytes_of_row(stays, row)) << "row " << row;
      }
    }
  });
}

TEST(ACommit, OfSeveralTokensIsThatOfOneAfterTheOther) {
  for_every_chain(8'000'000, [](const ChainType& type, std::uint64_t seed) {
    Setting setting(type, seed);
    StepState together = setting.begin();
    StepState apart = setting.begin();
    const std::int64_t rows = together.rows();
    const std::int64_t most = setting.random.integer(1, 8);
    std::vector<std::int32_t> tokens;
    std::vector<std::int32_t> counts;
    for (std::int64_t row = 0; row < rows; ++row) {
      counts.push_back(static_cast<std::int32_t>(setting.random.integer(0, most)));
      for (std::int64_t i = 0; i < most; ++i) {
        const bool skipped = setting.random.chance(0.1);
        tokens.push_back(skipped ? -1 : static_cast<std::int32_t>(setting.batch.maker.token()));
      }
    }
    const Stop stop = setting.batch.stop();
    setting.instance->commit(setting.engine, stop, together, tokens, {.counts = counts});
    for (std::int64_t i = 0; i < most; ++i) {
      std::vector<std::int32_t> next;
      for (std::int64_t row = 0; row < rows; ++row) {
        const std::size_t at = static_cast<std::size_t>(row * most + i);
        next.push_back(i < counts[static_cast<std::size_t>(row)] ? tokens[at] : -1);
      }
      setting.instance->commit(setting.engine, stop, apart, next, {});
    }
    // Rows whose numbers are refused end at their first commit, a commit of no tokens too.
    expect_same_rows(together, apart);
    ASSERT_EQ(texts_of(setting.step(together, 0)), texts_of(setting.step(apart, 0)));
    expect_same_rows(together, apart);
  });
}

}  // namespace
