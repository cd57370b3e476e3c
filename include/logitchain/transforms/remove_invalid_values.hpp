// SPDX-License-Identifier: Apache-2.0
// RemoveInvalidValues: gives every score that is not finite a finite value.
//
//   NaN -> 0,  +inf -> the largest float,  -inf -> the lowest float
//
// Reference: InfNanRemoveLogitsProcessor of Transformers 5.16.1. As there, a token that was removed
// before is revived, with the lowest score: no mass beside an ordinary one, but drawn where nothing
// else is left.
#pragma once

#include <cstdint>
#include <limits>

#include <logitchain/core/bits.hpp>
#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/row_view.hpp>

namespace logitchain::inline v0 {

/// The only repair of a row in the library.
struct RemoveInvalidValues {
  static constexpr const char* name = "RemoveInvalidValues";
  static constexpr Kind kind = Kind::map;
  static constexpr bool revives = true;

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor&) const {}

  struct Bound {
    static constexpr float LARGEST = std::numeric_limits<float>::max();
    LOGITCHAIN_HD float operator()(std::int32_t, float score) const {
      if (is_nan(score)) return 0.0f;
      if (!is_inf(score)) return score;
      return bits_of(score) >> 31 == 0 ? LARGEST : -LARGEST;
    }
  };
  LOGITCHAIN_HD Bound bind(const RowView&) const { return {}; }
};

static_assert(LogitsTransform<RemoveInvalidValues>);

}  // namespace logitchain::inline v0
