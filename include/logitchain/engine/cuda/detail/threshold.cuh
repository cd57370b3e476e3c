// SPDX-License-Identifier: Apache-2.0
// The threshold search: where a prefix of the row, in the order of a key, ends. A whole row is
// searched by rounds of bins over the bits of the key, a list is put in order.
#pragma once

#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/mass.hpp>
#include <logitchain/core/order.hpp>
#include <logitchain/engine/cuda/detail/numbers.cuh>
#include <logitchain/engine/cuda/detail/row.cuh>

namespace logitchain::inline v0::detail::cuda {

inline constexpr std::int32_t LAST_TOKEN = 0x7fffffff;
inline constexpr std::uint64_t NO_LIMIT = 0xffffffffffffffffu;

/// The end of a prefix: what has a larger key stays, and of those with this key the tokens up to
/// `last`. By default nothing stays.
struct Threshold {
  std::uint32_t key = 0xffffffffu;
  std::int32_t last = -1;

  __device__ static Threshold everything() { return {0, LAST_TOKEN}; }
  __device__ bool keeps(std::uint32_t other, std::int32_t token) const {
    return other > key || (other == key && token <= last);
  }
  __device__ bool shorter_than(const Threshold& other) const {
    return key != other.key ? key > other.key : last < other.last;
  }
};

/// Adds a 64-bit weight to a pair of shared halves: a 64-bit atomic is a loop in hardware.
__device__ inline void add_to_bin(std::uint32_t* low, std::uint32_t* high, std::uint64_t weight) {
  const std::uint32_t part = static_cast<std::uint32_t>(weight);
  const std::uint32_t before = atomicAdd(low, part);
  const std::uint32_t carry = before + part < before ? 1u : 0u;
  const std::uint32_t rest = static_cast<std::uint32_t>(weight >> 32) + carry;
  if (rest != 0) atomicAdd(high, rest);
}

/// Joins the bins of all blocks; every block gets the sums.
__device__ inline void merge_bins(WholeRow& row) {
  Shared& shared = *row.shared;
  row.sync();
  const int each = BINS / row.cluster.size;  // sizes of clusters are powers of two
#pragma unroll 1
  for (int i = thread(); i < each; i += THREADS) {
    const int bin = row.cluster.rank * each + i;
    std::uint64_t sum = 0;
#pragma unroll 1
    for (int other = 0; other < row.cluster.size; ++other) {
      const std::uint64_t low = *row.cluster.at(&shared.bins.low[bin], other);
      const std::uint64_t high = *row.cluster.at(&shared.bins.high[bin], other);
      sum += low + (high << 32);
    }
#pragma unroll 1
    for (int other = 0; other < row.cluster.size; ++other) {
      *row.cluster.at(&shared.merged[bin], other) = sum;
    }
  }
  row.sync();
}

/// Finds the bin, from the top, that takes the weight in front from `spent` to `limit`; -1 where
/// all bins are lighter. `spent` becomes the weight in front of it.
__device__ inline std::int32_t find_bin(Shared& shared, std::uint64_t& spent, std::uint64_t limit) {
  constexpr int EACH = BINS / THREADS;
  const int top = BINS - 1 - thread() * EACH;
  std::uint64_t own = 0;
  for (int i = 0; i < EACH; ++i) own += shared.merged[top - i];
  std::uint64_t before = warp_inclusive_sum(own);
  if (lane() == LANES - 1) shared.warp_sums[warp()] = before;
  if (thread() == 0) shared.bin = -1;
  __syncthreads();
  before += spent - own;
#pragma unroll 1
  for (int i = 0; i < warp(); ++i) before += shared.warp_sums[i];
  if (before < limit && before + own >= limit) {
    int i = 0;
    while (before + shared.merged[top - i] < limit) before += shared.merged[top - i++];
    shared.bin = top - i;
    shared.before = before;
  }
  __syncthreads();
  const std::int32_t bin = shared.bin;
  if (bin >= 0) spent = shared.before;
  return bin;
}

/// What a prefix is measured in.
enum class Measure { tokens, mass };

/// The prefix of a whole row whose tokens have less than `limit` in front of them.
/// @param key of a score, in the order of unsigned numbers
template <class Key>
__device__ Threshold threshold_by_bins(WholeRow& row, std::uint64_t limit, bool whole_ties, Key key,
                                       Measure measure) {
  if (limit == 0) return {};
  Shared& shared = *row.shared;
  const auto weight = [&](float score) {
    return measure == Measure::tokens ? std::uint64_t{1} : mass(sub(score, row.numbers.maximum));
  };
  constexpr int SHIFTS[] = {21, 10, 0};
  constexpr int WIDTHS[] = {11, 11, 10};
  std::uint64_t spent = 0;
  std::uint32_t prefix = 0;
#pragma unroll 1
  for (int round = 0; round < 3; ++round) {
    const int shift = round == 0 ? SHIFTS[0] : round == 1 ? SHIFTS[1] : SHIFTS[2];
    const int width = round == 2 ? WIDTHS[2] : WIDTHS[0];
#pragma unroll 1
    for (int i = thread(); i < BINS; i += THREADS) {
      shared.bins.low[i] = 0;
      shared.bins.high[i] = 0;
    }
    __syncthreads();
    row.for_each([&](std::int32_t, float score) {
      const std::uint32_t own = key(score);
      if (round != 0 && own >> (shift + width) != prefix) return;
      const std::uint64_t add = weight(score);
      const std::uint32_t bin = (own >> shift) & ((1u << width) - 1u);
      if (add != 0) add_to_bin(&shared.bins.low[bin], &shared.bins.high[bin], add);
    });
    merge_bins(row);
    const std::int32_t bin = find_bin(shared, spent, limit);
    if (bin < 0) return Threshold::everything();  // the whole row is lighter than the limit
    prefix = (prefix << width) | static_cast<std::uint32_t>(bin);
  }
  if (whole_ties) return {prefix, LAST_TOKEN};
  const std::int32_t last = token_at(row, limit - spent - 1, [&](std::int32_t, float score) {
    return key(score) == prefix ? weight(score) : std::uint64_t{0};
  });
  return {prefix, last};
}

/// Puts at most LANES numbers of shared memory in rising order. Called by one warp.
__device__ inline void sort_by_lanes(std::uint64_t* numbers, std::int32_t count) {
  __syncwarp();
  std::uint64_t own = lane() < count ? numbers[lane()] : ~0ull;
#pragma unroll 1
  for (int run = 2; run <= LANES; run *= 2) {
#pragma unroll 1
    for (int step = run / 2; step > 0; step /= 2) {
      const std::uint64_t other = __shfl_xor_sync(ALL_LANES, own, step);
      const bool takes_lower = ((lane() & run) == 0) == ((lane() & step) == 0);
      own = (own < other) == takes_lower ? own : other;
    }
  }
  if (lane() < count) numbers[lane()] = own;
  __syncwarp();
}

/// Puts `count` numbers of shared memory, no two of them equal, in rising order. Called by the
/// first `threads` threads.
/// @param count at most LIST
__device__ inline void sort_numbers(std::uint64_t* numbers, std::int32_t count, int threads) {
  if (threads == LANES && count <= LANES) {
    sort_by_lanes(numbers, count);
    return;
  }
  std::int32_t size = 1;
  while (size < count) size *= 2;
#pragma unroll 1
  for (std::int32_t i = count + thread(); i < size; i += threads) numbers[i] = ~0ull;
  sync_first(threads);
#pragma unroll 1
  for (std::int32_t run = 2; run <= size; run *= 2) {
#pragma unroll 1
    for (std::int32_t step = run / 2; step > 0; step /= 2) {
#pragma unroll 1
      for (std::int32_t i = thread(); i < size / 2; i += threads) {
        const std::int32_t low = 2 * i - (i & (step - 1));
        const std::int32_t high = low + step;
        const bool rising = (low & run) == 0;
        const std::uint64_t a = numbers[low];
        const std::uint64_t b = numbers[high];
        if ((a > b) == rising) {
          numbers[low] = b;
          numbers[high] = a;
        }
      }
      sync_first(threads);
    }
  }
}

/// A list in the order of a selection's key, best first: `place(m)` is the m-th.
struct Ranking {
  Shared& shared;
  std::int32_t size;
  const std::int32_t* ids;

