// SPDX-License-Identifier: Apache-2.0
// PromptNoRepeatNGram: bans what would complete an n-gram that the prompt holds.
//
//   ban(t)  <=>  (last size - 1 tokens of the history, t) occurs within the prompt
//
// Reference: EncoderNoRepeatNGramLogitsProcessor of Transformers 5.16.1, the row's prompt being the
// encoder's input. A prompt shorter than `size` bans nothing. An id beyond the vocabulary belongs
// to no n-gram.
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

/// Bans tokens that would repeat an n-gram of the prompt.
struct PromptNoRepeatNGram {
  static constexpr const char* name = "PromptNoRepeatNGram";
  static constexpr Kind kind = Kind::listed;
  static constexpr bool bans = true;

  Param<std::int32_t> size = 0;  ///< tokens of an n-gram, 0 or above; 0 is off

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("size", size, COUNT);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const {
    const std::int64_t length = size.at(row.row());
    return length > 0 && length <= row.prompt_length();
  }

  LOGITCHAIN_HD detail::NgramWindows bind(const RowView& row) const {
    return {row, size.at(row.row()), row.prompt_length()};
  }
};

static_assert(LogitsTransform<PromptNoRepeatNGram>);

}  // namespace logitchain::inline v0
