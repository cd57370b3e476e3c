// SPDX-License-Identifier: Apache-2.0
// Temperature: divides every score, so that a value below 1 sharpens the distribution.
//
//   z' = z / value, in float32
//
// Reference: TemperatureLogitsWarper of Transformers 5.16.1, which refuses 0. Here 0, and a value
// at which the best score would overflow, make the row act as Greedy at this place. Other scores
// that overflow become -inf.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/row_view.hpp>

namespace logitchain::inline v0 {

/// Divides scores by a temperature.
struct Temperature {
  static constexpr const char* name = "Temperature";
  static constexpr Kind kind = Kind::map;
  static constexpr bool monotone = true;
  static constexpr bool may_collapse = true;

  Param<float> value = 1;  ///< finite, 0 or above; 1 is off

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("value", value, NON_NEGATIVE);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const {
    return bits_of(to_float(value.at(row.row()))) != bits_of(1.0f);
  }

  struct Bound {
    float divisor;
    LOGITCHAIN_HD float operator()(std::int32_t, float score) const { return div(score, divisor); }
    /// Division by 1 or more cannot overflow. By bits: non-negative floats are ordered as these.
    LOGITCHAIN_HD bool needs_maximum() const { return bits_of(divisor) < bits_of(1.0f); }
    /// A quotient by 0 is never finite. @param maximum the row's best score, finite
    LOGITCHAIN_HD bool collapses(float maximum) const { return !is_finite(div(maximum, divisor)); }
  };
  LOGITCHAIN_HD Bound bind(const RowView& row) const {
    // A double beyond the floats would divide -inf by inf.
    return {smaller(magnitude(to_float(value.at(row.row()))), 3.402823466e+38f)};
  }
};

static_assert(LogitsTransform<Temperature>);

}  // namespace logitchain::inline v0