  template <class Key>
  __device__ Ranking(const ListRow& row, Key key)
      : shared(*row.shared), size(row.size), ids(row.ids) {
    row.sync();
#pragma unroll 1
    for (std::int32_t i = thread(); i < size; i += row.threads) {
      const std::uint64_t falling = static_cast<std::uint64_t>(~key(row.scores[i]));
      shared.merged[i] = (falling << 32) | static_cast<std::uint32_t>(i);
    }
    row.sync();
    sort_numbers(shared.merged, size, row.threads);
  }
  __device__ std::int32_t place(std::int32_t m) const {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(shared.merged[m]));
  }
  __device__ std::uint32_t key(std::int32_t m) const {
    return ~static_cast<std::uint32_t>(shared.merged[m] >> 32);
  }
  /// The prefix of the `count` best.
  __device__ Threshold end_after(std::uint64_t count) const {
    if (count == 0) return {};
    if (count >= static_cast<std::uint64_t>(size)) return Threshold::everything();
    const std::int32_t m = static_cast<std::int32_t>(count) - 1;
    return {key(m), ids[place(m)]};
  }
};

/// How many of a ranking, from the best, it takes for their masses to reach `limit`; one more than
/// there are where they don't.
__device__ inline std::uint64_t length_of_mass(ListRow& row, const Ranking& ranking,
                                               std::uint64_t limit) {
  if (limit == 0) return 0;
  Shared& shared = *row.shared;
  const auto mass_of = [&](std::int32_t m) {
    return m < ranking.size ? mass(sub(row.scores[ranking.place(m)], row.numbers.maximum)) : 0;
  };
  // Each warp sums a strip of the ranking; the one in which the limit lies walks it.
  const std::int32_t strip = (ranking.size + row.threads - 1) / row.threads * LANES;
  std::uint64_t own = 0;
#pragma unroll 1
  for (std::int32_t i = lane(); i < strip; i += LANES) own += mass_of(warp() * strip + i);
  own = warp_reduce(own, Plus{});
  if (lane() == 0) shared.warp_sums[warp()] = own;
  if (thread() == 0) shared.length = ranking.size + 1;
  row.sync();
  std::uint64_t before = 0;
#pragma unroll 1
  for (int i = 0; i < warp(); ++i) before += shared.warp_sums[i];
  if (before < limit && before + own >= limit) {
#pragma unroll 1
    for (std::int32_t start = warp() * strip;; start += LANES) {
      const std::uint64_t sum = before + warp_inclusive_sum(mass_of(start + lane()));
      const unsigned reached = __ballot_sync(ALL_LANES, sum >= limit);
      before = __shfl_sync(ALL_LANES, sum, LANES - 1);
      if (reached == 0) continue;
      if (lane() == 0) shared.length = start + __ffs(static_cast<int>(reached));
      break;
    }
  }
  row.sync();
  return static_cast<std::uint64_t>(shared.length);
}

