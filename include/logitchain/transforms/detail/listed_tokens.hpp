// SPDX-License-Identifier: Apache-2.0
// A stage's own list of token ids, as the members of a listed map: every one of them is banned.
#pragma once

#include <cstdint>

#include <logitchain/core/config.hpp>
#include <logitchain/core/token_list.hpp>
#include <logitchain/core/types.hpp>

namespace logitchain::inline v0::detail {

/// The ids of a list in its order. A forcing stage uses `size` and `token` alone. Lives no longer
/// than the stage that holds the list.
struct ListedTokens {
  const TokenList& tokens;

  LOGITCHAIN_HD std::int64_t size() const { return tokens.size(); }
  LOGITCHAIN_HD std::int64_t token(std::int64_t i) const { return tokens[i]; }
  /// A ban gives -inf whatever the score was.
  LOGITCHAIN_HD float operator()(std::int64_t, float) const { return FILTER; }
};

}  // namespace logitchain::inline v0::detail
