// SPDX-License-Identifier: Apache-2.0
// One marked step on a row that is made to measure, and a line that says which point of which curve
// it was: what was counted between the marks is growth.py's to read.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include <logitchain/logitchain.cuh>

#include "counts/logits.cuh"

namespace growth {

using namespace logitchain;

/// What the logits of a point are like.
enum class Logits : std::uint8_t {
  typical,  ///< as counts.sh has them
  rising,   ///< each above the one before: the worst order for whoever collects the best
  plateau   ///< `best` tokens, spread over the row, within 0.5 of each other and 15 above the rest
};

/// One point of a curve.
struct Point {
  const char* curve;
  std::int64_t x;  ///< what grows
  std::int64_t vocab;
  std::int64_t items = 1;
  Logits logits = Logits::typical;
  std::int64_t best = 0;
  std::int64_t history = 0;
  std::int64_t alphabet = 0;  ///< tokens that a history is made of; 0: the whole vocabulary
};

inline std::vector<float> logits_of(const Point& point) {
  if (point.logits == Logits::typical) return counts::typical_logits(point.items, point.vocab);
  std::mt19937 random(23);
  std::vector<float> logits(static_cast<std::size_t>(point.items * point.vocab));
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const std::int64_t token = static_cast<std::int64_t>(i) % point.vocab;
    if (point.logits == Logits::rising) {
      logits[i] = static_cast<float>(token) * 0x1p-14f;
    } else {
      // So that exactly `best` tokens of each row are of the plateau.
      const bool is_best =
          (token + 1) * point.best / point.vocab != token * point.best / point.vocab;
      logits[i] = (is_best ? 10.0f : -5.0f) + static_cast<float>(random() % 4096) * 0x1p-13f;
    }
  }
  return logits;
}

/// @param residence what the engine is asked for
/// @param admission whether the point is the admission of the row, not its step
template <class ChainType>
void run_point(const Point& point, const ChainType& chain, Residence residence,
               bool admission = false) {
  // Streamed by one block: how many there are hangs on the items, and is no growth.
  const cuda_engine engine(
      nullptr, {.cluster = residence == Residence::streaming ? 1 : 0, .residence = residence});
  const auto stop = criterion(MaxNewTokens{16});
  StepState state(
      engine,
      {.rows = point.items, .capacity = point.history + 32, .vocab = point.vocab, .seed = 1},
      needs(chain, stop));
  std::mt19937 random(3);
  const std::int64_t alphabet = point.alphabet > 0 ? point.alphabet : point.vocab;
  std::vector<Request> requests;
  for (std::int64_t row = 0; row < point.items; ++row) {
    TokenIds prompt;
    for (std::int64_t i = 0; i < point.history; ++i) {
      prompt.push_back(random() % static_cast<std::uint64_t>(alphabet));
    }
    requests.push_back({.row = row, .prompt = prompt});
  }
  const auto bring = [&] { admit(engine, chain, stop, state, host_span<const Request>(requests)); };
  bool streams = false;
  if (admission) {
    counts::mark(bring);
  } else {
    bring();
    const std::vector<float> logits = logits_of(point);
    auto* const memory = counts::device_memory<float>(logits.size());
    auto* const results = counts::device_memory<StepResult>(static_cast<std::size_t>(point.items));
    counts::check(
        cudaMemcpy(memory, logits.data(), logits.size() * sizeof(float), cudaMemcpyHostToDevice));
    counts::mark([&] {
      step(engine, chain, stop, state,
           device_logits(memory, DType::f32, point.items, point.vocab, point.vocab),
           {.results = device_span<StepResult>(results, point.items)});
    });
    counts::check(cudaFree(memory));
    counts::check(cudaFree(results));
    streams = residence == Residence::streaming && detail::cuda::may_stream<ChainType>;
  }
  std::printf(
      "{\"curve\":\"%s\",\"shape\":\"%s\",\"x\":%lld,\"items\":%lld,\"vocab\":%lld,\"streams\":%s}"
      "\n",
      point.curve, residence == Residence::streaming ? "streaming" : "resident",
      static_cast<long long>(point.x), static_cast<long long>(point.items),
      static_cast<long long>(point.vocab), streams ? "true" : "false");
  std::fflush(stdout);
}

/// A point in both residences.
template <class ChainType>
void run_both(const Point& point, const ChainType& chain) {
  run_point(point, chain, Residence::resident);
  run_point(point, chain, Residence::streaming);
}

}  // namespace growth
