// SPDX-License-Identifier: Apache-2.0
// A row of scores as the host engine holds it: the whole vocabulary first, the survivors later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <logitchain/core/kind.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/host/instructions.hpp>
#include <logitchain/engine/host/sweep_counts.hpp>

namespace logitchain::inline v0::detail {

/// Scores per block: fixed, so that compilers vectorise the loop over it, and few enough for sums
/// of mass parts in 32 bits.
inline constexpr int BLOCK = 512;
/// Columns of a block: each keeps the best of its scores, one vector register or two.
inline constexpr int LANES = 16;
/// Bins of one round of the threshold search: 11 bits of the key.
inline constexpr int BINS = 2048;

constexpr std::int64_t blocks_of(std::int64_t size) { return (size + BLOCK - 1) / BLOCK; }

/// The best scores of a row's blocks.
struct Peaks {
  float* lanes = nullptr;  ///< [blocks, LANES] best score of each column of each block, or NaN
  float* tops = nullptr;   ///< [blocks] best of the block; NaN where it holds one
};

/// One thread's working memory for a row, carved out of the state's workspace.
struct HostScratch {
  float* scores = nullptr;          ///< [vocab]
  std::int32_t* ids = nullptr;      ///< [vocab] tokens of the survivors
  float* keys = nullptr;            ///< [vocab] keys of a selection that has an order of its own
  std::int32_t* places = nullptr;   ///< [vocab] places of candidates
  Peaks peaks;                      ///< of the scores, while the row is whole
  Peaks key_peaks;                  ///< of the keys
  float* order = nullptr;           ///< [blocks, LANES] room to find a rank among peaks
  std::uint64_t* masses = nullptr;  ///< [blocks] masses of blocks
  std::uint64_t* bins = nullptr;    ///< [BINS]
  std::uint8_t* marks = nullptr;    ///< [blocks] see BlockMark
  Instructions instructions = Instructions::baseline;
  SweepCounts counts{};

  /// Hands out the parts in turn; with a null base it only measures them.
  template <class Take>
  static HostScratch lay_out(std::int64_t vocab, Take take) {
    const std::size_t n = static_cast<std::size_t>(vocab);
    const std::size_t blocks = static_cast<std::size_t>(blocks_of(vocab));
    HostScratch scratch;
    scratch.scores = static_cast<float*>(take(n * 4));
    scratch.ids = static_cast<std::int32_t*>(take(n * 4));
    scratch.keys = static_cast<float*>(take(n * 4));
    scratch.places = static_cast<std::int32_t*>(take(n * 4));
    for (Peaks* const each : {&scratch.peaks, &scratch.key_peaks}) {
      each->lanes = static_cast<float*>(take(blocks * LANES * 4));
      each->tops = static_cast<float*>(take(blocks * 4));
    }
    scratch.order = static_cast<float*>(take(blocks * LANES * 4));
    scratch.masses = static_cast<std::uint64_t*>(take(blocks * 8));
    scratch.bins = static_cast<std::uint64_t*>(take(BINS * 8));
    scratch.marks = static_cast<std::uint8_t*>(take(blocks));
    return scratch;
  }
  static constexpr std::size_t aligned(std::size_t bytes) {
    return (bytes + 63) & ~std::size_t{63};
  }
  static std::size_t bytes(std::int64_t vocab) {
    std::size_t sum = 0;
    lay_out(vocab, [&sum](std::size_t size) {
      sum += aligned(size);
      return static_cast<void*>(nullptr);
    });
    return sum;
  }
  static HostScratch carve(std::byte* at, std::int64_t vocab) {
    return lay_out(vocab, [&at](std::size_t size) {
      std::byte* const begin = at;
      at += aligned(size);
      return static_cast<void*>(begin);
    });
  }
};

/// What is noted of a block of a whole row.
enum BlockMark : std::uint8_t {
  OWN = 1,     ///< it lies in the row's own memory, not among the logits
  MAPPED = 2,  ///< the late maps were applied to it
  STALE = 4    ///< a score was written since its peaks were found
};

struct HostRow;
/// Applies a chain's maps to one block of the row's own memory.
using LateMaps = void (*)(const HostRow& row, std::int64_t block);

/// A row on its way through a chain. Until something shrinks it, place i holds token i; afterwards
/// the survivors lie together, in rising order of their ids.
///
/// Few blocks of a whole row are looked at one by one, or written at all, by most chains. So a
/// whole row may lie in parts: blocks among the logits, widened or not, and blocks of its own
/// memory, with maps that are still to be applied (`parts.hpp`).
struct HostRow {
  const float* scores = nullptr;  ///< the row; while it lies in parts, only blocks that were taken
  float* own = nullptr;           ///< where it is written
  std::int32_t* ids = nullptr;
  Peaks peaks;
  std::uint8_t* marks = nullptr;

  /// While the row lies in parts: where blocks that are not its own lie.
  bool in_parts = false;
  DType type = DType::f32;
  const void* logits = nullptr;
  LateMaps late_maps = nullptr;  ///< of `chain`, whose row this is; null: none
  const void* chain = nullptr;
  RowView::Fields fields{};
  const AutomatonSlot* slots = nullptr;

  std::int64_t size = 0;
  std::int32_t vocab = 0;
  bool compact = false;
  /// The peaks are those of the scores, but for stale blocks; only while the row is whole.
  bool has_peaks = false;
  bool has_stale = false;
  Status fault = Status::ok;
  Instructions instructions = Instructions::baseline;  ///< what sweeps are run with

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

  /// The scores are about to change: what is known of them is not true any more.
  void forget() {
    known = Numbers::none;
    numbers.best = -1;
  }

  /// All scores were written, and no peaks with them.
  void rewritten() {
    scores = own;
    in_parts = false;
    late_maps = nullptr;
    has_peaks = false;
    has_stale = false;
  }

  void count_sweep() const {
    ++(compact ? counts->survivor_sweeps : counts->whole_row_sweeps);
    counts->scores_read += size;
  }
};

}  // namespace logitchain::inline v0::detail
