// SPDX-License-Identifier: Apache-2.0
// Numbers of a row: maximum, total mass, entropy, deviation. Sums are of integers, so that their
// order is free; the definitions are those of core/mass.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/deviation.hpp>
#include <logitchain/core/exponential.hpp>
#include <logitchain/core/logarithm.hpp>
#include <logitchain/core/mass.hpp>
#include <logitchain/engine/host/detail/parts.hpp>
#include <logitchain/engine/host/detail/peaks.hpp>
#include <logitchain/engine/host/detail/row.hpp>

namespace logitchain::inline v0::detail {

/// Finds the best score, and whether the row has a distribution at all.
inline void find_maximum(HostRow& row) {
  float best = FILTER;
  if (row.compact) {
    for (std::int64_t i = 0; i < row.size; ++i) best = join_peaks(best, row.scores[i]);
    row.count_sweep();
  } else {
    refresh_peaks(row);
    float lanes[LANES];
    call_with(row.instructions, [&lanes, tops = row.peaks.tops, blocks = blocks_of(row.size)] {
      sweep_block(0, blocks, lanes, [=](std::int64_t i) { return tops[i]; });
    });
    for (const float lane : lanes) best = join_peaks(best, lane);
  }
  row.numbers.maximum = add(best, 0.0f);  // of -0 and +0 which one was met first must not matter
  row.numbers.best = -1;
  row.has_distribution = best > FILTER && best <= std::numeric_limits<float>::max();
  row.known = row.known | Numbers::maximum;
  ++row.counts->maximum;
}

/// The first place with the best score. A stage whose traits promise too much may have changed it:
/// then the last place.
inline std::int64_t place_of_best(HostRow& row) {
  const std::int64_t last = row.size - 1;
  const float best = row.numbers.maximum;
  if (row.compact) {
    std::int64_t i = 0;
    while (i < last && row.scores[i] != best) ++i;
    return i;
  }
  refresh_peaks(row);  // a filter in place keeps the maximum and no peaks
  for (std::int64_t block = 0; block < blocks_of(row.size); ++block) {
    if (row.peaks.tops[block] != best) continue;
    const float* const scores = block_scores(row, block);
    const std::int64_t end = std::min<std::int64_t>(row.size, (block + 1) * BLOCK);
    for (std::int64_t i = block * BLOCK; i < end; ++i) {
      if (scores[i] == best) return i;
    }
  }
  return last;
}

/// Finds the lowest token with the best score.
inline void find_best(HostRow& row) {
  if (row.numbers.best < 0) row.numbers.best = row.token(place_of_best(row));
}

/// Distances from the maximum below this add nothing to any sum: no mass, and no mass times
/// distance either, which reaches further down, to -34.8.
inline constexpr float NO_MASS = -36.0f;

/// The parts of a sum of masses, and of one of masses times distances.
struct MassSum {
  MassParts sum{0, 0};
  [[gnu::always_inline]] void take(MassParts parts) {
    sum.hi += parts.hi;
    sum.lo += parts.lo;
  }
};

/// Calls `take(j)` for the places of a block; a full block is a loop of fixed length.
template <class Take>
[[gnu::always_inline]] inline void for_block(std::int64_t size, Take take) {
  if (size == BLOCK) {
    for (int j = 0; j < BLOCK; ++j) take(j);
  } else {
    for (std::int64_t j = 0; j < size; ++j) take(j);
  }
}

/// What a pass of masses found.
struct MassTotals {
  std::uint64_t mass = 0;
  std::uint64_t weighted = 0;  ///< of mass times distance, where asked
};

/// Sums masses block by block, each block's into `masses`, and with `WithEntropy` masses times
/// distances as well. `read(scores, i)` makes the score at place i of those of its block; `tops`
/// may be null.
template <bool WithEntropy, class Read>
MassTotals sum_masses(const HostRow& row, float maximum, const float* tops, std::uint64_t* masses,
                      Read read) {
  return call_with(row.instructions, [&row, maximum, tops, masses, read] {
    MassTotals totals;
    const std::int64_t size = row.size;
    const std::int64_t blocks = blocks_of(size);
    for (std::int64_t block = 0; block < blocks; ++block) {
      const std::int64_t first = block * BLOCK;
      masses[block] = 0;
      if (tops && sub(tops[block], maximum) < NO_MASS) continue;
      const float* const scores = block_scores(row, block);
      MassSum mass;
      MassSum weighted;
      for_block(size - first < BLOCK ? size - first : BLOCK,
                [&](std::int64_t j) __attribute__((always_inline)) {
                  const float distance = sub(read(scores, first + j), maximum);
                  if constexpr (WithEntropy) {
                    const float clamped = distance < -80.0f ? -80.0f : distance;
                    const float weight = exponential_nonpositive(clamped);
                    mass.take(mass_parts(weight));
                    weighted.take(mass_parts(mul(weight, -clamped)));
                  } else {
                    mass.take(mass_parts(exponential_nonpositive(distance)));
                  }
                });
      masses[block] = mass_of(mass.sum);
      totals.mass += masses[block];
      totals.weighted += mass_of(weighted.sum);
    }
    return totals;
  });
}

/// Notes the row's mass, and its entropy where the weighted sum was asked for: log Z plus the mean
/// distance from the maximum, each term an integer of 2^-44.
template <bool WithEntropy>
void note_totals(HostRow& row, const MassTotals& totals) {
  row.numbers.total = totals.mass;
  row.numbers.log_total = logarithm(unfixed44(totals.mass));
  row.known = row.known | Numbers::total;
  ++row.counts->total;
  if constexpr (WithEntropy) {
    const double mean = div(static_cast<double>(totals.weighted), static_cast<double>(totals.mass));
    row.numbers.entropy = add(row.numbers.log_total, static_cast<float>(mean));
    row.known = row.known | Numbers::entropy;
  }
}

/// Finds the row's mass and its logarithm, and leaves the masses of blocks for the draw.
template <bool WithEntropy>
void find_total(HostRow& row, HostScratch& scratch) {
  const bool fresh = !row.compact && row.has_peaks && !row.has_stale;
  row.count_sweep();
  note_totals<WithEntropy>(
      row, sum_masses<WithEntropy>(row, row.numbers.maximum, fresh ? row.peaks.tops : nullptr,
                                   scratch.masses,
                                   [](const float* scores, std::int64_t i) { return scores[i]; }));
}

/// Mean and population deviation of the finite scores, by the integers of core/deviation.hpp.
inline void find_deviation(HostRow& row) {
  settle(row);
  float lowest = row.numbers.maximum;
  for (std::int64_t i = 0; i < row.size; ++i) {
    if (row.scores[i] > FILTER && row.scores[i] < lowest) lowest = row.scores[i];
  }
  row.count_sweep();
  const DeviationSteps steps(row.numbers.maximum, lowest);
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  uint128 squares = 0;
  for (std::int64_t i = 0; i < row.size; ++i) {
    if (!(row.scores[i] > FILTER)) continue;
    const std::uint64_t distance = steps.of(row.scores[i]);
    ++count;
    sum += distance;
    squares += static_cast<uint128>(distance * distance);
  }
  row.count_sweep();
  row.numbers.mean = steps.mean(count, sum);
  row.numbers.deviation = steps.deviation(count, sum, squares);
  row.known = row.known | Numbers::deviation;
}

/// Makes sure that the asked numbers are known. Without a distribution only the maximum is.
inline void require(HostRow& row, HostScratch& scratch, Numbers numbers) {
  if (!has(row.known, Numbers::maximum)) find_maximum(row);
  if (!row.has_distribution) return;
  // A filter in place keeps the maximum, and leaves peaks that no score has any more.
  if (!row.compact) refresh_peaks(row);
  if (has(numbers, Numbers::entropy) && !has(row.known, Numbers::entropy)) {
    find_total<true>(row, scratch);
  } else if (has(numbers, Numbers::total) && !has(row.known, Numbers::total)) {
    find_total<false>(row, scratch);
  }
  if (has(numbers, Numbers::deviation) && !has(row.known, Numbers::deviation)) {
    find_deviation(row);
  }
}

}  // namespace logitchain::inline v0::detail
