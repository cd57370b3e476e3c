// SPDX-License-Identifier: Apache-2.0
// Curves of filters that need the whole row, or walk what they keep.
#include "growth/run.cuh"

int main() {
  using namespace growth;
  const auto chain_of = [](Typical typical, TopH top_h) { return chain(top_h, typical); };
  for (std::int64_t vocab = 1024; vocab <= 262'144; vocab *= 2) {
    run_both({.curve = "vocabulary, typical",
              .x = vocab,
              .vocab = vocab,
              .logits = Logits::plateau,
              .best = 64},
             chain_of({0.9}, {}));
  }
  constexpr std::int64_t VOCAB = 4096;
  for (const std::int64_t count : {50, 100, 400, 800, 1600, 2304, 4096}) {
    run_both({.curve = "survivors, top-h",
              .x = count,
              .vocab = VOCAB,
              .logits = Logits::plateau,
              .best = count},
             chain_of({}, {.fraction = 0.99, .candidates = static_cast<std::int32_t>(count)}));
  }
}
