// SPDX-License-Identifier: Apache-2.0
// BeginSuppressTokens: bans a set of tokens at one position of the generated text.
//
//   ban(t)  <=>  t is one of `tokens` and the row has generated exactly `offset` tokens
//
// Reference: SuppressTokensAtBeginLogitsProcessor of Transformers 5.16.1, whose index counts the
// prompt as well: offset is that index less the prompt's length.
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

/// Removes tokens at one generated position.
struct BeginSuppressTokens {
  static constexpr const char* name = "BeginSuppressTokens";
  static constexpr Kind kind = Kind::listed;
  static constexpr bool bans = true;

  TokenList tokens{};              ///< ids in [0, vocab); none is off
  Param<std::int32_t> offset = 0;  ///< 0 or above, or -1: off

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.tokens("tokens", tokens);
    visit.number("offset", offset, COUNT_OR_OFF);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const {
    return row.generated() == offset.at(row.row());
  }

  LOGITCHAIN_HD detail::ListedTokens bind(const RowView&) const { return {tokens}; }
};

static_assert(LogitsTransform<BeginSuppressTokens>);

}  // namespace logitchain::inline v0
