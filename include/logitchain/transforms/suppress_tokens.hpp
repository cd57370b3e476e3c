// SPDX-License-Identifier: Apache-2.0
// SuppressTokens: bans a fixed set of tokens.
//
//   ban(t)  <=>  t is one of `tokens`
//
// Reference: SuppressTokensLogitsProcessor of Transformers 5.16.1. It ignores an id outside of the
// vocabulary; here that is refused.
#pragma once

#include <cstdint>

#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/core/token_list.hpp>
#include <logitchain/transforms/detail/listed_tokens.hpp>

namespace logitchain::inline v0 {

/// Removes a fixed set of tokens.
struct SuppressTokens {
  static constexpr const char* name = "SuppressTokens";
  static constexpr Kind kind = Kind::listed;
  static constexpr bool bans = true;

  TokenList tokens{};  ///< ids in [0, vocab); none is off

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.tokens("tokens", tokens);
  }

  LOGITCHAIN_HD detail::ListedTokens bind(const RowView&) const { return {tokens}; }
};

static_assert(LogitsTransform<SuppressTokens>);

}  // namespace logitchain::inline v0
