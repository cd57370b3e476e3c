// SPDX-License-Identifier: Apache-2.0
// Typical: keeps the tokens whose surprise is nearest to the entropy H, until they hold a mass.
//
//   distance(t) = |-log p(t) - H|,  log p(t) = z(t) - max(z) - log Z
//   keep(t)  <=>  mass of the tokens nearer than t < ceil(mass * Z),
//                 or t ties in distance with the last token kept so
//
// Reference: TypicalLogitsWarper of Transformers 5.16.1, which keeps these ties too. The best token
// may be removed.
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

/// Locally typical filtering.
struct Typical {
  static constexpr const char* name = "Typical";
  static constexpr Kind kind = Kind::selection;
  static constexpr Numbers numbers = Numbers::entropy;
  static constexpr bool by_score = false;

  Param<float> mass = 1;  ///< (0, 1]; 1 is off
  Param<std::int32_t> min_tokens_to_keep =
      1;  ///< 1 or above; ties with the last of them stay as well

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("mass", mass, Range{0.0, 1.0, true, false});
    visit.number("min_tokens_to_keep", min_tokens_to_keep, COUNT_FROM_ONE);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const {
    return bits_of(to_float(mass.at(row.row()))) != bits_of(1.0f);
  }

  struct Bound {
    float maximum, log_total, entropy;
    std::uint64_t mass;
    std::int64_t at_least;
    LOGITCHAIN_HD float key(float score) const {
      const float log_p = sub(sub(score, maximum), log_total);
      return negate(magnitude(sub(negate(log_p), entropy)));
    }
    LOGITCHAIN_HD Spend spend() const {
      Spend spend;
      spend.mass = mass;
      spend.at_least = static_cast<std::uint64_t>(at_least);
      spend.whole_ties = true;
      return spend;
    }
  };
  LOGITCHAIN_HD Bound bind(const RowView& row, const RowNumbers& row_numbers) const {
    const double share = to_double(to_float(mass.at(row.row())));
    return {row_numbers.maximum, row_numbers.log_total, row_numbers.entropy,
            scaled_ceil(share, row_numbers.total), min_tokens_to_keep.at(row.row())};
  }
};

static_assert(LogitsTransform<Typical>);

}  // namespace logitchain::inline v0
