// SPDX-License-Identifier: Apache-2.0
// The test of a cut at a distance from the best score: what lies below the limit is removed.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/types.hpp>

namespace logitchain::inline v0::detail {

/// Keeps scores with score - maximum >= limit, and those that reach `kth`, the score of the last
/// token that stays in any case.
struct ScoreLimit {
  float maximum;
  float limit;
  float kth;

  LOGITCHAIN_HD float operator()(std::int32_t, float score) const {
    const bool removed = is_less(sub(score, maximum), limit) && is_less(score, kth);
    return removed ? FILTER : score;
  }
};

}  // namespace logitchain::inline v0::detail
