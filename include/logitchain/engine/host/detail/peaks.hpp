// SPDX-License-Identifier: Apache-2.0
// The best score of each column of each block: they give the maximum, a bound from below for any
// rank, and tell which blocks need not be looked at. A sweep that reads or writes a whole row
// leaves them behind.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>

#include <logitchain/core/small_float.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/host/detail/parts.hpp>
#include <logitchain/engine/host/detail/row.hpp>

namespace logitchain::inline v0::detail {

/// The better of two scores; NaN where one of them is NaN, so that a row's maximum tells of it.
inline float join_peaks(float best, float value) {
  return (value > best || value != value) ? value : best;
}

/// All ones where the two are not ordered: one of them is a NaN.
[[gnu::always_inline]] inline std::uint32_t apart(float a, float b) {
  return __builtin_isunordered(a, b) ? ~0u : 0u;
}

/// Places whose best are found side by side: four chains a column, so that comparisons overlap. A
/// sweep that only reads is then about as fast as the second-level cache.
inline constexpr int STRIDE = 4 * LANES;

/// The best of a block's columns, NaN where a column holds one: `write(i)` gives the value at place
/// i and may store it. For a full block `size` is a constant, and the loops unroll.
template <class Write>
[[gnu::always_inline]] inline void sweep_block(std::int64_t first, std::int64_t size, float* lanes,
                                               Write write) {
  // An array each, for g++ would keep a larger one in memory.
  float best[LANES];
  float second[LANES];
  float third[LANES];
  float fourth[LANES];
  std::uint32_t unordered[LANES];
  for (int j = 0; j < LANES; ++j) best[j] = second[j] = third[j] = fourth[j] = FILTER;
  for (int j = 0; j < LANES; ++j) unordered[j] = 0;
  const std::int64_t end = first + size - size % STRIDE;
  for (std::int64_t i = first; i < end; i += STRIDE) {
    for (int j = 0; j < LANES; ++j) {
      const float a = write(i + j);
      const float b = write(i + LANES + j);
      const float c = write(i + 2 * LANES + j);
      const float d = write(i + 3 * LANES + j);
      best[j] = a > best[j] ? a : best[j];
      second[j] = b > second[j] ? b : second[j];
      third[j] = c > third[j] ? c : third[j];
      fourth[j] = d > fourth[j] ? d : fourth[j];
      unordered[j] |= apart(a, b) | apart(c, d);
    }
  }
  for (int j = 0; j < LANES; ++j) {
    const float front = second[j] > best[j] ? second[j] : best[j];
    const float back = fourth[j] > third[j] ? fourth[j] : third[j];
    const float all = back > front ? back : front;
    lanes[j] = unordered[j] != 0 ? std::numeric_limits<float>::quiet_NaN() : all;
  }
  for (std::int64_t j = 0; j < size % STRIDE; ++j) {
    lanes[j % LANES] = join_peaks(lanes[j % LANES], write(end + j));
  }
}

/// Finds the best of blocks [first, end) from the best of their columns: in halves, some blocks at
/// a time, which compilers vectorise.
[[gnu::always_inline]] inline void find_tops(Peaks peaks, std::int64_t first, std::int64_t end) {
  constexpr int GROUP = 16;
  constexpr int HALF = LANES / 2;
  constexpr int QUARTER = LANES / 4;
  float quarters[GROUP * QUARTER];
  for (std::int64_t group = first; group < end; group += GROUP) {
    const int size = static_cast<int>(std::min<std::int64_t>(GROUP, end - group));
    for (int b = 0; b < size; ++b) {
      const float* const lanes = peaks.lanes + (group + b) * LANES;
      float half[HALF];
      for (int j = 0; j < HALF; ++j) half[j] = join_peaks(lanes[j], lanes[j + HALF]);
      for (int j = 0; j < QUARTER; ++j) {
        quarters[b * QUARTER + j] = join_peaks(half[j], half[j + QUARTER]);
      }
    }
    for (std::int64_t b = 0; b < size; ++b) {
      const float* const of = quarters + b * QUARTER;
      peaks.tops[group + b] = join_peaks(join_peaks(of[0], of[1]), join_peaks(of[2], of[3]));
    }
  }
}

/// Sweeps the blocks of a whole row by `sweep(block, size, lanes)`, and finds their tops.
template <class Sweep>
[[gnu::always_inline]] inline void sweep_each_block(std::int64_t size, Peaks peaks, Sweep sweep) {
  const std::int64_t full = size / BLOCK;
  for (std::int64_t block = 0; block < full; ++block) {
    sweep(block, std::int64_t{BLOCK}, peaks.lanes + block * LANES);
  }
  if (full * BLOCK < size) sweep(full, size - full * BLOCK, peaks.lanes + full * LANES);
  find_tops(peaks, 0, blocks_of(size));
}

/// Sweeps a whole row: `write(scores, i)` gives the value that place i is to have, and may store
/// it; `scores` are those of its block.
template <class Write>
void sweep_blocks(const HostRow& row, Peaks peaks, Write write) {
  const auto sweep = [&row, peaks, write](auto scores_of) __attribute__((always_inline)) {
    sweep_each_block(row.size, peaks, [=](std::int64_t block, std::int64_t size, float* lanes) {
      const float* const scores = scores_of(block);
      sweep_block(block * BLOCK, size, lanes, [=](std::int64_t i) { return write(scores, i); });
    });
  };
  // A row in one piece is swept by a loop of its own, which no call interrupts.
  call_with(row.instructions, [&row, sweep] {
    if (row.in_parts) {
      sweep([&row](std::int64_t block) { return block_scores(row, block); });
    } else {
      sweep([scores = row.scores](std::int64_t) { return scores; });
    }
  });
}

/// Finds the peaks of a row of which most blocks lie among narrow logits. Nothing is written.
template <class Narrow>
void find_narrow_peaks(const HostRow& row, const Narrow* logits) {
  call_with(row.instructions, [&row, logits] {
    sweep_each_block(
        row.size, row.peaks, [&row, logits](std::int64_t block, std::int64_t size, float* lanes) {
          const std::int64_t first = block * BLOCK;
          if (is_taken(row, block)) {
            const float* const own = row.own;
            sweep_block(first, size, lanes, [=](std::int64_t i) { return own[i]; });
          } else {
            sweep_block(first, size, lanes, [=](std::int64_t i) { return widen(logits[i]); });
          }
        });
  });
}

/// Notes that a whole row's score at `place` was written.
inline void touch(HostRow& row, std::int64_t place) {
  if (row.compact || !row.has_peaks) return;
  std::uint8_t& mark = row.marks[place / BLOCK];
  mark = static_cast<std::uint8_t>(mark | STALE);
  row.has_stale = true;
}

/// Finds the peaks of all blocks.
inline void find_peaks(const HostRow& row) {
  const bool narrow = row.in_parts && row.late_maps == nullptr;
  if (narrow && row.type == DType::f16) {
    find_narrow_peaks(row, static_cast<const half*>(row.logits));
  } else if (narrow && row.type == DType::bf16) {
    find_narrow_peaks(row, static_cast<const bfloat16*>(row.logits));
  } else {
    sweep_blocks(row, row.peaks, [](const float* scores, std::int64_t i) { return scores[i]; });
  }
}

/// Finds the peaks of one block anew.
inline void refresh_block(const HostRow& row, std::int64_t block) {
  const float* const scores = block_scores(row, block);
  const std::int64_t first = block * BLOCK;
  const std::int64_t size = std::min<std::int64_t>(BLOCK, row.size - first);
  const Peaks peaks = row.peaks;
  call_with(row.instructions, [=] {
    sweep_block(first, size, peaks.lanes + block * LANES,
                [=](std::int64_t i) { return scores[i]; });
    find_tops(peaks, block, block + 1);
  });
}

/// Makes the peaks of a whole row right.
inline void refresh_peaks(HostRow& row) {
  if (!row.has_peaks) {
    find_peaks(row);
    row.count_sweep();
  } else if (row.has_stale) {
    for (std::int64_t block = 0; block < blocks_of(row.size); ++block) {
      if (!(row.marks[block] & STALE)) continue;
      row.marks[block] = static_cast<std::uint8_t>(row.marks[block] & ~STALE);
      refresh_block(row, block);
      row.counts->scores_read += BLOCK;
    }
  }
  row.has_peaks = true;
  row.has_stale = false;
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
    own_block(row, block);
    const std::int64_t end = std::min<std::int64_t>(row.size, (block + 1) * BLOCK);
    for (std::int64_t i = block * BLOCK; i < end; ++i) look(i);
    row.counts->scores_read += BLOCK;
  }
}

}  // namespace logitchain::inline v0::detail
