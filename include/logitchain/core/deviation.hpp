// SPDX-License-Identifier: Apache-2.0
// Mean and population deviation as exact sums: distances from the maximum as integers.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/wide_integer.hpp>

namespace logitchain::inline v0 {

/// Distances from the maximum, rounded to 2^-30 of the power of two that covers their range: sums
/// of them and of their squares are exact in any order.
class DeviationSteps {
 public:
  /// @param lowest the lowest finite score, at most the maximum
  LOGITCHAIN_HD DeviationSteps(float maximum, float lowest) : maximum_(to_double(maximum)) {
    const std::uint64_t range = bits_of(sub(maximum_, to_double(lowest)));
    // The range of two floats is 0 or a normal double, below 2^(biased - 1022).
    const int biased = static_cast<int>(range >> 52);
    const int exponent = biased == 0 ? 0 : biased - 1022;
    scale_ = double_of(static_cast<std::uint64_t>(1023 + 30 - exponent) << 52);
  }

  /// At most 2^30.
  LOGITCHAIN_HD std::uint64_t of(float score) const {
    constexpr double ROUND = 0x1.8p52;  // adding it rounds to an integer, ties to even
    const double distance = mul(sub(maximum_, to_double(score)), scale_);
    return static_cast<std::uint64_t>(sub(add(distance, ROUND), ROUND));
  }

  LOGITCHAIN_HD float mean(std::uint64_t count, std::uint64_t sum) const {
    const double steps = div(static_cast<double>(sum), static_cast<double>(count));
    return to_float(sub(maximum_, div(steps, scale_)));
  }
  LOGITCHAIN_HD float deviation(std::uint64_t count, std::uint64_t sum, uint128 squares) const {
    const uint128 spread = squares * count - static_cast<uint128>(sum) * sum;
    const double high = static_cast<double>(static_cast<std::uint64_t>(spread >> 64));
    const double low = static_cast<double>(static_cast<std::uint64_t>(spread));
    const double steps = div(square_root(fused(high, 0x1p64, low)), static_cast<double>(count));
    return to_float(div(steps, scale_));
  }

 private:
  double maximum_;
  double scale_;
};

}  // namespace logitchain::inline v0
