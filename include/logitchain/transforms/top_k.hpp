// SPDX-License-Identifier: Apache-2.0
// TopK: keeps the k best tokens.
//
//   keep(t)  <=>  z(t) >= the max(k, min_tokens_to_keep)-th best score
//
// Reference: TopKLogitsWarper of Transformers 5.16.1; there too all tokens that tie with the last
// one stay. With Ties::lowest_id exactly that many stay, the lower ids first.
#pragma once

#include <cstdint>

#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/row_view.hpp>

namespace logitchain::inline v0 {

/// Which tokens stay at the edge of a count, where their scores are equal.
enum class Ties : std::uint8_t {
  all,       ///< every one of them
  lowest_id  ///< those with the lowest ids, so that the count is exact
};

/// Keeps the k highest scores.
struct TopK {
  static constexpr const char* name = "TopK";
  static constexpr Kind kind = Kind::selection;
  static constexpr bool keeps_best = true;

  Param<std::int32_t> k = 0;  ///< 0 or above; 0 is off, above the row's size keeps all
  Param<std::int32_t> min_tokens_to_keep = 1;  ///< 1 or above
  Ties ties = Ties::all;

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("k", k, COUNT);
    visit.number("min_tokens_to_keep", min_tokens_to_keep, COUNT_FROM_ONE);
    Param<std::int32_t> exact;  // not a number, but a part of what the stage does
    exact.value = ties == Ties::lowest_id;
    visit.number("exact", exact, UNIT);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const { return k.at(row.row()) != 0; }

  struct Bound {
    std::int64_t count;
    bool whole_ties;
    LOGITCHAIN_HD float key(float score) const { return score; }
    LOGITCHAIN_HD Spend spend() const {
      Spend spend;
      spend.count = static_cast<std::uint64_t>(count);
      spend.whole_ties = whole_ties;
      return spend;
    }
  };
  LOGITCHAIN_HD Bound bind(const RowView& row, const RowNumbers&) const {
    const std::int64_t wanted = k.at(row.row());
    const std::int64_t least = min_tokens_to_keep.at(row.row());
    return {wanted > least ? wanted : least, ties == Ties::all};
  }
};

static_assert(LogitsTransform<TopK>);

}  // namespace logitchain::inline v0
