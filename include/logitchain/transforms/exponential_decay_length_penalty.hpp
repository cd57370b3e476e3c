// SPDX-License-Identifier: Apache-2.0
// ExponentialDecayLengthPenalty: makes the end likelier with each token generated after a start.
//
//   n = generated - start;  where n > 0, for every t of `eos`:  z' = z + |z| * (factor^n - 1)
//   factor^n in double by squaring, less 1, to float32; it and the result are clamped to +-FLT_MAX
//
// Reference: ExponentialDecayLengthPenalty of Transformers 5.16.1, which lets a large n overflow: a
// score of 0 becomes NaN there and stays 0 here. -inf stays -inf.
#pragma once

#include <cstdint>
#include <limits>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/core/token_list.hpp>

namespace logitchain::inline v0 {

/// Grows the EOS score after a number of generated tokens.
struct ExponentialDecayLengthPenalty {
  static constexpr const char* name = "ExponentialDecayLengthPenalty";
  static constexpr Kind kind = Kind::listed;

  Param<std::int32_t> start = 0;  ///< generated tokens before it begins, 0 or above
  Param<float> factor = 1;        ///< above 0; 1 is off, below 1 lowers the score instead
  /// Ids in [0, vocab). A step reads the list once where it is in rising order; else it looks for
  /// ids named twice, which costs the square of the list's length.
  TokenList eos{};

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("start", start, COUNT);
    visit.number("factor", factor, POSITIVE);
    visit.tokens("eos", eos);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const {
    return row.generated() > start.at(row.row()) && factor.at(row.row()) != 1;
  }

  struct Bound {
    static constexpr float LARGEST = std::numeric_limits<float>::max();
    const TokenList& eos;
    float growth;
    bool rising;  ///< no id is named twice
    LOGITCHAIN_HD std::int64_t size() const { return eos.size(); }
    /// An id that is named twice grows once.
    LOGITCHAIN_HD std::int64_t token(std::int64_t i) const {
      return rising || eos.find(eos[i]) == i ? eos[i] : -1;
    }
    LOGITCHAIN_HD float operator()(std::int64_t, float score) const {
      const float grown = add(score, mul(magnitude(score), growth));
      return is_finite(score) ? larger(smaller(grown, LARGEST), -LARGEST) : grown;
    }
  };
  LOGITCHAIN_HD Bound bind(const RowView& row) const {
    const double grown = power(factor.at(row.row()), row.generated() - start.at(row.row()));
    return {eos, smaller(to_float(sub(grown, 1.0)), Bound::LARGEST), is_rising(eos)};
  }

 private:
  LOGITCHAIN_HD static bool is_rising(const TokenList& ids) {
    for (std::int64_t i = 1; i < ids.size(); ++i) {
      if (ids[i - 1] >= ids[i]) return false;
    }
    return true;
  }
  LOGITCHAIN_HD static double power(double base, std::int64_t exponent) {
    double result = 1.0;
    for (; exponent > 0; exponent >>= 1) {
      if ((exponent & 1) != 0) result = mul(result, base);
      base = mul(base, base);
    }
    return result;
  }
};

static_assert(LogitsTransform<ExponentialDecayLengthPenalty>);

}  // namespace logitchain::inline v0
