// SPDX-License-Identifier: Apache-2.0
// Greedy: leaves the best token alone.
//
//   z'(t) = 0 where t is the token of the maximum, the lowest id of those that tie; -inf elsewhere
//
// Reference: argmax as a distribution; Transformers takes it from the scores after its processors.
#pragma once

#include <cstdint>

#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/core/types.hpp>

namespace logitchain::inline v0 {

/// The best token with certainty. A row with a NaN or +inf, or with nothing left, passes unchanged.
struct Greedy {
  static constexpr const char* name = "Greedy";
  static constexpr Kind kind = Kind::cut;
  static constexpr Numbers numbers = Numbers::maximum;
  static constexpr bool collapses = true;

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor&) const {}

  struct Bound {
    std::int32_t best;
    LOGITCHAIN_HD float operator()(std::int32_t token, float) const {
      return token == best ? 0.0f : FILTER;
    }
  };
  LOGITCHAIN_HD Bound bind(const RowView&, const RowNumbers& row_numbers) const {
    return {row_numbers.best};
  }
};

static_assert(LogitsTransform<Greedy>);

}  // namespace logitchain::inline v0
