// SPDX-License-Identifier: Apache-2.0
// A row of scores as the host engine holds it: the whole vocabulary first, the survivors later.
#pragma once

#include <cstddef>
#include <cstdint>

#include <logitchain/core/kind.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/host/sweep_counts.hpp>

namespace logitchain::inline v0::detail {

/// Scores per inner loop: fixed, so that compilers vectorise it, and few enough for sums of mass parts.
inline constexpr int BLOCK = 512;
/// Bins of one round of the threshold search: 11 bits of the key.
inline constexpr int BINS = 2048;

/// One thread's working memory for a row, carved out of the state's workspace.
struct HostScratch {
  float* scores = nullptr;          ///< [vocab]
  std::int32_t* ids = nullptr;      ///< [vocab] tokens of the survivors
  std::uint32_t* keys = nullptr;    ///< [vocab] a selection's keys
  std::int32_t* members = nullptr;  ///< [vocab] places of one bin's members
  std::uint64_t* blocks = nullptr;  ///< [vocab / BLOCK + 1] masses of blocks
  std::uint64_t* bins = nullptr;    ///< [BINS]
  SweepCounts counts{};

  static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 63) & ~std::size_t{63}; }
  static constexpr std::size_t bytes(std::int64_t vocab) {
    const std::size_t n = static_cast<std::size_t>(vocab);
    return 4 * aligned(n * 4) + aligned((n / BLOCK + 1) * 8) + aligned(BINS * 8);
  }
  static HostScratch carve(std::byte* at, std::int64_t vocab) {
    const std::size_t n = static_cast<std::size_t>(vocab);
    const auto take = [&at](std::size_t size) {
      std::byte* const begin = at;
      at += aligned(size);
      return static_cast<void*>(begin);
    };
    HostScratch scratch;
    scratch.scores = static_cast<float*>(take(n * 4));
    scratch.ids = static_cast<std::int32_t*>(take(n * 4));
    scratch.keys = static_cast<std::uint32_t*>(take(n * 4));
    scratch.members = static_cast<std::int32_t*>(take(n * 4));
    scratch.blocks = static_cast<std::uint64_t*>(take((n / BLOCK + 1) * 8));
    scratch.bins = static_cast<std::uint64_t*>(take(BINS * 8));
    return scratch;
  }
};

/// A row on its way through a chain. Until something shrinks it, place i holds token i; afterwards
/// the survivors lie together, in rising order of their ids.
struct HostRow {
  float* scores = nullptr;
  std::int32_t* ids = nullptr;
  std::int64_t size = 0;
  std::int32_t vocab = 0;
  bool compact = false;
  Status fault = Status::ok;

  /// Which numbers are right for the scores as they stand.
  Numbers known = Numbers::none;
  RowNumbers numbers{};
  /// With the maximum known: something above -inf, and no NaN or +inf.
  bool has_distribution = false;
  SweepCounts* counts = nullptr;

  std::int32_t token(std::int64_t i) const {
    return compact ? ids[i] : static_cast<std::int32_t>(i);
  }

  /// Place of a token, -1 where it did not survive.
  std::int64_t find(std::int64_t token) const {
    if (!compact) return token;
    std::int64_t low = 0;
    std::int64_t high = size;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      (ids[middle] < token ? low : high) = ids[middle] < token ? middle + 1 : middle;
    }
    return low < size && ids[low] == token ? low : -1;
  }

  void forget() {
    known = Numbers::none;
    numbers.best = -1;
  }

  void count_sweep() const {
    ++(compact ? counts->survivor_sweeps : counts->whole_row_sweeps);
    counts->scores_read += size;
  }
};

}  // namespace logitchain::inline v0::detail
