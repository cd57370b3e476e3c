// SPDX-License-Identifier: Apache-2.0
// Logits in, scores out: widened to float32, rounded back only where scores are asked for so.
#pragma once

#include <algorithm>
#include <cstdint>

#include <logitchain/core/small_float.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/host/arguments.hpp>
#include <logitchain/engine/host/detail/parts.hpp>
#include <logitchain/engine/host/detail/peaks.hpp>
#include <logitchain/engine/host/detail/row.hpp>

namespace logitchain::inline v0::detail {

/// The real part of a row of logits. Float logits are read where they lie; blocks of others are
/// widened where they are looked at.
inline HostRow load_row_of_logits(const host_logits& logits, std::int64_t index, std::int64_t vocab,
                                  HostScratch& scratch) {
  HostRow row;
  row.own = scratch.scores;
  row.ids = scratch.ids;
  row.peaks = scratch.peaks;
  row.marks = scratch.marks;
  row.size = vocab;
  row.vocab = static_cast<std::int32_t>(vocab);
  row.counts = &scratch.counts;
  row.instructions = scratch.instructions;
  row.logits = logits.row(index);
  row.type = logits.type();
  if (row.type == DType::f32) {
    row.scores = static_cast<const float*>(row.logits);
    return row;
  }
  begin_parts(row);
  return row;
}

template <class Element, class Narrow>
void store_scores(const HostRow& row, Element* to, std::int64_t width, Narrow narrow) {
  const Element filter = narrow(FILTER);
  if (!row.compact) {
    for (std::int64_t block = 0; block < blocks_of(row.size); ++block) {
      const float* const scores = block_scores(row, block);
      const std::int64_t end = std::min<std::int64_t>(row.size, (block + 1) * BLOCK);
      for (std::int64_t i = block * BLOCK; i < end; ++i) to[i] = narrow(scores[i]);
    }
    for (std::int64_t i = row.size; i < width; ++i) to[i] = filter;
    return;
  }
  for (std::int64_t i = 0; i < width; ++i) to[i] = filter;
  for (std::int64_t i = 0; i < row.size; ++i) to[row.ids[i]] = narrow(row.scores[i]);
}

/// Writes a row of scores; what was removed, and what lies beyond the vocabulary, is -inf.
inline void store_row_of_scores(const HostRow& row, const host_scores& scores, std::int64_t index) {
  void* const to = scores.row(index);
  if (scores.type() == DType::f32) {
    store_scores(row, static_cast<float*>(to), scores.width(), [](float score) { return score; });
  } else if (scores.type() == DType::f16) {
    store_scores(row, static_cast<half*>(to), scores.width(), [](float s) { return to_half(s); });
  } else {
    store_scores(row, static_cast<bfloat16*>(to), scores.width(),
                 [](float s) { return to_bfloat16(s); });
  }
}

}  // namespace logitchain::inline v0::detail
