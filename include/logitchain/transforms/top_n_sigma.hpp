// SPDX-License-Identifier: Apache-2.0
// TopNSigma: removes what lies more than n deviations below the best score.
//
//   keep(t)  <=>  z(t) >= max(z) - n sigma,  sigma the population deviation of the finite scores
//
// Reference: llama_sampler_top_n_sigma of llama.cpp (in llama-cpp-python 0.3.36), which adds its
// sums up in float, in the order of tokens, and takes a negative n for off; here that is refused.
// Tokens at -inf count in neither and stay there, ties with the limit stay. A row with NaN, +inf or
// nothing left is not filtered.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/core/types.hpp>

namespace logitchain::inline v0 {

/// Filtering by the spread of the scores: but for rounding, a temperature before it keeps the same.
struct TopNSigma {
  static constexpr const char* name = "TopNSigma";
  static constexpr Kind kind = Kind::cut;
  static constexpr Numbers numbers = Numbers::maximum | Numbers::deviation;
  static constexpr bool monotone = true;
  static constexpr bool keeps_best = true;

  Param<float> n = 0;  ///< finite and >= 0; 0 is off, a tiny one leaves what ties with the best

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("n", n, NON_NEGATIVE);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const { return n.at(row.row()) != 0; }

  struct Bound {
    float limit;  ///< NaN, where n is infinite as a float and all scores are equal, removes none

    LOGITCHAIN_HD float operator()(std::int32_t, float score) const {
      return is_less(score, limit) ? FILTER : score;
    }
  };
  LOGITCHAIN_HD Bound bind(const RowView& row, const RowNumbers& row_numbers) const {
    return {sub(row_numbers.maximum, mul(to_float(n.at(row.row())), row_numbers.deviation))};
  }
};

static_assert(LogitsTransform<TopNSigma>);

}  // namespace logitchain::inline v0
