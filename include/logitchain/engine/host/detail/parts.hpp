// SPDX-License-Identifier: Apache-2.0
// A whole row in parts: a block is taken from the logits, widened and mapped when it is looked at.
// Who reads every place of a block asks for `block_scores`; who reads or writes single places, for
// `own_block` or, once for the whole row, `settle`.
#pragma once

#include <algorithm>
#include <cstdint>

#include <logitchain/core/small_float.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/host/detail/row.hpp>

namespace logitchain::inline v0::detail {

/// The row may from now on be written block by block.
inline void begin_parts(HostRow& row) {
  if (row.in_parts) return;
  const std::uint8_t mark = row.scores == row.own ? OWN : 0;
  for (std::int64_t block = 0; block < blocks_of(row.size); ++block) {
    row.marks[block] =
        static_cast<std::uint8_t>((row.has_stale ? row.marks[block] & STALE : 0) | mark);
  }
  row.in_parts = true;
  row.scores = row.own;
}

/// Brings a block into the row's own memory, as it stands.
[[gnu::noinline]] inline void take_block(const HostRow& row, std::int64_t block) {
  std::uint8_t& mark = row.marks[block];
  const std::int64_t first = block * BLOCK;
  const std::int64_t size = std::min<std::int64_t>(BLOCK, row.size - first);
  float* const to = row.own + first;
  if (!(mark & OWN)) {
    const auto widened = [&](const auto* narrow) {
      call_with(row.instructions, [=] {
        for (std::int64_t i = 0; i < size; ++i) to[i] = widen(narrow[i]);
      });
    };
    if (row.type == DType::f32) {
      std::copy_n(static_cast<const float*>(row.logits) + first, size, to);
    } else if (row.type == DType::f16) {
      widened(static_cast<const half*>(row.logits) + first);
    } else {
      widened(static_cast<const bfloat16*>(row.logits) + first);
    }
  }
  if (row.late_maps && !(mark & MAPPED)) row.late_maps(row, block);
  mark |= OWN | MAPPED;
}

/// True where the block's scores, as they stand, lie in the row's own memory.
inline bool is_taken(const HostRow& row, std::int64_t block) {
  const std::uint8_t wanted = row.late_maps ? OWN | MAPPED : OWN;
  return (row.marks[block] & wanted) == wanted;
}

/// Makes sure that `row.scores` and `row.own` hold the block; the row lies in parts, or is read
/// only.
inline void own_block(const HostRow& row, std::int64_t block) {
  if (row.in_parts && !is_taken(row, block)) take_block(row, block);
}

/// Where the block's scores are read, by their places in the row.
inline const float* block_scores(const HostRow& row, std::int64_t block) {
  if (!row.in_parts || is_taken(row, block)) return row.scores;
  if (row.type == DType::f32 && !row.late_maps) return static_cast<const float*>(row.logits);
  take_block(row, block);
  return row.scores;
}

/// Ends the parts: `row.scores` holds every place.
inline void settle(HostRow& row) {
  if (!row.in_parts) return;
  for (std::int64_t block = 0; block < blocks_of(row.size); ++block) own_block(row, block);
  row.in_parts = false;
  row.late_maps = nullptr;
  row.count_sweep();
}

/// From now on the row is what `maps` make of it; its peaks and numbers are already theirs.
inline void map_late(HostRow& row, LateMaps maps) {
  if (row.late_maps) settle(row);
  begin_parts(row);
  for (std::int64_t block = 0; block < blocks_of(row.size); ++block) {
    row.marks[block] = static_cast<std::uint8_t>(row.marks[block] & ~MAPPED);
  }
  row.late_maps = maps;
}

}  // namespace logitchain::inline v0::detail
