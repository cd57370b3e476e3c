// SPDX-License-Identifier: Apache-2.0
// Curves of a bounded chain: vocabulary, items, history, listed tokens, survivors. Stages that a
// curve has no use for are off.
#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "growth/run.cuh"

int main() {
  using namespace growth;
  const auto chain_of = [](RepetitionPenalty penalty, NoRepeatNGram ngrams, SequenceBias bias,
                           SuppressTokens suppressed, TopK best = {20}) {
    return chain(penalty, ngrams, bias, suppressed, best, Temperature{0.7});
  };
  // An array of one table, which no row uses: off.
  const cuda_engine engine;
  const auto table = upload(engine, sequence_bias({{{0}, 0.0}}, 8192));
  auto* const views = counts::device_memory<BiasTableView>(1);
  counts::check(cudaMemcpy(views, &table.view(), sizeof(BiasTableView), cudaMemcpyHostToDevice));
  const SequenceBias no_bias{{device_span<const BiasTableView>(views, 1), -1}};
  const auto plain = chain_of({}, {}, no_bias, {});
  for (std::int64_t vocab = 1024; vocab <= 262'144; vocab *= 2) {
    run_both({.curve = "vocabulary, top-k", .x = vocab, .vocab = vocab}, plain);
  }
  for (std::int64_t vocab = 4096; vocab <= 262'144; vocab *= 2) {
    run_both({.curve = "vocabulary, top-k, rising logits",
              .x = vocab,
              .vocab = vocab,
              .logits = Logits::rising},
             plain);
  }
  for (const std::int32_t count :
       {20, 50, 100, 200, 400, 800, 1600, 2304, 4000, 8000, 15'000, 30'000, 60'000}) {
    run_both({.curve = "survivors, top-k", .x = count, .vocab = 65'536},
             chain_of({}, {}, no_bias, {}, {count}));
  }
  const auto penalised = chain_of({1.1}, {}, no_bias, {});
  for (std::int64_t items = 1; items <= 64; items *= 2) {
    run_both({.curve = "items, penalty and top-k",
              .x = items,
              .vocab = 8192,
              .items = items,
              .history = 256},
             penalised);
  }
  constexpr std::int64_t VOCAB = 131'072;
  for (const std::int64_t history : {0, 1024, 2048, 4096, 8192, 16'384, 32'768, 65'536, 131'072}) {
    const Point point{
        .curve = "history, penalty", .x = history, .vocab = VOCAB, .history = history};
    run_both(point, penalised);
    Point admitted = point;
    admitted.curve = "history, admission";
    if (history == 0) continue;
    run_point(admitted, penalised, Residence::resident, true);
    if (history <= 2048) continue;
    admitted.curve = "history, admission, 2,048 different tokens";
    admitted.alphabet = 2048;
    run_point(admitted, penalised, Residence::resident, true);
  }
  const auto banned = chain_of({}, {3}, no_bias, {});
  for (const std::int64_t history : {0, 8192, 16'384, 32'768, 65'536, 131'072}) {
    run_both({.curve = "history, n-grams of 3",
              .x = history,
              .vocab = 8192,
              .history = history,
              .alphabet = 64},
             banned);
  }
  // One token all along: every window agrees with the end of the history.
  for (const std::int64_t history : {512, 1024, 2048, 4096}) {
    run_both({.curve = "history, n-grams of half of it",
              .x = history,
              .vocab = 8192,
              .history = history,
              .alphabet = 1},
             chain_of({}, {history / 2}, no_bias, {}));
  }
  std::vector<std::int32_t> ids(VOCAB);
  std::iota(ids.begin(), ids.end(), 0);
  std::shuffle(ids.begin(), ids.end(), std::mt19937(5));
  auto* const memory = counts::device_memory<std::int32_t>(ids.size());
  counts::check(
      cudaMemcpy(memory, ids.data(), ids.size() * sizeof(std::int32_t), cudaMemcpyHostToDevice));
  for (const std::int64_t count : {1, 1024, 2048, 4096, 8192, 16'384, 32'768, 65'536, 100'000}) {
    const SuppressTokens suppressed{device_span<const std::int32_t>(memory, count)};
    run_both({.curve = "listed tokens, suppressed", .x = count, .vocab = VOCAB},
             chain_of({}, {}, no_bias, suppressed));
    std::vector<std::pair<std::vector<std::int64_t>, double>> entries;
    for (std::int64_t i = 0; i < count; ++i) {
      entries.push_back({{ids[static_cast<std::size_t>(i)]}, -1.0});
    }
    const auto biases = upload(engine, sequence_bias(entries, VOCAB));
    run_both({.curve = "listed tokens, biased", .x = count, .vocab = VOCAB},
             chain_of({}, {}, {biases.view()}, {}));
  }
}
