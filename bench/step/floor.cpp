// SPDX-License-Identifier: Apache-2.0
#include "floor.hpp"

#include <benchmark/benchmark.h>

#include <limits>

namespace bench {

namespace {

/// Independent lanes, so that no comparison waits for the one before.
float maximum(const float* row, std::int64_t size) {
  constexpr int LANES = 64;
  float best[LANES];
  for (float& lane : best) lane = -std::numeric_limits<float>::infinity();
  std::int64_t i = 0;
  for (; i + LANES <= size; i += LANES) {
    for (int j = 0; j < LANES; ++j) best[j] = row[i + j] > best[j] ? row[i + j] : best[j];
  }
  for (; i < size; ++i) best[0] = row[i] > best[0] ? row[i] : best[0];
  float all = best[0];
  for (const float lane : best) all = lane > all ? lane : all;
  return all;
}

class Floor final : public Contender {
 public:
  explicit Floor(const Input& input) : input_(input) {}
  void step() override {
    benchmark::DoNotOptimize(
        maximum(input_.logits.data(), static_cast<std::int64_t>(input_.logits.size())));
    benchmark::ClobberMemory();
  }

 private:
  const Input& input_;
};

}  // namespace

std::unique_ptr<Contender> make_floor(const Input& input) { return std::make_unique<Floor>(input); }

}  // namespace bench
