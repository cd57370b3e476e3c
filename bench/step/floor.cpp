// SPDX-License-Identifier: Apache-2.0
#include "floor.hpp"

#include <benchmark/benchmark.h>

#include <limits>

namespace bench {

namespace {

/// Floats in a vector of AVX2.
constexpr int VECTOR = 8;

template <int LANES>
float maximum(const float* row, std::int64_t size) {
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

template <int LANES>
class Maximum final : public Contender {
 public:
  explicit Maximum(const Input& input) : input_(input) {}
  void step() override {
    const auto size = static_cast<std::int64_t>(input_.logits.size());
    benchmark::DoNotOptimize(maximum<LANES>(input_.logits.data(), size));
    benchmark::ClobberMemory();
  }

 private:
  const Input& input_;
};

}  // namespace

std::unique_ptr<Contender> make_maximum(const Input& input) {
  return std::make_unique<Maximum<VECTOR>>(input);
}

std::unique_ptr<Contender> make_read(const Input& input) {
  return std::make_unique<Maximum<8 * VECTOR>>(input);
}

}  // namespace bench
