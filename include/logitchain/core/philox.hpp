// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10: a random number as a function of seed, position and purpose, without any state.
#pragma once

#include <cstdint>

#include <logitchain/core/config.hpp>

namespace logitchain::inline v0 {

/// A counter, or the four random words it gives.
struct PhiloxBlock {
  std::uint32_t x[4];
};

/// Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011), ten
/// rounds; the same words as Random123's `philox4x32`.
LOGITCHAIN_HD constexpr PhiloxBlock philox4x32_10(PhiloxBlock counter, std::uint32_t key0,
                                                  std::uint32_t key1) {
  PhiloxBlock c = counter;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = static_cast<std::uint64_t>(c.x[0]) * 0xd2511f53u;
    const std::uint64_t b = static_cast<std::uint64_t>(c.x[2]) * 0xcd9e8d57u;
    c = PhiloxBlock{
        {static_cast<std::uint32_t>(b >> 32) ^ c.x[1] ^ key0, static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c.x[3] ^ key1, static_cast<std::uint32_t>(a)}};
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
  return c;
}

/// The same, from arrays.
LOGITCHAIN_HD constexpr PhiloxBlock philox4x32_10(const std::uint32_t (&counter)[4],
                                                  const std::uint32_t (&key)[2]) {
  return philox4x32_10(PhiloxBlock{{counter[0], counter[1], counter[2], counter[3]}}, key[0],
                       key[1]);
}

/// The random number of one position of one row.
/// @param seed the row's seed: the key, low half first.
/// @param position the step of the row: counter words 0 and 1.
/// @param purpose 0 for the draw of the token; each other use of a random number has its own.
/// @return 64 uniform bits, word 1 above word 0.
LOGITCHAIN_HD constexpr std::uint64_t draw_number(std::uint64_t seed, std::uint64_t position,
                                                  std::uint32_t purpose = 0) {
  const PhiloxBlock block =
      philox4x32_10(PhiloxBlock{{static_cast<std::uint32_t>(position),
                                 static_cast<std::uint32_t>(position >> 32), purpose, 0u}},
                    static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
  return (static_cast<std::uint64_t>(block.x[1]) << 32) | block.x[0];
}

}  // namespace logitchain::inline v0
