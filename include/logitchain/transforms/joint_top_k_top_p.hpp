// SPDX-License-Identifier: Apache-2.0
// JointTopKTopP: a limit by count and one by mass, both measured on the same row.
//
//   keep(t)  <=>  fewer than k tokens are better than t and their mass < ceil(p * Z), or t is the
//                 best; better: higher score, then lower id
//
// Reference: the joint order of FlashInfer's sampler. TopK, then TopP, takes p of what TopK left.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/mass.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/row_view.hpp>

namespace logitchain::inline v0 {

/// Top-k and top-p on the mass of everything in front of it; exactly k tokens, whatever ties.
struct JointTopKTopP {
  static constexpr const char* name = "JointTopKTopP";
  static constexpr Kind kind = Kind::selection;
  static constexpr Numbers numbers = Numbers::total;
  static constexpr bool keeps_best = true;

  Param<std::int32_t> k = 0;  ///< 0 or above; 0 is no limit by count
  Param<float> p = 1;         ///< [0, 1]; 1 is no limit by mass

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("k", k, COUNT);
    visit.number("p", p, UNIT);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const {
    return k.at(row.row()) != 0 || limits_mass(to_float(p.at(row.row())));
  }

  struct Bound {
    Spend limits;
    LOGITCHAIN_HD float key(float score) const { return score; }
    LOGITCHAIN_HD Spend spend() const { return limits; }
  };
  LOGITCHAIN_HD Bound bind(const RowView& row, const RowNumbers& row_numbers) const {
    const std::int64_t count = k.at(row.row());
    const float share = to_float(p.at(row.row()));
    Spend limits;
    if (count != 0) limits.count = static_cast<std::uint64_t>(count);
    if (limits_mass(share)) limits.mass = scaled_ceil(to_double(share), row_numbers.total);
    return {limits};
  }

 private:
  LOGITCHAIN_HD static bool limits_mass(float share) { return bits_of(share) != bits_of(1.0f); }
};

static_assert(LogitsTransform<JointTopKTopP>);

}  // namespace logitchain::inline v0
