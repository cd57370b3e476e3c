// SPDX-License-Identifier: Apache-2.0
// A row's tokens depend on the row alone: not on threads, neighbours, or the row's place.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/logitchain.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

constexpr std::int64_t VOCAB = 900;
constexpr int STEPS = 8;

const auto SAMPLER =
    chain(RepetitionPenalty{1.2}, NoRepeatNGram{3}, Temperature{0.8}, TopK{60}, Typical{0.9});
const auto STOP = criterion(EndOfSequence{{7, 8}});

/// A request and the logits that it sees at each step.
struct Sequence {
  RowStart start;
  std::vector<std::vector<float>> logits;
};

Sequence sequence(unsigned number) {
  std::mt19937 random(number);
  Sequence made;
  made.start.seed = 1000 + number;
  made.start.budget = 4 + number % 9;
  for (unsigned i = 0; i < 1 + number % 5; ++i) made.start.prompt.push_back(random() % 20);
  for (int i = 0; i < STEPS; ++i) made.logits.push_back(random_row(random, VOCAB, 0.02f, 300));
  return made;
}

std::vector<Sequence> sequences(unsigned count) {
  std::vector<Sequence> all;
  for (unsigned i = 0; i < count; ++i) all.push_back(sequence(i));
  return all;
}

/// What became of a sequence: its history, and how it ended.
std::string fate(const StepState& state, std::int64_t row) {
  std::string text;
  for (const std::int32_t token : state.history(row)) text += std::to_string(token) + " ";
  const Finish finish = state.finish(row);
  return text + name_of(state.status(row)) + " " + std::to_string(finish.criterion) + " " +
         std::to_string(finish.entry);
}

/// Fates of sequences that ran as the rows of one batch, in their order.
template <class ChainType>
std::vector<std::string> fates(const ChainType& chain, const std::vector<Sequence>& all,
                               int threads, Instructions instructions = Instructions::best) {
  host_engine engine({.threads = threads, .instructions = instructions});
  std::vector<RowStart> starts;
  for (const Sequence& one : all) starts.push_back(one.start);
  StepState state = state_of(engine, chain, STOP, VOCAB, starts);
  const std::int64_t rows = static_cast<std::int64_t>(all.size());
  for (std::size_t number = 0; number < STEPS; ++number) {
    std::vector<float> logits;
    for (const Sequence& one : all) {
      logits.insert(logits.end(), one.logits[number].begin(), one.logits[number].end());
    }
    step(engine, chain, STOP, state, host_logits(logits.data(), rows, VOCAB));
  }
  std::vector<std::string> found;
  for (std::int64_t row = 0; row < rows; ++row) found.push_back(fate(state, row));
  return found;
}

TEST(Threads, ChangeNothing) {
  const std::vector<Sequence> all = sequences(64);
  const std::vector<std::string> one = fates(SAMPLER, all, 1);
  EXPECT_EQ(fates(SAMPLER, all, 2), one);
  EXPECT_EQ(fates(SAMPLER, all, 4), one);
  EXPECT_EQ(fates(SAMPLER, all, 100), one);  // more threads than rows
}

TEST(Instructions, ChangeNothing) {
  const std::vector<Sequence> all = sequences(24);
  const auto sampler = chain(RepetitionPenalty{1.2}, Typical{0.95}, Temperature{0.8},
                             EtaCutoff{0.0005}, TopP{0.9}, Renormalize{});
  const std::vector<std::string> best = fates(sampler, all, 1);
  for (const Instructions each :
       {Instructions::baseline, Instructions::avx2, Instructions::avx512}) {
    if (refusal_of([&] { host_engine engine({.instructions = each}); }) != "accepted") continue;
    EXPECT_EQ(fates(sampler, all, 1, each), best) << name_of(each);
  }
}

TEST(Threads, AreRefusedBelowOneAndAboveTheLimit) {
  EXPECT_EQ(refusal_of([] { host_engine engine({.threads = 0}); }),
            "host_engine: threads is 0; it must be in [1, 1024]");
  EXPECT_EQ(refusal_of([] { host_engine engine({.threads = 1025}); }),
            "host_engine: threads is 1025; it must be in [1, 1024]");
}

