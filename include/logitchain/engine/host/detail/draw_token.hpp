// SPDX-License-Identifier: Apache-2.0
// The draw: the smallest token whose cumulative mass exceeds a number of the seed and the position.
#pragma once

#include <algorithm>
#include <cstdint>

#include <logitchain/core/mass.hpp>
#include <logitchain/core/philox.hpp>
#include <logitchain/core/wide_integer.hpp>
#include <logitchain/engine/host/detail/parts.hpp>
#include <logitchain/engine/host/detail/reduce.hpp>
#include <logitchain/engine/host/detail/row.hpp>

namespace logitchain::inline v0::detail {

/// Token of the row that the number `target` < total falls on.
inline std::int32_t token_at_mass(const HostRow& row, const HostScratch& scratch,
                                  std::uint64_t target) {
  // The masses of blocks sum to more than the target, unless a stage's traits promised too much.
  const std::int64_t blocks = blocks_of(row.size);
  std::uint64_t before = 0;
  std::int64_t block = 0;
  while (block < blocks && before + scratch.masses[block] <= target) {
    before += scratch.masses[block++];
  }
  for (; block < blocks; ++block) {
    const float* const scores = block_scores(row, block);
    const std::int64_t end = std::min<std::int64_t>(row.size, (block + 1) * BLOCK);
    for (std::int64_t i = block * BLOCK; i < end; ++i) {
      before += mass(sub(scores[i], row.numbers.maximum));
      if (before > target) return row.token(i);
    }
  }
  return -1;
}

/// Draws one token; -1 where the row has no distribution.
inline std::int32_t draw_token(HostRow& row, HostScratch& scratch, std::uint64_t seed,
                               std::int64_t position) {
  require(row, scratch, Numbers::total);
  if (!row.has_distribution) return -1;
  const std::uint64_t random = draw_number(seed, static_cast<std::uint64_t>(position));
  return token_at_mass(row, scratch, mulhi(random, row.numbers.total));
}

}  // namespace logitchain::inline v0::detail
