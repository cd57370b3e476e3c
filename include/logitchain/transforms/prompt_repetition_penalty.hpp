// SPDX-License-Identifier: Apache-2.0
// PromptRepetitionPenalty: makes the tokens of the prompt more likely, each once.
//
//   q = 1 / penalty, in double, then float32
//   z' = z * q where z < 0, else z / q; for the distinct tokens of the prompt
//
// Reference: EncoderRepetitionPenaltyLogitsProcessor of Transformers 5.16.1, the row's prompt being
// the encoder's input.
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

/// Raises the scores of prompt tokens.
struct PromptRepetitionPenalty {
  static constexpr const char* name = "PromptRepetitionPenalty";
  static constexpr Kind kind = Kind::listed;
  static constexpr Components components = Components::seen;

  Param<float> penalty = 1;  ///< above 0; 1 is off, below 1 makes prompt tokens less likely

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("penalty", penalty, POSITIVE);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const { return penalty.at(row.row()) != 1; }

  struct Bound {
    SeenRow row;
    float inverse;
    LOGITCHAIN_HD std::int64_t size() const { return row.seen_size(); }
    LOGITCHAIN_HD std::int64_t token(std::int64_t i) const {
      const SeenToken seen = row.seen(i);
      return seen.in_prompt() ? seen.token : -1;
    }
    LOGITCHAIN_HD float operator()(std::int64_t, float score) const {
      return is_less(score, 0.0f) ? mul(score, inverse) : div(score, inverse);
    }
  };
  LOGITCHAIN_HD Bound bind(const SeenRow& row) const {
    return {row, to_float(div(1.0, penalty.at(row.row())))};
  }
};

static_assert(LogitsTransform<PromptRepetitionPenalty>);

}  // namespace logitchain::inline v0
