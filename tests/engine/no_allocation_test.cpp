// SPDX-License-Identifier: Apache-2.0
// Calls of the decode loop allocate nothing: every form of `new` is counted here.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  return alignment > alignof(std::max_align_t) ? std::aligned_alloc(alignment, rounded)
                                               : std::malloc(bytes ? bytes : 1);
}
void* counted_or_throw(std::size_t bytes, std::size_t alignment = 1) {
  void* const memory = counted(bytes, alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t n) { return counted_or_throw(n); }
void* operator new[](std::size_t n) { return counted_or_throw(n); }
void* operator new(std::size_t n, std::align_val_t a) {
  return counted_or_throw(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a) {
  return counted_or_throw(n, static_cast<std::size_t>(a));
}
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return counted(n, 1); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return counted(n, 1); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return counted(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return counted(n, static_cast<std::size_t>(a));
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete[](void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}

namespace {

using namespace logitchain;
using namespace logitchain_test;

constexpr std::int64_t VOCAB = 3000;
constexpr std::int64_t ROWS = 6;

/// Allocations of a decode loop of fused steps and of the same loop in parts.
template <class ChainType, class StopType>
void expect_no_allocation(const ChainType& chain, const StopType& stop, int threads) {
  host_engine engine({.threads = threads});
  std::vector<RowStart> starts(index_of(ROWS), {.prompt = {1, 2, 1, 2, 1}});
  StepState state = state_of(engine, chain, stop, VOCAB, starts);
  std::mt19937 random(6);
  const std::vector<float> logits = random_row(random, ROWS * VOCAB);
  const host_logits view(logits.data(), ROWS, VOCAB);
  std::vector<float> scores(logits.size());
  std::vector<std::int32_t> tokens(index_of(ROWS));
  std::vector<StepResult> results(index_of(ROWS));
  const std::vector<std::int32_t> order = {5, 4, 3, 2, 1, 0};

  const long before = allocations.load();
  for (int i = 0; i < 5; ++i) {
    step(engine, chain, stop, state, view,
         {.tokens = tokens, .results = results, .items = {order, order}});
    apply(engine, chain, state, view, host_scores(scores.data(), ROWS, VOCAB));
    draw(engine, state, host_scores(scores.data(), ROWS, VOCAB), tokens);
    commit(engine, chain, stop, state, tokens, {.results = results});
  }
  EXPECT_EQ(allocations.load() - before, 0) << threads << " threads";
  EXPECT_EQ(state.position(0), 10);
}

TEST(ADecodeLoop, AllocatesNothing) {
  const BiasTable bias = sequence_bias({{{1, 2}, 1.0}, {{2, 7}, -2.0}}, VOCAB);
  const StopTable strings = stop_strings(std::vector<std::string>(VOCAB, "ab"), {"zzz"});
  const auto everything =
      chain(RepetitionPenalty{1.1}, FrequencyPenalty{0.1}, NoRepeatNGram{3}, SequenceBias{bias},
            MinNewTokens{3, 5}, Temperature{0.7}, TopK{500}, TopP{0.95}, MinP{0.001}, Typical{0.99},
            TopH{.fraction = 0.9}, EtaCutoff{0.0001}, Renormalize{});
  const auto stop = criterion(StopStrings{strings}, EndOfSequence{5}, MaxNewTokens{50});
  for (const int threads : {1, 2}) {
    expect_no_allocation(everything, stop, threads);
    expect_no_allocation(chain(TopK{20}, RemoveInvalidValues{}, JointTopKTopP{.k = 9, .p = 0.9}),
                         stop, threads);
    expect_no_allocation(chain(Greedy{}), criterion(), threads);
  }
}

TEST(ADecodeLoop, IsCounted) {
  const long before = allocations.load();
  const std::vector<int> some(100, 1);
  EXPECT_GT(allocations.load(), before);
  EXPECT_EQ(some.size(), 100u);
}

}  // namespace
