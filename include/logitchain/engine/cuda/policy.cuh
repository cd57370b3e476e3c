// SPDX-License-Identifier: Apache-2.0
// How many blocks hold a row, or whether it is streamed: functions of plain values, which change
// speed and never a bit.
#pragma once

#include <cstddef>
#include <cstdint>

#include <logitchain/core/limits.hpp>
#include <logitchain/engine/cuda/detail/cluster.cuh>
#include <logitchain/engine/cuda/detail/load.cuh>
#include <logitchain/engine/cuda/detail/shared.cuh>
#include <logitchain/engine/cuda/detail/stream_sizes.cuh>

namespace logitchain::inline v0 {

/// What a device offers.
struct DeviceLimits {
  int architecture = 0;  ///< 10 times the compute capability: 80, 90, ...
  int multiprocessors = 0;
  int shared_bytes = 0;  ///< of one block, at most
  /// Clusters of 2, 4, 8 and 16 blocks that may be under way at once, each block with all of a
  /// multiprocessor: fewer than the multiprocessors suggest, since they come in groups. -1:
  /// unknown.
  int clusters_at_once[4] = {-1, -1, -1, -1};

  constexpr bool has_clusters() const { return architecture >= 90; }

  /// Rows that may be under way at once, each in a cluster of `size` blocks.
  constexpr std::int64_t rows_at_once(int size) const {
    int known = -1;
    for (int i = 0; i < 4; ++i) known = size == 2 << i ? clusters_at_once[i] : known;
    return known >= 0 ? known : multiprocessors / size;
  }
};

/// True where clusters of `size` blocks hold a row of `vocab` scores.
constexpr bool holds_row(const DeviceLimits& limits, std::int64_t vocab, int size) {
  using namespace detail::cuda;
  const std::size_t bytes = shared_bytes(std::int64_t{strip_of(vocab, size)} * WARPS);
  return bytes <= static_cast<std::size_t>(limits.shared_bytes);
}

/// Blocks of a cluster for a step of `items` rows; 0 where no cluster holds a row.
/// Few rows get 8 blocks each, so that many multiprocessors read them; more rows the fewest that
/// hold one. A block with less than some thousand scores is not worth its barriers.
constexpr int cluster_for(const DeviceLimits& limits, std::int64_t items, std::int64_t vocab) {
  if (!limits.has_clusters()) return 1;
  constexpr std::int64_t WORTHWHILE = 4096;
  int size = 1;
  while (size < 8 && size * WORTHWHILE < vocab && items <= limits.rows_at_once(2 * size)) size *= 2;
  while (size < detail::cuda::MAX_CLUSTER && !holds_row(limits, vocab, size)) size *= 2;
  return holds_row(limits, vocab, size) ? size : 0;
}

/// Blocks of a cluster that streams a row of `vocab` scores, where a step has `items` of them: as
/// many as leave no row waiting, so that batches of a few dozen rows are read by most
/// multiprocessors.
constexpr int streaming_cluster_for(const DeviceLimits& limits, std::int64_t items,
                                    std::int64_t vocab) {
  if (!limits.has_clusters()) return 1;
  constexpr std::int64_t WORTHWHILE = 16384;
  int size = 1;
  while (size < detail::cuda::MAX_STREAMING_CLUSTER && 2 * size * WORTHWHILE <= vocab &&
         items <= limits.rows_at_once(2 * size)) {
    size *= 2;
  }
  return size;
}

/// The largest vocabulary that a step can have in clusters of `size` blocks, or, 0, of any size.
constexpr std::int64_t largest_vocab(const DeviceLimits& limits, int size = 0) {
  using namespace detail::cuda;
  if (!limits.has_clusters()) return MAX_VOCAB;
  const std::int64_t bytes = limits.shared_bytes - static_cast<std::int64_t>(sizeof(Shared));
  const std::int64_t unit = std::int64_t{WARPS} * STRIP_UNIT;
  const std::int64_t places =
      bytes < 0 ? 0 : bytes / static_cast<std::int64_t>(sizeof(float)) / unit * unit;
  const std::int64_t most = places * (size != 0 ? size : MAX_CLUSTER);
  return most < MAX_VOCAB ? most : MAX_VOCAB;
}

/// Where the scores of a step's rows lie.
enum class Residence : std::uint8_t {
  automatic,  ///< as the number of items suggests
  resident,   ///< on chip, or, where the device has no clusters, in the state's workspace
  streaming   ///< in the logits, which are read once or twice; in the workspace where that is not
              ///< enough. As `resident` where the chain, or a block's shared memory, does not allow
              ///< it
};

/// True where a block's shared memory is enough to stream rows.
constexpr bool can_stream(const DeviceLimits& limits) {
  return detail::cuda::stream_bytes(detail::cuda::stream_sizes(0, false, limits.shared_bytes)) <=
         static_cast<std::size_t>(limits.shared_bytes);
}

/// True where a step of `items` rows streams them: where there are too many for clusters that hold
/// them to be under way all at once.
constexpr bool streams_for(const DeviceLimits& limits, std::int64_t items, std::int64_t vocab) {
  if (!limits.has_clusters()) return true;
  const int size = cluster_for(limits, items, vocab);
  return size == 0 || items > limits.rows_at_once(size);
}

/// Rows of global scratch memory that a state of `rows` rows keeps: one per multiprocessor where
/// steps may need them, so that any number of items takes turns on them.
constexpr std::int64_t scratch_rows(const DeviceLimits& limits, std::int64_t rows,
                                    std::int64_t vocab, Residence residence) {
  const bool streams = can_stream(limits) &&
                       (residence == Residence::streaming ||
                        (residence == Residence::automatic && streams_for(limits, rows, vocab)));
  const bool never = limits.has_clusters() && !streams;
  if (never) return 0;
  return rows < limits.multiprocessors ? rows : limits.multiprocessors;
}

}  // namespace logitchain::inline v0
