// SPDX-License-Identifier: Apache-2.0
// Damaged tables: walks end, read nothing outside of the storage (AddressSanitizer watches), and
// say that the table is damaged where they meet it.
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/build/bias_table.hpp>
#include <logitchain/build/stop_table.hpp>

#include "support/table_damage.hpp"

namespace {

using namespace logitchain;
using logitchain_test::copy_of;
using logitchain_test::damaged_copy;
using logitchain_test::set_word;

StopTable small_stop_table() {
  return stop_strings(std::vector<std::string>{"a", "b", "ab", "ba", "", "aab"},
                      {"abab", "aa", "bba", "abb"}, 8);
}

BiasTable small_bias_table() {
  return build_bias_table({{{0, 1, 2}, 1.0},
                           {{1, 2}, 2.0},
                           {{1, 1, 1}, 3.0},
                           {{0, 1, 0, 2}, 4.0},
                           {{2}, 5.0},
                           {{0}, 6.0},
                           {{1, 0}, 7.0}},
                          4);
}

TEST(DamagedStopTable, IsWalkedWithinItsBoundsAndSaysSo) {
  std::mt19937 random(3);
  const StopTable table = small_stop_table();
  int noticed = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::vector<std::byte> storage = damaged_copy(table.storage(), random);
    const StopTableView view(storage.data(), table.shape());
    AutomatonSlot slot = view.start(true);
    for (int step = 0; step < 20; ++step) {
      slot = view.advance(slot, static_cast<std::int64_t>(random() % 9), step > 3);
      ASSERT_GE(slot.node, DAMAGED_NODE);
      ASSERT_LT(slot.node, table.shape().nodes);
      ASSERT_GE(slot.entry, -1);
      ASSERT_LT(slot.entry, table.count());
    }
    noticed += slot.node == DAMAGED_NODE;
  }
  EXPECT_GT(noticed, 5000);
}

TEST(DamagedStopTable, StaysDamaged) {
  const StopTable table = small_stop_table();
  for (const std::int32_t wrong : {-1, -100, table.shape().nodes, 1 << 30}) {
    AutomatonSlot slot = table.view().start(true);
    slot.node = wrong;
    slot = table.view().advance(slot, 0, true);
    EXPECT_EQ(slot.node, DAMAGED_NODE);
    EXPECT_EQ(slot.entry, -1);
    EXPECT_EQ(table.view().advance(slot, 7, true).node, DAMAGED_NODE);
  }
}

TEST(DamagedStopTable, DoesNotFollowAFailureLinkThatDoesNotShorten) {
  const StopTable table = small_stop_table();
  std::vector<std::byte> storage = copy_of(table.storage());
  const auto nodes = static_cast<std::size_t>(table.shape().nodes);
  const std::size_t fail = 8 * 9 + 4 * (nodes + 1);
  for (std::size_t node = 0; node < nodes; ++node) {
    set_word(storage, fail + 4 * node, static_cast<std::int32_t>(node));
  }
  const StopTableView view(storage.data(), table.shape());
  AutomatonSlot slot = view.advance(view.start(true), 2, true);
  ASSERT_GT(slot.node, 0);
  slot = view.advance(view.advance(slot, 1, true), 1, true);
  EXPECT_EQ(slot.node, DAMAGED_NODE);
}

TEST(DamagedStopTable, IsWhatAViewOfNothingIs) {
  const StopTableView nothing;
  EXPECT_EQ(nothing.advance({}, 0, true).node, DAMAGED_NODE);
  const BiasTableView none;
  EXPECT_EQ(none.advance({}, 0).node, DAMAGED_NODE);
  EXPECT_EQ(none.listed(0), DAMAGED_NODE);
  EXPECT_EQ(none.entry(0, 0, 1).token, ListedBias::INVALID);
  EXPECT_EQ(none.of(0, 0, 1).token, ListedBias::INVALID);
}

TEST(DamagedBiasTable, IsReadWithinItsBoundsAndSaysSo) {
  std::mt19937 random(4);
  const BiasTable table = small_bias_table();
  int noticed = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::vector<std::byte> storage = damaged_copy(table.storage(), random);
    const BiasTableView view(storage.data(), table.shape());
    AutomatonSlot slot = view.start();
    bool bad = false;
    for (std::int64_t total = 0; total < 12; ++total) {
      ASSERT_GE(slot.node, DAMAGED_NODE);
      ASSERT_LT(slot.node, table.shape().nodes);
      const int listed = view.listed(slot.node);
      ASSERT_LE(listed, table.count());
      bad = bad || listed == DAMAGED_NODE;
      for (int i = 0; i < listed; ++i) {
        const ListedBias biased = view.entry(slot.node, i, total);
        ASSERT_LT(biased.token, 4);
        bad = bad || biased.token == ListedBias::INVALID;
      }
      bad = bad || view.of(slot.node, 2, total).token == ListedBias::INVALID;
      slot = view.advance(slot, static_cast<std::int64_t>(random() % 5));
    }
    noticed += bad;
  }
  EXPECT_GT(noticed, 5000);
}

TEST(DamagedBiasTable, RefusesAForeignNode) {
  const BiasTable table = small_bias_table();
  const std::int32_t nodes = table.shape().nodes;
  for (const std::int32_t wrong : {-1, nodes, 1 << 30}) {
    EXPECT_EQ(table.view().listed(wrong), DAMAGED_NODE);
    EXPECT_EQ(table.view().entry(wrong, 0, 5).token, ListedBias::INVALID);
    EXPECT_EQ(table.view().of(wrong, 0, 5).token, ListedBias::INVALID);
  }
}

}  // namespace
