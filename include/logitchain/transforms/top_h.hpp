// SPDX-License-Identifier: Apache-2.0
// TopH: keeps the best tokens while their share of the entropy stays within a fraction of it.
//
//   over the best `candidates` (higher score, then lower id), p_i normalised among them:
//   keep the first j  <=>  j = 1, or p_j > 0 and sum of -p_i log p_i for i <= j  <=  fraction * H
//
// Reference: TopHLogitsWarper of Transformers 5.16.1, whose candidates are always 100. With M_j,
// T_j the sums over i <= j of exp(d_i) and -d_i exp(d_i), d_i = z_i - max(z), the left side is (M_j
// log M_n + T_j) / M_n and H the same at n: the division cancels, and M and T are exact integers of
// 2^-44.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/logarithm.hpp>
#include <logitchain/core/mass.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/transforms/detail/entropy_sums.hpp>

namespace logitchain::inline v0 {

/// Entropy-budget filtering.
struct TopH {
  static constexpr const char* name = "TopH";
  static constexpr Kind kind = Kind::selection;
  static constexpr Numbers numbers = Numbers::maximum;
  static constexpr bool keeps_best = true;
  static constexpr bool walks = true;

  Param<float> fraction = 0;             ///< [0, 1]; 0 is off, 1 still cuts to the candidates
  Param<std::int32_t> candidates = 100;  ///< 1 or above

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("fraction", fraction, UNIT);
    visit.number("candidates", candidates, COUNT_FROM_ONE);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const { return fraction.at(row.row()) != 0; }

  struct Bound {
    float maximum;
    double fraction;
    std::int64_t candidates;

    LOGITCHAIN_HD float key(float score) const { return score; }
    LOGITCHAIN_HD Spend spend() const {
      Spend spend;
      spend.count = static_cast<std::uint64_t>(candidates);
      return spend;
    }
    /// How many of the `n` candidates stay. @param ranked `score(i)`: the i-th best
    template <class Ranked>
    LOGITCHAIN_HD std::int64_t length(const Ranked& ranked, std::int64_t n) const {
      detail::EntropySums all;
      for (std::int64_t i = 0; i < n; ++i) all.take(sub(ranked.score(i), maximum));
      const double log_all = to_double(logarithm(unfixed44(all.mass)));
      const double budget = mul(fraction, all.entropy(log_all));
      detail::EntropySums kept;
      for (std::int64_t i = 0; i < n; ++i) {
        const std::uint64_t own = kept.take(sub(ranked.score(i), maximum));
        if (i > 0 && (own == 0 || kept.entropy(log_all) > budget)) return i;
      }
      return n;
    }
  };
  LOGITCHAIN_HD Bound bind(const RowView& row, const RowNumbers& row_numbers) const {
    return {row_numbers.maximum, to_double(to_float(fraction.at(row.row()))),
            candidates.at(row.row())};
  }
};

static_assert(LogitsTransform<TopH>);

}  // namespace logitchain::inline v0
