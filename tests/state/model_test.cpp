// SPDX-License-Identifier: Apache-2.0
// Random sequences of operations on a state, against rows that are plain vectors.
#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/state/admission.hpp>
#include <logitchain/state/commit.hpp>

#include "support/state_doubles.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

constexpr std::int32_t VOCAB = 40;
constexpr std::int64_t CAPACITY = 24;
constexpr std::int64_t ROWS = 5;

/// A row as its definition says: everything follows from the tokens.
struct ModelRow {
  std::vector<std::int32_t> prompt;
  std::vector<std::int32_t> generated;
  std::int32_t budget = 0;
  std::uint64_t seed = 0;
  Status status = Status::released;
  std::tuple<std::int16_t, std::int32_t, std::int64_t> finish{-1, -1, 0};

  std::vector<std::int32_t> history(std::size_t generated_count) const {
    std::vector<std::int32_t> all = prompt;
    all.insert(all.end(), generated.begin(),
               generated.begin() + static_cast<std::ptrdiff_t>(generated_count));
    return all;
  }

  /// Distinct tokens after `count` generated ones, with the order of their first appearance.
  std::map<std::int32_t, SeenEntry> seen(std::size_t count,
                                         std::vector<std::int32_t>* order = nullptr) const {
    std::map<std::int32_t, SeenEntry> entries;
    const std::vector<std::int32_t> all = history(count);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] >= VOCAB) continue;
      if (order && entries.count(all[i]) == 0) order->push_back(all[i]);
      auto& [times, in_prompt, last] = entries[all[i]];
      times += i < prompt.size() ? 0 : 1;
      in_prompt = in_prompt || i < prompt.size();
      last = static_cast<std::int32_t>(i);
    }
    return entries;
  }

  /// The automaton that `walked` is, from what this model knows.
  AutomatonSlot slot() const {
    AutomatonSlot slot;
    slot.tag = 7;
    slot.node = static_cast<std::int32_t>(prompt.size());
    const std::vector<std::int32_t> all = history(generated.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t count = i < prompt.size() ? 0 : i - prompt.size() + 1;
      std::vector<std::int32_t> order;
      const auto entries = seen(count, &order);
      slot.node = static_cast<std::int32_t>((std::int64_t{slot.node} * 31 + all[i] + 1) % 1000003);
      slot.bytes = static_cast<std::int64_t>(count);
      slot.entry = static_cast<std::int32_t>(prompt.size() + count);
      slot.begin = slot.begin * 3 % 1000003 + static_cast<std::int64_t>(order.size());
      for (std::size_t k = 0; k < order.size(); ++k) {
        const auto& [times, in_prompt, last] = entries.at(order[k]);
        slot.begin += times * static_cast<std::int64_t>(k + 1) + last + (in_prompt ? 5 : 0);
      }
    }
    return slot;
  }

  void commit(std::int64_t token, const WalkingStages& stages) {
    if (status != Status::ok || token == -1) return;
    if (token < 0 || token >= VOCAB) {
      status = Status::invalid_parameter;
      return;
    }
    generated.push_back(static_cast<std::int32_t>(token));
    const std::int32_t node = slot().node;
    if (node % stages.period == 0) {
      status = Status::finished;
      finish = {0, 2, node};
    } else if (token == stages.eos) {
      status = Status::finished;
      finish = {1, 4, 0};
    } else if (static_cast<std::int32_t>(generated.size()) >= budget) {
      status = Status::finished;
      finish = {BUDGET_SPENT, -1, 0};
    }
  }

  RowImage image() const {
    RowImage image;
    image.status = status;
    if (status == Status::released) return image;
    image.history = history(generated.size());
    image.prompt_length = static_cast<std::int32_t>(prompt.size());
    image.generated = static_cast<std::int32_t>(generated.size());
    image.budget = budget;
    image.last_token = generated.empty() ? -1 : generated.back();
    image.seed = seed;
    image.active = status == Status::ok;
    image.finish = finish;
    image.seen = seen(generated.size(), &image.seen_order);
    for (const auto& [token, entry] : image.seen) image.bits.push_back(token);
    const AutomatonSlot one = slot();
    image.slots.assign(2, {one.tag, one.node, one.bytes, one.entry, one.begin});
    return image;
  }
};

class Operations : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Operations, GiveWhatThePlainModelGives) {
  std::mt19937_64 random(GetParam());
  const auto below = [&](std::uint64_t limit) {
    return static_cast<std::int64_t>(random() % limit);
  };
  WalkingStages stages;
  stages.eos = 3;
  stages.period = 17;
  const FakeEngine engine;
  StepState state(engine, {.rows = ROWS, .capacity = CAPACITY, .vocab = VOCAB}, {true, 1, 1});
  std::vector<ModelRow> model(ROWS);
  for (int operation = 0; operation < 400; ++operation) {
    const std::int64_t row = below(ROWS);
    ModelRow& wanted = model[static_cast<std::size_t>(row)];
    const std::int64_t kind = below(10);
    if (kind < 2 && wanted.status != Status::ok) {
      Request request{.row = row, .prompt = {}, .seed = random()};
      wanted = ModelRow{};
      for (std::int64_t i = below(8); i > 0; --i) request.prompt.push_back(below(VOCAB + 5));
      for (std::int64_t i = below(3) * below(4); i > 0; --i) {
        request.generated.push_back(below(VOCAB));
      }
      if (below(2)) request.budget = below(12);
      for (const std::int64_t id : request.prompt) {
        wanted.prompt.push_back(static_cast<std::int32_t>(id));
      }
      for (const std::int64_t id : request.generated) {
        wanted.generated.push_back(static_cast<std::int32_t>(id));
      }
      wanted.seed = *request.seed;
      wanted.budget =
          static_cast<std::int32_t>(request.budget.value_or(CAPACITY - request.prompt.size()));
      const bool spent = static_cast<std::int32_t>(wanted.generated.size()) >= wanted.budget;
      wanted.status = spent ? Status::finished : Status::ok;
      if (spent) wanted.finish = {BUDGET_SPENT, -1, 0};
      begin(state, stages, stages, {request});
    } else if (kind < 6) {
      const std::int64_t token = below(40) == 0 ? VOCAB + below(3) : below(VOCAB + 1) - 1;
      commit_token(state.view(), row, token, stages, stages);
      wanted.commit(token, stages);
    } else if (kind < 9) {
      std::vector<std::int64_t> tokens;
      for (std::int64_t i = below(6); i > 0; --i) tokens.push_back(below(VOCAB + 1) - 1);
      if (below(20) == 0) tokens.push_back(VOCAB);
      const bool bad = std::count(tokens.begin(), tokens.end(), VOCAB) > 0;
      commit_tokens(state.view(), row, tokens.data(), static_cast<std::int64_t>(tokens.size()),
                    stages, stages);
      if (bad) {
        wanted.commit(VOCAB, stages);
      } else {
        for (const std::int64_t token : tokens) wanted.commit(token, stages);
      }
    } else {
      state.view().records[row] = RowRecord{};
      wanted = ModelRow{};
    }
    for (std::int64_t i = 0; i < ROWS; ++i) {
      ASSERT_EQ(image_of(state, i), model[static_cast<std::size_t>(i)].image())
          << "row " << i << " after operation " << operation << " on row " << row;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Operations, ::testing::Range<std::uint64_t>(0, 12));

}  // namespace
