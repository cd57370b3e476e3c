// SPDX-License-Identifier: Apache-2.0
// Numbers of a row: maximum, total mass, entropy, deviation. All are maxima or sums of integers, so
// that neither threads nor blocks show in them; the definitions are those of core/.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/deviation.hpp>
#include <logitchain/core/exponential.hpp>
#include <logitchain/core/logarithm.hpp>
#include <logitchain/core/mass.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/row.cuh>

namespace logitchain::inline v0::detail::cuda {

/// The better of two scores; a NaN wins, so that none is lost.
__device__ inline float join_peaks(float a, float b) {
  float r;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}

/// Gives every block the best score of each group of lanes of the cluster. Others may still read
/// the peaks before: these go to the other half, and the barrier is between them and the next ones.
__device__ inline void exchange_peaks(WholeRow& row) {
  float best = FILTER;
  row.for_each([&](std::int32_t, float score) { best = join_peaks(best, score); });
  constexpr int WIDTH = LANES / GROUPS;
  for (int mask = WIDTH / 2; mask > 0; mask /= 2) {
    best = join_peaks(best, __shfl_xor_sync(ALL_LANES, best, mask));
  }
  const int group = lane() / WIDTH;
  row.peaks_turn ^= 1;
  float* const own = &row.peaks()[(row.cluster.rank * WARPS + warp()) * GROUPS + group];
#pragma unroll 1
  for (int other = lane() % WIDTH; other < row.cluster.size; other += WIDTH) {
    *row.cluster.at(own, other) = best;
  }
  row.sync();
  row.has_peaks = true;
}

/// Finds the best score, and whether the row has a distribution at all.
template <bool IsList>
__device__ void find_maximum(Row<IsList>& row) {
  float best = FILTER;
  if constexpr (IsList) {
    row.for_each([&](std::int32_t, float score) { best = join_peaks(best, score); });
    best = all_reduce(row, best, best, join_peaks);
  } else {
    if (!row.has_peaks) exchange_peaks(row);
    for (int i = lane(); i < row.cluster.size * WARPS * GROUPS; i += LANES) {
      best = join_peaks(best, row.peaks()[i]);
    }
    best = warp_reduce(best, join_peaks);
  }
  row.set_maximum(best);
}

/// Finds the lowest token with the best score.
template <bool IsList>
__device__ void find_best(Row<IsList>& row) {
  if (row.numbers.best >= 0) return;
  constexpr std::int32_t NONE = 0x7fffffff;
  std::int32_t best = NONE;
  if (!row.is_below(row.numbers.maximum)) {
    row.for_each([&](std::int32_t place, float score) {
      if (best == NONE && is_equal(score, row.numbers.maximum)) best = row.token(place);
    });
  }
  row.numbers.best =
      all_reduce(row, best, NONE, [](std::int32_t a, std::int32_t b) { return a < b ? a : b; });
}

/// Sums of masses and of masses times distances.
struct MassTotals {
  std::uint64_t mass;
  std::uint64_t weighted;
};

/// Finds the row's mass and its logarithm, and with `WithEntropy` its entropy.
template <bool WithEntropy, bool IsList>
__device__ void find_total(Row<IsList>& row) {
  MassTotals own{0, 0};
  row.for_each([&](std::int32_t, float score) {
    const float distance = sub(score, row.numbers.maximum);
    if constexpr (WithEntropy) {
      const float clamped = larger(distance, -80.0f);
      const float weight = exponential_nonpositive(clamped);
      own.mass += fixed44(weight);
      own.weighted += fixed44(mul(weight, negate(clamped)));
    } else {
      own.mass += mass(distance);
    }
  });
  const MassTotals totals =
      all_reduce(row, own, MassTotals{0, 0}, [](const MassTotals& a, const MassTotals& b) {
        return MassTotals{a.mass + b.mass, a.weighted + b.weighted};
      });
  row.numbers.total = totals.mass;
  row.numbers.log_total = logarithm(unfixed44(totals.mass));
  row.known = row.known | Numbers::total;
  if constexpr (WithEntropy) {
    const double mean = div(static_cast<double>(totals.weighted), static_cast<double>(totals.mass));
    row.numbers.entropy = add(row.numbers.log_total, to_float(mean));
    row.known = row.known | Numbers::entropy;
  }
}

/// Finds mean and population deviation of the finite scores.
template <bool IsList>
__device__ void find_deviation(Row<IsList>& row) {
  float lowest = row.numbers.maximum;
  row.for_each([&](std::int32_t, float score) {
    if (is_less(FILTER, score)) lowest = smaller(lowest, score);
  });
  lowest = all_reduce(row, lowest, lowest, [](float a, float b) { return smaller(a, b); });
  const DeviationSteps steps(row.numbers.maximum, lowest);
  struct Count {
    std::uint64_t count;
    std::uint64_t sum;
  };
  Count own{0, 0};
  uint128 own_squares = 0;
  row.for_each([&](std::int32_t, float score) {
    if (!is_less(FILTER, score)) return;
    const std::uint64_t distance = steps.of(score);
    ++own.count;
    own.sum += distance;
    own_squares += static_cast<uint128>(distance * distance);
  });
  const Count all = all_reduce(row, own, Count{0, 0}, [](const Count& a, const Count& b) {
    return Count{a.count + b.count, a.sum + b.sum};
  });
  const uint128 squares = all_reduce(row, own_squares, uint128{0}, Plus{});
  row.numbers.mean = steps.mean(all.count, all.sum);
  row.numbers.deviation = steps.deviation(all.count, all.sum, squares);
  row.known = row.known | Numbers::deviation;
}

/// Makes sure that the asked numbers are known. Without a distribution only the maximum is.
template <bool IsList>
__device__ void require(Row<IsList>& row, Numbers numbers) {
  if (!has(row.known, Numbers::maximum)) find_maximum(row);
  if (!row.has_distribution) return;
  if (has(numbers, Numbers::entropy) && !has(row.known, Numbers::entropy)) {
    find_total<true>(row);
  } else if (has(numbers, Numbers::total) && !has(row.known, Numbers::total)) {
    find_total<false>(row);
  }
  if (has(numbers, Numbers::deviation) && !has(row.known, Numbers::deviation)) {
    find_deviation(row);
  }
}

}  // namespace logitchain::inline v0::detail::cuda
