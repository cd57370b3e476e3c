// SPDX-License-Identifier: Apache-2.0
// EtaCutoff: removes what is less probable than a limit that falls as the entropy H rises.
//
//   keep(t)  <=>  z(t) - max(z) >= log(eta) + log Z,
//                 or z(t) >= the min_tokens_to_keep-th best score
//   log(eta) = min(log(epsilon), log(epsilon) / 2 - H)
//
// Reference: EtaLogitsWarper of Transformers 5.16.1, in logarithms: its eta is min(epsilon,
// sqrt(epsilon) * exp(-H)).
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/logarithm.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/transforms/detail/score_limit.hpp>

namespace logitchain::inline v0 {

/// Entropy-scaled filtering.
struct EtaCutoff {
  static constexpr const char* name = "EtaCutoff";
  static constexpr Kind kind = Kind::cut;
  static constexpr Numbers numbers = Numbers::entropy | Numbers::kth;
  static constexpr bool monotone = true;
  static constexpr bool keeps_best = true;

  Param<float> epsilon = 0;                    ///< [0, 1); 0 is off
  Param<std::int32_t> min_tokens_to_keep = 1;  ///< 1 or above

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("epsilon", epsilon, Range{0.0, 1.0, false, true});
    visit.number("min_tokens_to_keep", min_tokens_to_keep, COUNT_FROM_ONE);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const { return epsilon.at(row.row()) != 0; }
  /// The rank whose score `RowNumbers::kth` is.
  LOGITCHAIN_HD std::int64_t rank(const RowView& row) const {
    return min_tokens_to_keep.at(row.row());
  }

  LOGITCHAIN_HD detail::ScoreLimit bind(const RowView& row, const RowNumbers& row_numbers) const {
    const float log_epsilon = logarithm(to_float(epsilon.at(row.row())));
    const float log_eta = smaller(log_epsilon, sub(mul(0.5f, log_epsilon), row_numbers.entropy));
    return {row_numbers.maximum, add(log_eta, row_numbers.log_total), row_numbers.kth};
  }
};

static_assert(LogitsTransform<EtaCutoff>);

}  // namespace logitchain::inline v0
