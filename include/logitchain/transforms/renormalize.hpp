// SPDX-License-Identifier: Apache-2.0
// Renormalize: makes log probabilities of the scores.
//
//   z' = z - max(z) - log Z, in float32 from left to right
//
// Reference: LogitNormalization of Transformers 5.16.1.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/row_view.hpp>

namespace logitchain::inline v0 {

/// Scores become their log softmax. A row with a NaN or +inf, or with nothing left, passes
/// unchanged.
struct Renormalize {
  static constexpr const char* name = "Renormalize";
  static constexpr Kind kind = Kind::cut;
  static constexpr Numbers numbers = Numbers::total;

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor&) const {}

  struct Bound {
    float maximum, log_total;
    LOGITCHAIN_HD float operator()(std::int32_t, float score) const {
      // A difference of equal zeros has the sign of one of them; the sum makes it +0.
      return add(sub(sub(score, maximum), log_total), 0.0f);
    }
  };
  LOGITCHAIN_HD Bound bind(const RowView&, const RowNumbers& row_numbers) const {
    return {row_numbers.maximum, row_numbers.log_total};
  }
};

static_assert(LogitsTransform<Renormalize>);

}  // namespace logitchain::inline v0