/// The prefix of a row that a selection's spend allows: the shorter of what its limits allow, but
/// no shorter than what it always keeps.
/// @param end_of gives the end of a prefix, of a limit and what that is measured in
template <class EndOf>
__device__ Threshold threshold_of(const Spend& spend, EndOf end_of) {
  Threshold result = Threshold::everything();
  // In turn, so that a search over a whole row is compiled once.
#pragma unroll 1
  for (int turn = 0; turn < 3; ++turn) {
    const std::uint64_t limit = turn == 0 ? spend.count : turn == 1 ? spend.mass : spend.at_least;
    const bool is_least = turn == 2;
    // Any limit above zero lets the best token stay, so one token needs a search only where none
    // did.
    if (is_least ? limit == 0 || (limit == 1 && result.last >= 0) : limit == NO_LIMIT) continue;
    const Threshold found = end_of(limit, turn == 1 ? Measure::mass : Measure::tokens);
    if (is_least ? result.shorter_than(found) : found.shorter_than(result)) result = found;
  }
  if (spend.whole_ties) result.last = LAST_TOKEN;
  return result;
}

template <class Key>
__device__ Threshold threshold_of(WholeRow& row, const Spend& spend, Key key) {
  return threshold_of(spend, [&](std::uint64_t limit, Measure measure) {
    return threshold_by_bins(row, limit, spend.whole_ties, key, measure);
  });
}

/// @param ranking of the list in the order of the selection's key
__device__ inline Threshold threshold_of(ListRow& row, const Spend& spend, const Ranking& ranking) {
  return threshold_of(spend, [&](std::uint64_t limit, Measure measure) {
    return ranking.end_after(measure == Measure::mass ? length_of_mass(row, ranking, limit)
                                                      : limit);
  });
}

}  // namespace logitchain::inline v0::detail::cuda
