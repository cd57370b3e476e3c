// SPDX-License-Identifier: Apache-2.0
// NoRepeatNGram: bans what would complete an n-gram that the row already holds.
//
//   ban(t)  <=>  (last size - 1 tokens of the history, t) occurs in the history
//
// Reference: NoRepeatNGramLogitsProcessor of Transformers 5.16.1. A row shorter than `size` bans
// nothing; size 1 bans every token of the history. An id beyond the vocabulary belongs to no
// n-gram.
#pragma once

#include <cstdint>

#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/transforms/detail/ngram_windows.hpp>

namespace logitchain::inline v0 {

/// Bans tokens that would repeat an n-gram of the row's own history.
struct NoRepeatNGram {
  static constexpr const char* name = "NoRepeatNGram";
  static constexpr Kind kind = Kind::listed;
  static constexpr bool bans = true;

  Param<std::int32_t> size = 0;  ///< tokens of an n-gram, 0 or above; 0 is off

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("size", size, COUNT);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const {
    const std::int64_t length = size.at(row.row());
    return length > 0 && length <= row.total();
  }

  LOGITCHAIN_HD detail::NgramWindows bind(const RowView& row) const {
    return {row, size.at(row.row()), row.total()};
  }
};

static_assert(LogitsTransform<NoRepeatNGram>);

}  // namespace logitchain::inline v0
