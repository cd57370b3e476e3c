// SPDX-License-Identifier: Apache-2.0
// FrequencyPenalty: lowers a token's score with each time that it was generated.
//
//   z' = z - penalty * count, the product rounded to float32 first; generated tokens only
//
// Reference: vLLM's formula; Transformers has none.
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

/// Subtracts penalty times each token's count among the generated tokens.
struct FrequencyPenalty {
  static constexpr const char* name = "FrequencyPenalty";
  static constexpr Kind kind = Kind::listed;
  static constexpr Components components = Components::seen;

  Param<float> penalty = 0;  ///< any finite number; 0 is off, below 0 rewards repetition

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("penalty", penalty, FINITE);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const { return penalty.at(row.row()) != 0; }

  struct Bound {
    SeenRow row;
    float penalty;
    LOGITCHAIN_HD std::int64_t size() const { return row.seen_size(); }
    LOGITCHAIN_HD std::int64_t token(std::int64_t i) const {
      const SeenToken seen = row.seen(i);
      return seen.generated() > 0 ? seen.token : -1;
    }
    LOGITCHAIN_HD float operator()(std::int64_t i, float score) const {
      return sub(score, mul(penalty, static_cast<float>(row.seen(i).generated())));
    }
  };
  LOGITCHAIN_HD Bound bind(const SeenRow& row) const {
    return {row, to_float(penalty.at(row.row()))};
  }
};

static_assert(LogitsTransform<FrequencyPenalty>);

}  // namespace logitchain::inline v0
