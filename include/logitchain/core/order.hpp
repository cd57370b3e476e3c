// SPDX-License-Identifier: Apache-2.0
// The total order of scores: by value, then by token id, the lower id being the better.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/config.hpp>

namespace logitchain::inline v0 {

/// A score as an unsigned number of the same order: the larger score has the larger key, -0 and
/// +0 have one key, -inf has the lowest. The score must not be NaN: a row with one never gets as
/// far as an ordering.
LOGITCHAIN_HD constexpr std::uint32_t order_key(float score) {
  const std::uint32_t raw = bits_of(score);
  const std::uint32_t bits = raw == 0x80000000u ? 0u : raw;
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

/// The score of a key made by `order_key`; +0 for zero.
LOGITCHAIN_HD constexpr float score_of_key(std::uint32_t key) {
  return float_of((key & 0x80000000u) != 0 ? key & 0x7fffffffu : ~key);
}

/// Whether the first token comes before the second: a higher score, or an equal one and a lower id.
LOGITCHAIN_HD constexpr bool better(float a, std::int32_t token_a, float b, std::int32_t token_b) {
  const std::uint32_t key_a = order_key(a);
  const std::uint32_t key_b = order_key(b);
  return key_a != key_b ? key_a > key_b : token_a < token_b;
}

}  // namespace logitchain::inline v0