TEST(Threads, ThrowTheExceptionOfTheFirstItemThoughALaterOneCameBefore) {
  detail::ThreadPool pool(2);
  std::atomic<bool> thrown = false;
  std::string text;
  try {
    pool.run(2, [&](int, std::int64_t i) {
      if (i == 1) {
        thrown = true;
        throw std::runtime_error("item 1");
      }
      while (!thrown) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      throw std::runtime_error("item 0");
    });
  } catch (const std::runtime_error& error) {
    text = error.what();
  }
  EXPECT_EQ(text, "item 0");
}

TEST(Threads, RunEachItemOnceThoughTheyComeLateOrFallAsleep) {
  detail::ThreadPool pool(3);
  std::mt19937 random(5);
  for (int batch = 0; batch < 3000; ++batch) {
    if (batch % 100 == 99) std::this_thread::sleep_for(std::chrono::microseconds(400));
    const std::size_t count = random() % 6;
    const bool slow = batch % 50 == 0;  // the caller is done before the others
    std::vector<int> runs(count, 0);
    pool.run(static_cast<std::int64_t>(count), [&](int worker, std::int64_t i) {
      if (slow && worker != 0) std::this_thread::sleep_for(std::chrono::microseconds(400));
      ++runs[static_cast<std::size_t>(i)];
    });
    ASSERT_EQ(runs, std::vector<int>(count, 1)) << "batch " << batch;
  }
}

TEST(Threads, AreWaitedForWhereTheyHaveTakenAnItem) {
  detail::ThreadPool pool(2);
  for (int batch = 0; batch < 20; ++batch) {
    std::atomic<int> begun = 0;
    std::atomic<int> done = 0;
    pool.run(2, [&](int worker, std::int64_t) {
      ++begun;
      while (begun < 2) std::this_thread::yield();
      // Longer than the caller spins.
      if (worker != 0) std::this_thread::sleep_for(std::chrono::milliseconds(3));
      ++done;
    });
    ASSERT_EQ(done, 2) << "batch " << batch;
  }
}

TEST(Threads, OfAnotherEngineThanTheStatesNeedItsWorkspace) {
  host_engine small({.threads = 1});
  host_engine large({.threads = 3});
  const auto none = chain();
  StepState state = state_of(small, none, STOP, VOCAB, {RowStart{}});
  const std::vector<float> logits(index_of(VOCAB), 0.0f);
  const std::vector<unsigned char> before = bytes_of_row(state, 0);
  const std::string text =
      refusal_of([&] { step(large, none, STOP, state, host_logits(logits.data(), 1, VOCAB)); });
  EXPECT_NE(text.find("an engine of 3 threads needs"), std::string::npos) << text;
  EXPECT_EQ(bytes_of_row(state, 0), before);
}

TEST(ARowAlone, DrawsWhatItDrawsInAnyBatchAndAnyPlace) {
  const std::vector<Sequence> all = sequences(64);
  std::vector<std::string> alone;
  for (const Sequence& one : all) alone.push_back(fates(SAMPLER, {one}, 1)[0]);
  for (const std::size_t rows : {std::size_t{7}, std::size_t{8}, std::size_t{64}}) {
    const std::vector<Sequence> some(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(rows));
    EXPECT_EQ(
        fates(SAMPLER, some, 2),
        std::vector<std::string>(alone.begin(), alone.begin() + static_cast<std::ptrdiff_t>(rows)));
  }
}

TEST(ARowAlone, KeepsItsNumbersWhenRowsArePermuted) {
  const std::vector<Sequence> all = sequences(24);
  std::vector<float> temperatures;
  std::vector<std::int32_t> ks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    temperatures.push_back(0.1f * static_cast<float>(i % 6));
    ks.push_back(static_cast<std::int32_t>(i % 4 * 30));
  }
  const std::vector<std::string> in_order =
      fates(chain(Temperature{per_row(temperatures)}, TopK{per_row(ks)}), all, 2);

  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(1);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  std::vector<Sequence> permuted;
  std::vector<float> permuted_temperatures;
  std::vector<std::int32_t> permuted_ks;
  std::vector<std::string> expected;
  for (const std::size_t i : order) {
    permuted.push_back(all[i]);
    permuted_temperatures.push_back(temperatures[i]);
    permuted_ks.push_back(ks[i]);
    expected.push_back(in_order[i]);
  }
  EXPECT_EQ(fates(chain(Temperature{per_row(permuted_temperatures)}, TopK{per_row(permuted_ks)}),
                  permuted, 2),
            expected);
  EXPECT_NE(in_order, expected);
}

}  // namespace
