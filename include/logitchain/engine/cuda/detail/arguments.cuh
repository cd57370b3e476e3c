// SPDX-License-Identifier: Apache-2.0
// What the kernels of a call are given, by value: all else lies in device memory and is read anew
// by each launch, a replayed one included.
#pragma once

#include <cstddef>
#include <cstdint>

#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/stream_sizes.cuh>
#include <logitchain/state/state_view.hpp>

namespace logitchain::inline v0::detail::cuda {

/// Rows of logits or scores.
struct RowsArgument {
  void* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t width = 0;
  std::int64_t stride = 0;  ///< elements
  DType type = DType::f32;

  __device__ void* row(std::int64_t i) const {
    return static_cast<char*>(data) + i * stride * size_of(type);
  }
};

/// Items: null arrays are the identity.
struct ItemsArgument {
  const std::int32_t* logits_row = nullptr;
  const std::int32_t* state_row = nullptr;
  std::int64_t count = 0;
};

/// A buffer of token ids of 32 or 64 bits; null: not asked for.
struct TokensArgument {
  void* data = nullptr;
  bool wide = false;

  __device__ void write(std::int64_t i, std::int32_t token) const {
    if (!data) return;
    if (wide) {
      static_cast<std::int64_t*>(data)[i] = token;
    } else {
      static_cast<std::int32_t*>(data)[i] = token;
    }
  }
};

struct StepArguments {
  StateView view;
  RowsArgument logits;
  RowsArgument scores;  ///< what `apply` writes
  ItemsArgument items;
  TokensArgument tokens;
  StepResult* results = nullptr;
  float* scratch = nullptr;  ///< [blocks, places] where rows do not lie in shared memory
  std::int32_t strip = 0;    ///< places of a warp
  bool streams = false;      ///< rows stay where their logits lie, as far as that goes
  StreamSizes sizes{};       ///< of a block that streams
};

/// One item of a call, resolved.
struct Item {
  std::int32_t logits_row = -1;
  std::int32_t state_row = -1;  ///< -1: skip
  bool duplicate = false;       ///< another item names the state row as well

  /// An index outside of what there is skips the item: it can be no row's fault, for it names none.
  __device__ static bool skips(const ItemsArgument& items, std::int64_t logits_rows,
                               std::int64_t state_rows, std::int64_t i) {
    const std::int64_t logits_row = items.logits_row ? items.logits_row[i] : i;
    const std::int64_t state_row = items.state_row ? items.state_row[i] : i;
    return logits_row < 0 || logits_row >= logits_rows || state_row < 0 || state_row >= state_rows;
  }

  /// Called by all threads of a block.
  __device__ static Item of(const ItemsArgument& items, std::int64_t logits_rows,
                            std::int64_t state_rows, std::int64_t i) {
    if (skips(items, logits_rows, state_rows, i)) return Item{};
    Item item;
    item.logits_row = items.logits_row ? items.logits_row[i] : static_cast<std::int32_t>(i);
    item.state_row = items.state_row ? items.state_row[i] : static_cast<std::int32_t>(i);
    if (items.state_row) {
      bool twice = false;
      for (std::int64_t j = threadIdx.x; j < items.count; j += blockDim.x) {
        twice = twice || (j != i && items.state_row[j] == item.state_row &&
                          !skips(items, logits_rows, state_rows, j));
      }
      item.duplicate = __syncthreads_or(twice);
    }
    return item;
  }
};

}  // namespace logitchain::inline v0::detail::cuda
