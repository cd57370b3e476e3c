// SPDX-License-Identifier: Apache-2.0
// TopP: keeps the smallest set of best tokens that holds the mass p.
//
//   keep(t)  <=>  mass of the tokens better than t < ceil(p * Z), or t is among the best
//                 min_tokens_to_keep; better: higher score, then lower id
//
// Reference: TopPLogitsWarper of Transformers 5.16.1, which sums float32 probabilities from the
// worst token up; here masses are integers and sums exact. Z is the mass of what is left in front
// of this stage.
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

/// Nucleus filtering.
struct TopP {
  static constexpr const char* name = "TopP";
  static constexpr Kind kind = Kind::selection;
  static constexpr Numbers numbers = Numbers::total;
  static constexpr bool keeps_best = true;

  Param<float> p = 1;                          ///< [0, 1]; 1 is off, 0 leaves min_tokens_to_keep
  Param<std::int32_t> min_tokens_to_keep = 1;  ///< 1 or above

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("p", p, UNIT);
    visit.number("min_tokens_to_keep", min_tokens_to_keep, COUNT_FROM_ONE);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const {
    return bits_of(to_float(p.at(row.row()))) != bits_of(1.0f);
  }

  struct Bound {
    std::uint64_t mass;
    std::int64_t at_least;
    LOGITCHAIN_HD float key(float score) const { return score; }
    LOGITCHAIN_HD Spend spend() const {
      Spend spend;
      spend.mass = mass;
      spend.at_least = static_cast<std::uint64_t>(at_least);
      return spend;
    }
  };
  LOGITCHAIN_HD Bound bind(const RowView& row, const RowNumbers& row_numbers) const {
    const double share = to_double(to_float(p.at(row.row())));
    return {scaled_ceil(share, row_numbers.total), min_tokens_to_keep.at(row.row())};
  }
};

static_assert(LogitsTransform<TopP>);

}  // namespace logitchain::inline v0
