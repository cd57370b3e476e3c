// SPDX-License-Identifier: Apache-2.0
// MinP: removes what is less probable than a share of the best token's probability.
//
//   keep(t)  <=>  z(t) - max(z) >= log(p), or z(t) >= the min_tokens_to_keep-th best score
//
// Reference: MinPLogitsWarper of Transformers 5.16.1, in scores instead of softmax values. Where
// tokens tie with the last of min_tokens_to_keep, it keeps exactly so many; here all of those stay.
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

/// Relative filtering at p times the top probability; no softmax is computed for it.
struct MinP {
  static constexpr const char* name = "MinP";
  static constexpr Kind kind = Kind::cut;
  static constexpr Numbers numbers = Numbers::maximum | Numbers::kth;
  static constexpr bool monotone = true;
  static constexpr bool keeps_best = true;

  Param<float> p = 0;  ///< [0, 1]; 0 is off, 1 leaves the tokens that tie as best
  Param<std::int32_t> min_tokens_to_keep = 1;  ///< 1 or above

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("p", p, UNIT);
    visit.number("min_tokens_to_keep", min_tokens_to_keep, COUNT_FROM_ONE);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const { return p.at(row.row()) != 0; }
  /// The rank whose score `RowNumbers::kth` is.
  LOGITCHAIN_HD std::int64_t rank(const RowView& row) const {
    return min_tokens_to_keep.at(row.row());
  }

  LOGITCHAIN_HD detail::ScoreLimit bind(const RowView& row, const RowNumbers& row_numbers) const {
    return {row_numbers.maximum, logarithm(to_float(p.at(row.row()))), row_numbers.kth};
  }
};

static_assert(LogitsTransform<MinP>);

}  // namespace logitchain::inline v0
