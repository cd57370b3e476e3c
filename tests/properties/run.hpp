// SPDX-License-Identifier: Apache-2.0
// What the properties share: a chain with random numbers, its batch, and the logits of some steps.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/chains/chain_type.hpp"
#include "support/engine.hpp"

namespace properties {

using namespace oracle_test;

inline constexpr int STEPS = 4;
inline constexpr int BATCHES_PER_CHAIN = 12;

/// The same for the same seed: a property is shown on two of them.
struct Setting {
  Setting(const ChainType& type, std::uint64_t seed)
      : random(seed), batch(random, {.most_rows = 7}), instance(type.make(batch)) {
    const std::int64_t rows = static_cast<std::int64_t>(batch.rows.size());
    for (int step = 0; step < STEPS; ++step) logits.emplace_back(random, rows, batch.vocab);
  }
  std::size_t rows() const { return batch.rows.size(); }
  StepState begin() { return instance->begin(engine, batch); }

  /// One step; items absent: all rows in order.
  std::vector<StepResult> step(StepState& state, int number, const HostItems& items = {}) {
    std::vector<StepResult> results(
        items.state_row.given() ? static_cast<std::size_t>(items.state_row.size()) : rows());
    instance->step(engine, batch.stop(), state,
                   logits[static_cast<std::size_t>(number)].memory.view(),
                   {.results = results, .items = items});
    return results;
  }
  /// Scores of all items, float32, side by side.
  std::vector<float> scores(StepState& state, int number, const HostItems& items = {}) {
    const std::size_t count =
        items.state_row.given() ? static_cast<std::size_t>(items.state_row.size()) : rows();
    std::vector<float> found(count * static_cast<std::size_t>(batch.vocab), 0.0f);
    instance->apply(engine, state, logits[static_cast<std::size_t>(number)].memory.view(),
                    host_scores(found.data(), static_cast<std::int64_t>(count), batch.vocab),
                    items);
    return found;
  }

  host_engine engine;
  Random random;
  Batch batch;
  std::unique_ptr<Instance> instance;
  std::vector<Logits> logits;
};

/// Shows a property of every chain type on some batches.
template <class Property>
void for_every_chain(std::uint64_t seed, Property property) {
  for (const ChainType& type : chain_types()) {
    for (int i = 0; i < BATCHES_PER_CHAIN; ++i, ++seed) {
      SCOPED_TRACE(type.name + ", seed " + std::to_string(seed));
      property(type, seed);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

inline std::vector<float> part(const std::vector<float>& all, std::size_t row, std::int64_t vocab) {
  const auto at = all.begin() + static_cast<std::ptrdiff_t>(row) * vocab;
  return {at, at + vocab};
}

}  // namespace properties
