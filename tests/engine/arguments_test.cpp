// SPDX-License-Identifier: Apache-2.0
// Where rows of logits and scores lie, and the memory that they take up together.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/engine/host/arguments.hpp>

#include "support/engine.hpp"

namespace {

using namespace logitchain;
using namespace logitchain_test;

std::uintptr_t address(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

TEST(HostLogits, TakeUpTheMemoryOfAllTheirRowsWhicheverWayTheyRun) {
  std::vector<float> memory(40);
  const float* const data = memory.data();
  const host_logits forth(data, 3, 5, 12);
  EXPECT_EQ(forth.row(2), data + 24);
  EXPECT_EQ(forth.begin(), address(data));
  EXPECT_EQ(forth.end(), address(data + 24 + 5));
  const host_logits back(data + 24, 3, 5, -12);
  EXPECT_EQ(back.row(2), data);
  EXPECT_EQ(back.begin(), address(data));
  EXPECT_EQ(back.end(), address(data + 24 + 5));
  const host_logits one(data + 7, 3, 5, 0);
  EXPECT_EQ(one.begin(), address(data + 7));
  EXPECT_EQ(one.end(), address(data + 7 + 5));
  const host_logits none(data + 7, 0, 5, 12);
  EXPECT_EQ(none.begin(), none.end());
}

TEST(HostLogits, OfTwoBytesTakeUpHalf) {
  std::vector<half> memory(40);
  const host_logits rows(memory.data(), 3, 5, 12);
  EXPECT_EQ(rows.row(1), memory.data() + 12);
  EXPECT_EQ(rows.end() - rows.begin(), (24u + 5u) * 2u);
}

TEST(HostScores, LieAtLeastTheirWidthApartWhicheverWayTheyRun) {
  std::vector<float> memory(40);
  float* const data = memory.data() + 16;
  EXPECT_EQ(refusal_of([&] { host_scores(data, 2, 5, 4); }),
            "host_scores: stride is 4; it must be at least the width, 5");
  EXPECT_NE(refusal_of([&] { host_scores(data, 2, 5, -4); }), "");
  EXPECT_EQ(host_scores(data, 2, 5, -5).row(1), data - 5);
  EXPECT_EQ(host_scores(data, 1, 5, 0).rows(), 1) << "one row has no stride";
}

}  // namespace
