// SPDX-License-Identifier: Apache-2.0
// ForcedEOS: makes the end of the sequence certain, one token before it is full.
//
//   where the row's total is end - 1: z'(t) = 0 for every t of `eos`, -inf elsewhere;
//   end = max_length, or the row's own prompt and budget
//
// Reference: ForcedEOSTokenLogitsProcessor of Transformers 5.16.1, which knows the batch's
// max_length only.
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

/// Forces EOS one step before the end.
struct ForcedEOS {
  static constexpr const char* name = "ForcedEOS";
  static constexpr Kind kind = Kind::force;

  TokenList eos{};                     ///< ids in [0, vocab); none is off
  Param<std::int32_t> max_length = 0;  ///< tokens in all; 0: the row's own prompt and budget

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.tokens("eos", eos);
    visit.number("max_length", max_length, COUNT);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const {
    const std::int64_t given = max_length.at(row.row());
    return !eos.empty() && row.total() == (given != 0 ? given : row.width()) - 1;
  }

  LOGITCHAIN_HD detail::ListedTokens bind(const RowView&) const { return {eos}; }
};

static_assert(LogitsTransform<ForcedEOS>);

}  // namespace logitchain::inline v0
