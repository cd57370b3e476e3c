// SPDX-License-Identifier: Apache-2.0
// The best score of each column of each block: they give the maximum, a bound from below for any
// rank, and tell which blocks need not be looked at. A sweep that reads or writes a whole row
// leaves them behind.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>

#include <logitchain/core/types.hpp>
#include <logitchain/engine/host/detail/row.hpp>

namespace logitchain::inline v0::detail {

/// The better of two scores; NaN where one of them is NaN, so that a row's maximum tells of it.
inline float join_peaks(float best, float value) {
  return (value > best || value != value) ? value : best;
}

/// Sweeps one block: `write(i)` gives the value at place i and may store it.
template <class Write>
[[gnu::always_inline]] inline void sweep_block(std::int64_t size, std::int64_t block, Peaks peaks,
                                               Write write) {
  // Two chains a column, so that the comparisons overlap.
  float best[LANES];
  float other[LANES];
  std::uint32_t unordered[LANES] = {};
  for (int j = 0; j < LANES; ++j) best[j] = other[j] = FILTER;
  const std::int64_t first = block * BLOCK;
  if (first + BLOCK <= size) {
    for (int i = 0; i < BLOCK; i += 2 * LANES) {
      for (int j = 0; j < LANES; ++j) {
        const float value = write(first + i + j);
        const float next = write(first + i + LANES + j);
        best[j] = value > best[j] ? value : best[j];
        other[j] = next > other[j] ? next : other[j];
        unordered[j] |= __builtin_isunordered(value, next) ? 1u : 0u;
      }
    }
  } else {
    for (std::int64_t i = first; i < size; ++i) {
      const float value = write(i);
      const std::int64_t j = i % LANES;
      best[j] = value > best[j] ? value : best[j];
      unordered[j] |= value == value ? 0u : 1u;
    }
  }
  float* const lanes = peaks.lanes + block * LANES;
  std::uint32_t any = 0;
  for (int j = 0; j < LANES; ++j) {
    lanes[j] = best[j] > other[j] ? best[j] : other[j];
    any |= unordered[j];
  }
  float top = lanes[0];
  for (int j = 1; j < LANES; ++j) top = lanes[j] > top ? lanes[j] : top;
  peaks.tops[block] = any != 0 ? std::numeric_limits<float>::quiet_NaN() : top;
}

/// Sweeps a whole row.
template <class Write>
void sweep_blocks(const HostRow& row, Peaks peaks, Write write) {
  const std::int64_t size = row.size;
  call_with(row.instructions, [=] {
    const std::int64_t blocks = blocks_of(size);
    for (std::int64_t block = 0; block < blocks; ++block) sweep_block(size, block, peaks, write);
  });
}

/// Gives the row memory of its own before its scores are written one by one.
inline void make_own(HostRow& row) {
  if (row.scores == row.own) return;
  const float* const from = row.scores;
  float* const to = row.own;
  sweep_blocks(row, row.peaks, [=](std::int64_t i) { return to[i] = from[i]; });
  row.scores = row.own;
  row.has_peaks = true;
  row.has_touched = false;
  row.count_sweep();
}

/// Notes that a whole row's score at `place` was written.
inline void touch(HostRow& row, std::int64_t place) {
  if (row.compact || !row.has_peaks) return;
  if (!row.has_touched) {
    std::fill_n(row.touched, blocks_of(row.size), std::uint8_t{0});
    row.has_touched = true;
  }
  row.touched[place / BLOCK] = 1;
}

/// Makes the peaks of a whole row right.
inline void refresh_peaks(HostRow& row) {
  const float* const scores = row.scores;
  const auto read = [=](std::int64_t i) { return scores[i]; };
  if (!row.has_peaks) {
    sweep_blocks(row, row.peaks, read);
    row.count_sweep();
  } else if (row.has_touched) {
    const std::uint8_t* const touched = row.touched;
    const std::int64_t size = row.size;
    const Peaks peaks = row.peaks;
    row.counts->scores_read += call_with(row.instructions, [=] {
      std::int64_t looked_at = 0;
      const std::int64_t blocks = blocks_of(size);
      for (std::int64_t block = 0; block < blocks; ++block) {
        if (!touched[block]) continue;
        sweep_block(size, block, peaks, read);
        looked_at += BLOCK;
      }
      return looked_at;
    });
  }
  row.has_peaks = true;
  row.has_touched = false;
}

/// A score that at least `rank` scores of a whole row reach, -inf where the peaks cannot tell. The
/// rank-th best peak is one, for each peak is a score.
inline float bound_of_rank(const HostScratch& scratch, const Peaks& peaks, std::int64_t size,
                           std::int64_t rank) {
  const std::int64_t blocks = blocks_of(size);
  const std::int64_t lanes = blocks * LANES;
  std::int64_t count = 0;
  if (rank <= blocks / 2) {
    for (; count < blocks; ++count) scratch.order[count] = peaks.tops[count];
  } else if (rank <= lanes / 2) {
    for (; count < lanes; ++count) scratch.order[count] = peaks.lanes[count];
  } else {
    return FILTER;
  }
  std::nth_element(scratch.order, scratch.order + (rank - 1), scratch.order + count,
                   std::greater<>());
  return scratch.order[rank - 1];
}

/// Calls `look(i)` for every place of the blocks that hold a value of at least `bound`.
template <class Look>
void visit_blocks_above(const HostRow& row, const Peaks& peaks, float bound, Look look) {
  const std::int64_t blocks = blocks_of(row.size);
  for (std::int64_t block = 0; block < blocks; ++block) {
    if (peaks.tops[block] < bound) continue;
    const std::int64_t end = std::min<std::int64_t>(row.size, (block + 1) * BLOCK);
    for (std::int64_t i = block * BLOCK; i < end; ++i) look(i);
    row.counts->scores_read += BLOCK;
  }
}

}  // namespace logitchain::inline v0::detail
