// SPDX-License-Identifier: Apache-2.0
// Numbers of a row: maximum, total mass, entropy, deviation. Sums are of integers, so that their
// order is free; the definitions are those of core/mass.hpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/exponential.hpp>
#include <logitchain/core/logarithm.hpp>
#include <logitchain/core/mass.hpp>
#include <logitchain/engine/host/peaks.hpp>
#include <logitchain/engine/host/row.hpp>

namespace logitchain::inline v0::detail {

/// Finds the best score, and whether the row has a distribution at all.
inline void find_maximum(HostRow& row) {
  float best = FILTER;
  if (row.compact) {
    for (std::int64_t i = 0; i < row.size; ++i) best = join_peaks(best, row.scores[i]);
    row.count_sweep();
  } else {
    refresh_peaks(row);
    const std::int64_t lanes = blocks_of(row.size) * LANES;
    for (std::int64_t i = 0; i < lanes; ++i) best = join_peaks(best, row.peaks[i]);
  }
  row.numbers.maximum = best;
  row.numbers.best = -1;
  row.has_distribution = best > FILTER && best <= std::numeric_limits<float>::max();
  row.known = row.known | Numbers::maximum;
  ++row.counts->maximum;
}

/// Finds the lowest token with the best score.
inline void find_best(HostRow& row) {
  if (row.numbers.best >= 0) return;
  std::int64_t i = 0;
  if (!row.compact) {
    while (peak_of_block(row.peaks, i / BLOCK) != row.numbers.maximum) i += BLOCK;
  }
  while (row.scores[i] != row.numbers.maximum) ++i;
  row.numbers.best = row.token(i);
}

/// Distances from the maximum below this have no part in any sum of parts: no mass, and no mass
/// times distance either, which reaches further down, to -34.8.
inline constexpr float NO_MASS = -36.0f;

/// Sum of `part(distance)` over `size` scores of one block, distance = score - maximum.
template <class Part>
[[gnu::always_inline]] inline std::uint64_t sum_block(const float* scores, std::int64_t size,
                                                      float maximum, Part part) {
  MassParts sum{0, 0};
  const auto take = [&](std::int64_t j) __attribute__((always_inline)) {
    const MassParts parts = part(sub(scores[j], maximum));
    sum.hi += parts.hi;
    sum.lo += parts.lo;
  };
  if (size == BLOCK) {
    for (int j = 0; j < BLOCK; ++j) take(j);
  } else {
    for (std::int64_t j = 0; j < size; ++j) take(j);
  }
  return mass_of(sum);
}

/// The same over the row, block by block; `blocks` gets the sums of blocks where it is not null.
template <class Part>
std::uint64_t sum_parts(const HostRow& row, std::uint64_t* blocks, Part part) {
  const float maximum = row.numbers.maximum;
  const float* const scores = row.scores;
  const float* const peaks =
      !row.compact && row.has_peaks && !row.has_touched ? row.peaks : nullptr;
  const std::int64_t size = row.size;
  row.count_sweep();
  return call_with(row.instructions, [=] {
    std::uint64_t total = 0;
    std::int64_t block = 0;
    for (std::int64_t first = 0; first < size; first += BLOCK, ++block) {
      const std::int64_t left = size - first < BLOCK ? size - first : BLOCK;
      const bool empty = peaks && sub(peak_of_block(peaks, block), maximum) < NO_MASS;
      const std::uint64_t sum = empty ? 0 : sum_block(scores + first, left, maximum, part);
      if (blocks) blocks[block] = sum;
      total += sum;
    }
    return total;
  });
}

/// The row's mass and its logarithm; leaves the masses of blocks for the draw.
inline void find_total(HostRow& row, HostScratch& scratch) {
  row.numbers.total =
      sum_parts(row, scratch.masses, [](float distance) __attribute__((always_inline)) {
        return mass_parts(exponential_nonpositive(distance));
      });
  row.numbers.log_total = logarithm(unfixed44(row.numbers.total));
  row.known = row.known | Numbers::total;
  ++row.counts->total;
}

/// Entropy in nats: log Z plus the mean distance from the maximum, each term an integer of 2^-44.
inline void find_entropy(HostRow& row) {
  const std::uint64_t weighted =
      sum_parts(row, nullptr, [](float distance) __attribute__((always_inline)) {
        const float clamped = distance < -80.0f ? -80.0f : distance;
        return mass_parts(mul(exponential_nonpositive(clamped), -clamped));
      });
  const double mean = div(static_cast<double>(weighted), static_cast<double>(row.numbers.total));
  row.numbers.entropy = add(row.numbers.log_total, static_cast<float>(mean));
  row.known = row.known | Numbers::entropy;
}

/// Mean and population deviation of the finite scores. Distances from the maximum are rounded to
/// 2^-30 of the power of two that covers their range: integers again, so that their sums are exact.
inline void find_deviation(HostRow& row) {
  const double maximum = static_cast<double>(row.numbers.maximum);
  double lowest = maximum;
  for (std::int64_t i = 0; i < row.size; ++i) {
    const double score = static_cast<double>(row.scores[i]);
    if (row.scores[i] > FILTER && score < lowest) lowest = score;
  }
  row.count_sweep();
  int exponent = 0;
  (void)std::frexp(sub(maximum, lowest), &exponent);  // range < 2^exponent
  const double scale = std::ldexp(1.0, 30 - exponent);
  constexpr double ROUND = 0x1.8p52;  // adding it rounds to an integer, ties to even
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  uint128 squares = 0;
  for (std::int64_t i = 0; i < row.size; ++i) {
    if (!(row.scores[i] > FILTER)) continue;
    const double distance = mul(sub(maximum, static_cast<double>(row.scores[i])), scale);
    const std::uint64_t steps = static_cast<std::uint64_t>(sub(add(distance, ROUND), ROUND));
    ++count;
    sum += steps;
    squares += static_cast<uint128>(steps * steps);
  }
  row.count_sweep();
  const uint128 spread = squares * count - static_cast<uint128>(sum) * sum;
  const double high = static_cast<double>(static_cast<std::uint64_t>(spread >> 64));
  const double low = static_cast<double>(static_cast<std::uint64_t>(spread));
  const double size = static_cast<double>(count);
  const double deviation = div(square_root(fused(high, 0x1p64, low)), size);
  row.numbers.mean =
      static_cast<float>(sub(maximum, div(div(static_cast<double>(sum), size), scale)));
  row.numbers.deviation = static_cast<float>(div(deviation, scale));
  row.known = row.known | Numbers::deviation;
}

/// Makes sure that the asked numbers are known. Without a distribution only the maximum is.
inline void require(HostRow& row, HostScratch& scratch, Numbers numbers) {
  if (!has(row.known, Numbers::maximum)) find_maximum(row);
  if (!row.has_distribution) return;
  // A filter in place keeps the maximum, and leaves peaks that no score has any more.
  if (!row.compact) refresh_peaks(row);
  if (has(numbers, Numbers::total) && !has(row.known, Numbers::total)) find_total(row, scratch);
  if (has(numbers, Numbers::entropy) && !has(row.known, Numbers::entropy)) find_entropy(row);
  if (has(numbers, Numbers::deviation) && !has(row.known, Numbers::deviation)) {
    find_deviation(row);
  }
}

}  // namespace logitchain::inline v0::detail
