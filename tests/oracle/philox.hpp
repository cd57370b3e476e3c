// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10 as its paper has it, and the number that a draw takes from it.
#pragma once

#include <array>
#include <cstdint>

namespace oracle {

using Words = std::array<std::uint32_t, 4>;

/// Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011, section 3.3:
/// ten rounds of a permuted substitution network, the key raised by a Weyl sequence between rounds.
Words philox(Words counter, std::array<std::uint32_t, 2> key);

/// 64 random bits of a row's seed and position: words 1 and 0 of the block whose counter is
/// (position, purpose 0, 0).
std::uint64_t random_of(std::uint64_t seed, std::uint64_t position);

}  // namespace oracle
