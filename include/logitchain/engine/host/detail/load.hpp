// SPDX-License-Identifier: Apache-2.0
// Logits in, scores out: widened to float32 once, rounded back only where scores are asked for so.
#pragma once

#include <cstdint>

#include <logitchain/core/small_float.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/host/arguments.hpp>
#include <logitchain/engine/host/detail/peaks.hpp>
#include <logitchain/engine/host/detail/row.hpp>

namespace logitchain::inline v0::detail {

/// The real part of a row of logits: float logits are read where they lie, others are widened into
/// the scratch.
inline HostRow load_row_of_logits(const host_logits& logits, std::int64_t index, std::int64_t vocab,
                                  HostScratch& scratch) {
  HostRow row;
  row.own = scratch.scores;
  row.ids = scratch.ids;
  row.peaks = scratch.peaks;
  row.touched = scratch.touched;
  row.size = vocab;
  row.vocab = static_cast<std::int32_t>(vocab);
  row.counts = &scratch.counts;
  row.instructions = scratch.instructions;
  const void* const from = logits.row(index);
  if (logits.type() == DType::f32) {
    row.scores = static_cast<const float*>(from);
    return row;
  }
  const auto widened = [&](const auto* narrow) {
    sweep_blocks(row, row.peaks, [&](std::int64_t i) { return row.own[i] = widen(narrow[i]); });
  };
  if (logits.type() == DType::f16) {
    widened(static_cast<const half*>(from));
  } else {
    widened(static_cast<const bfloat16*>(from));
  }
  row.scores = row.own;
  row.has_peaks = true;
  row.count_sweep();
  return row;
}

template <class Element, class Narrow>
void store_scores(const HostRow& row, Element* to, std::int64_t width, Narrow narrow) {
  const Element filter = narrow(FILTER);
  if (!row.compact) {
    for (std::int64_t i = 0; i < row.size; ++i) to[i] = narrow(row.scores[i]);
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
