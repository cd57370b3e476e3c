// SPDX-License-Identifier: Apache-2.0
// MinLength: bans the end of the sequence while prompt and generated tokens are too few.
//
//   ban(t)  <=>  t is one of `eos` and the row's total < length
//
// Reference: MinLengthLogitsProcessor of Transformers 5.16.1; the total is of the row's own tokens,
// without padding.
#pragma once

#include <cstdint>

#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/core/token_list.hpp>
#include <logitchain/transforms/detail/listed_tokens.hpp>

namespace logitchain::inline v0 {

/// Suppresses EOS until the whole sequence reaches a length.
struct MinLength {
  static constexpr const char* name = "MinLength";
  static constexpr Kind kind = Kind::listed;
  static constexpr bool bans = true;

  Param<std::int32_t> length = 0;  ///< tokens of prompt and generated together; 0 is off
  TokenList eos{};                 ///< ids in [0, vocab)

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("length", length, COUNT);
    visit.tokens("eos", eos);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const { return row.total() < length.at(row.row()); }

  LOGITCHAIN_HD detail::ListedTokens bind(const RowView&) const { return {eos}; }
};

static_assert(LogitsTransform<MinLength>);

}  // namespace logitchain::inline v0
