// SPDX-License-Identifier: Apache-2.0
// MinNewTokens: bans the end of the sequence while too few tokens were generated.
//
//   ban(t)  <=>  t is one of `eos` and the count of generated tokens < count
//
// Reference: MinNewTokensLengthLogitsProcessor of Transformers 5.16.1.
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

/// Suppresses EOS until a number of tokens is generated.
struct MinNewTokens {
  static constexpr const char* name = "MinNewTokens";
  static constexpr Kind kind = Kind::listed;
  static constexpr bool bans = true;

  Param<std::int32_t> count = 0;  ///< generated tokens; 0 is off
  TokenList eos{};                ///< ids in [0, vocab)

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("count", count, COUNT);
    visit.tokens("eos", eos);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const {
    return row.generated() < count.at(row.row());
  }

  LOGITCHAIN_HD detail::ListedTokens bind(const RowView&) const { return {eos}; }
};

static_assert(LogitsTransform<MinNewTokens>);

}  // namespace logitchain::inline v0
