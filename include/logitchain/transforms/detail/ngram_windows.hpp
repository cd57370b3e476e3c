// SPDX-License-Identifier: Apache-2.0
// The tokens that would repeat an n-gram, as the members of a listed map: one entry per window.
#pragma once

#include <cstdint>

#include <logitchain/core/config.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/core/types.hpp>

namespace logitchain::inline v0::detail {

/// Windows of `length` tokens in the first `end` tokens of a history. One whose beginning equals
/// the history's last length - 1 tokens lists its own last token; the others list nothing. Reads
/// the history anew at each step: one comparison per window and one more per token that agrees.
struct NgramWindows {
  RowView row;
  std::int64_t length;  ///< at least 1
  std::int64_t end;     ///< at least `length`

  LOGITCHAIN_HD std::int64_t size() const { return end - length + 1; }
  LOGITCHAIN_HD std::int64_t token(std::int64_t i) const {
    const std::int64_t suffix = row.total() - length + 1;
    for (std::int64_t j = length - 2; j >= 0; --j) {
      const std::int32_t token = row.history(i + j);
      // An id outside of the vocabulary (a placeholder of an image, say) belongs to no n-gram.
      if (token != row.history(suffix + j) || token < 0 || token >= row.vocab()) return -1;
    }
    const std::int32_t last = row.history(i + length - 1);
    return last >= 0 && last < row.vocab() ? last : -1;
  }
  /// A ban gives -inf whatever the score was.
  LOGITCHAIN_HD float operator()(std::int64_t, float) const { return FILTER; }
};

}  // namespace logitchain::inline v0::detail
