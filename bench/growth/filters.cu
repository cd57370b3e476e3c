// SPDX-License-Identifier: Apache-2.0
// Curves of draws and of filters that may keep much of the row: vocabulary, survivors. Stages that
// a curve has no use for are off.
#include "growth/run.cuh"

int main() {
  using namespace growth;
  const auto chain_of = [](EpsilonCutoff epsilon, MinP least, TopP most) {
    return chain(Temperature{0.7}, epsilon, least, most);
  };
  for (std::int64_t vocab = 1024; vocab <= 262'144; vocab *= 2) {
    run_both({.curve = "vocabulary, draw", .x = vocab, .vocab = vocab}, chain_of({}, {}, {}));
  }
  constexpr std::int64_t VOCAB = 65'536;
  for (const std::int64_t count :
       {100, 200, 400, 800, 1600, 2048, 2304, 4000, 8000, 15'000, 30'000, 60'000}) {
    Point point{.curve = "survivors, min-p",
                .x = count,
                .vocab = VOCAB,
                .logits = Logits::plateau,
                .best = count};
    run_both(point, chain_of({}, {0.01}, {}));
    point.curve = "survivors, epsilon";
    run_both(point, chain_of({1e-3 / static_cast<double>(count)}, {}, {}));
    point.curve = "survivors, top-p";
    point.best = count * 11 / 10;  // the tenth that goes
    run_both(point, chain_of({}, {}, {0.9}));
  }
}
