// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10 against Random123's known answers, and the layout of counter and key.
#include <logitchain/core/philox.hpp>

#include <array>
#include <cstdint>
#include <set>

#include <gtest/gtest.h>

namespace {

using namespace logitchain;

// The same function answers at compile time.
static_assert(draw_number(0, 0) == 0xe169c58d6627e8d5ull);

using Words = std::array<std::uint32_t, 4>;

Words words_of(const PhiloxBlock& block) {
  return {block.x[0], block.x[1], block.x[2], block.x[3]};
}

TEST(Philox, GivesTheKnownAnswersOfRandom123) {
  EXPECT_EQ(words_of(philox4x32_10({0, 0, 0, 0}, {0, 0})),
            (Words{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
  constexpr std::uint32_t ALL = 0xffffffffu;
  EXPECT_EQ(words_of(philox4x32_10({ALL, ALL, ALL, ALL}, {ALL, ALL})),
            (Words{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
  EXPECT_EQ(words_of(philox4x32_10({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u},
                                   {0xa4093822u, 0x299f31d0u})),
            (Words{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}));
}

TEST(Philox, DrawTakesWordOneAboveWordZero) { EXPECT_EQ(draw_number(0, 0), 0xe169c58d6627e8d5ull); }

TEST(Philox, DrawUsesBothHalvesOfSeedAndPositionAndThePurpose) {
  const std::uint64_t seed = 0x299f31d0a4093822ull;
  const std::uint64_t position = 0x85a308d3243f6a88ull;
  const Words want = words_of(
      philox4x32_10({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0}, {0xa4093822u, 0x299f31d0u}));
  EXPECT_EQ(draw_number(seed, position, 0x13198a2eu),
            (static_cast<std::uint64_t>(want[1]) << 32) | want[0]);
}

TEST(Philox, NeighbouringSeedsPositionsAndPurposesDiffer) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed : {0ull, 1ull, 1ull << 32}) {
    for (std::uint64_t position : {0ull, 1ull, 2ull, 1ull << 32}) {
      for (std::uint32_t purpose : {0u, 1u}) seen.insert(draw_number(seed, position, purpose));
    }
  }
  EXPECT_EQ(seen.size(), 24u);
}

}  // namespace
