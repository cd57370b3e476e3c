// SPDX-License-Identifier: Apache-2.0
// RepetitionPenalty: makes the tokens of the history less likely, each once, not per occurrence.
//
//   z' = z * penalty where z < 0, else z / penalty; for the distinct tokens of prompt and generated
//
// Reference: RepetitionPenaltyLogitsProcessor of Transformers 5.16.1. A placeholder id beyond the
// vocabulary has no score.
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

/// Divides positive scores of seen tokens and multiplies negative ones.
struct RepetitionPenalty {
  static constexpr const char* name = "RepetitionPenalty";
  static constexpr Kind kind = Kind::listed;
  static constexpr Components components = Components::seen;

  Param<float> penalty = 1;  ///< above 0; 1 is off, below 1 rewards repetition
  /// 0 or above; tokens that occur only among the first so many of the history are left alone.
  Param<std::int32_t> prompt_ignore_length = 0;

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("penalty", penalty, POSITIVE);
    visit.number("prompt_ignore_length", prompt_ignore_length, COUNT);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const {
    return bits_of(to_float(penalty.at(row.row()))) != bits_of(1.0f);
  }

  struct Bound {
    SeenRow row;
    float penalty;
    std::int64_t first;
    LOGITCHAIN_HD std::int64_t size() const { return row.seen_size(); }
    LOGITCHAIN_HD std::int64_t token(std::int64_t i) const {
      const SeenToken seen = row.seen(i);
      return seen.last_position >= first ? seen.token : -1;
    }
    LOGITCHAIN_HD float operator()(std::int64_t, float score) const {
      return is_less(score, 0.0f) ? mul(score, penalty) : div(score, penalty);
    }
  };
  LOGITCHAIN_HD Bound bind(const SeenRow& row) const {
    return {row, to_float(penalty.at(row.row())), prompt_ignore_length.at(row.row())};
  }
};

static_assert(LogitsTransform<RepetitionPenalty>);

}  // namespace logitchain::inline v0
