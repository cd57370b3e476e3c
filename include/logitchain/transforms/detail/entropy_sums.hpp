// SPDX-License-Identifier: Apache-2.0
// Entropy of a few tokens as exact sums: of masses, and of masses times their distance.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/exponential.hpp>
#include <logitchain/core/mass.hpp>

namespace logitchain::inline v0::detail {

/// Sums of exp(d) and of -d exp(d), each an integer of 2^-44; d is a score less the maximum.
struct EntropySums {
  std::uint64_t mass = 0;
  std::uint64_t weighted = 0;

  /// Adds one token. @return its own mass
  LOGITCHAIN_HD std::uint64_t take(float distance) {
    const float d = larger(distance, -80.0f);  // from there on both terms are 0, of -inf too
    const float exponential = exponential_nonpositive(d);
    const std::uint64_t own = fixed44(exponential);
    mass += own;
    weighted += fixed44(mul(exponential, negate(d)));
    return own;
  }

  /// The tokens' part of the entropy, times the mass of all tokens (in 2^-44).
  /// @param log_all log of the mass of all tokens
  LOGITCHAIN_HD double entropy(double log_all) const {
    return fused(log_all, static_cast<double>(mass), static_cast<double>(weighted));
  }
};

}  // namespace logitchain::inline v0::detail
