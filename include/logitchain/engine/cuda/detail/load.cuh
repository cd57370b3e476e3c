// SPDX-License-Identifier: Apache-2.0
// Logits in, scores out: 16 bytes at a time where addresses allow it, widened to float32 once.
#pragma once

#include <cstdint>

#include <logitchain/core/config.hpp>
#include <logitchain/core/small_float.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/block.cuh>
#include <logitchain/engine/cuda/detail/row.cuh>

namespace logitchain::inline v0::detail::cuda {

/// A multiple of the places that a warp reads at once, in every element type.
inline constexpr std::int32_t STRIP_UNIT = LANES * 8;

/// Places of a warp's strip where `blocks` blocks hold `vocab` tokens.
LOGITCHAIN_HD constexpr std::int32_t strip_of(std::int64_t vocab, int blocks) {
  const std::int64_t warps = static_cast<std::int64_t>(blocks) * WARPS;
  const std::int64_t each = (vocab + warps - 1) / warps;
  return static_cast<std::int32_t>((each + STRIP_UNIT - 1) / STRIP_UNIT * STRIP_UNIT);
}

__device__ inline float widened(float element) { return element; }
__device__ inline float widened(half element) { return widen(element); }
__device__ inline float widened(bfloat16 element) { return widen(element); }

/// 16 bytes of elements.
template <class Element>
struct alignas(16) Vector {
  static constexpr int SIZE = 16 / static_cast<int>(sizeof(Element));
  Element element[SIZE];
};

/// Reads this warp's strip. @param from the row's logits, at the block's first token
template <class Element>
__device__ void load_strip(const WholeRow& row, const Element* from) {
  constexpr int SIZE = Vector<Element>::SIZE;
  const std::int32_t whole = reinterpret_cast<std::uintptr_t>(from) % 16 == 0
                                 ? row.begin + (row.end - row.begin) / SIZE * SIZE
                                 : row.begin;
#pragma unroll 4
  for (std::int32_t place = row.begin + lane() * SIZE; place < whole; place += LANES * SIZE) {
    const Vector<Element> vector = *reinterpret_cast<const Vector<Element>*>(from + place);
#pragma unroll
    for (int i = 0; i < SIZE; ++i) row.scores[place + i] = widened(vector.element[i]);
  }
#pragma unroll 1
  for (std::int32_t place = whole + lane(); place < row.end; place += LANES) {
    row.scores[place] = widened(from[place]);
  }
  __syncwarp();
}

/// Reads this block's part of a row of logits.
__device__ inline void load_row(const WholeRow& row, const void* logits, DType type) {
  if (type == DType::f32) {
    load_strip(row, static_cast<const float*>(logits) + row.first);
  } else if (type == DType::f16) {
    load_strip(row, static_cast<const half*>(logits) + row.first);
  } else {
    load_strip(row, static_cast<const bfloat16*>(logits) + row.first);
  }
}

/// Writes this block's part of a row of scores; what lies beyond the vocabulary is -inf.
__device__ inline void store_row(const WholeRow& row, void* scores, DType type,
                                 std::int64_t width) {
  const auto write = [&](std::int64_t token, float score) {
    if (type == DType::f32) {
      static_cast<float*>(scores)[token] = score;
    } else if (type == DType::f16) {
      static_cast<half*>(scores)[token] = to_half(score);
    } else {
      static_cast<bfloat16*>(scores)[token] = to_bfloat16(score);
    }
  };
  row.for_each([&](std::int32_t place, float score) { write(row.token(place), score); });
  if (row.cluster.rank != 0) return;
  for (std::int64_t token = row.vocab + thread(); token < width; token += THREADS) {
    write(token, FILTER);
  }
}

}  // namespace logitchain::inline v0::detail::cuda
