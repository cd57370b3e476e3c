// SPDX-License-Identifier: Apache-2.0
// A row's list of distinct tokens made by a block from its history: the same list, in the same
// order, as token by token.
#pragma once

#include <cstdint>

#include <logitchain/core/row_view.hpp>
#include <logitchain/engine/cuda/detail/block.cuh>
#include <logitchain/state/state_view.hpp>

namespace logitchain::inline v0::detail::cuda {

/// Distinct tokens of a piece of history, by hashing.
struct SeenChunk {
  static constexpr int TOKENS = 2 * THREADS;
  static constexpr int SLOTS = 2 * TOKENS;

  std::int32_t token[SLOTS];  ///< -1: free
  std::int32_t first[SLOTS];  ///< first and last place in the history
  std::int32_t last[SLOTS];
  std::uint32_t counts[SLOTS];  ///< as in SeenToken
  std::uint32_t warp_counts[WARPS];

  __device__ void clear() {
    for (int i = thread(); i < SLOTS; i += THREADS) {
      token[i] = -1;
      first[i] = 0x7fffffff;
      last[i] = -1;
      counts[i] = 0;
    }
  }
  __device__ static int slot_of(std::int32_t id) {
    return static_cast<int>((static_cast<std::uint32_t>(id) * 0x9e3779b1u) >> 20) & (SLOTS - 1);
  }
  __device__ void note(std::int32_t id, std::int32_t place, bool generated) {
    int slot = slot_of(id);
    for (;; slot = (slot + 1) & (SLOTS - 1)) {
      const std::int32_t held = atomicCAS(&token[slot], -1, id);
      if (held == -1 || held == id) break;
    }
    atomicMin(&first[slot], place);
    atomicMax(&last[slot], place);
    if (generated) {
      atomicAdd(&counts[slot], 1u);
    } else {
      atomicOr(&counts[slot], SeenToken::IN_PROMPT);
    }
  }
  /// Slot of a token, -1 where the piece does not hold it.
  __device__ int find(std::int32_t id) const {
    int slot = slot_of(id);
    for (; token[slot] != id; slot = (slot + 1) & (SLOTS - 1)) {
      if (token[slot] == -1) return -1;
    }
    return slot;
  }
};

/// Makes the list and bitmap of a row from its first `total` tokens. Called by all threads of a
/// block. Counters are of 64 bits: what a thread takes next may lie behind the largest place.
/// @return entries written; every thread gets it
__device__ inline std::int32_t make_seen_list(const StateView& view, std::int64_t row,
                                              std::int32_t prompt, std::int32_t total,
                                              SeenChunk& chunk) {
  if (!view.seen) return 0;
  const std::int32_t* const history = view.tokens_of(row);
  SeenToken* const list = view.seen_of(row);
  std::uint32_t* const bits = view.seen_bits_of(row);
  for (std::int64_t word = thread(); word < view.seen_words; word += THREADS) bits[word] = 0;
  const auto counts = [&](std::int32_t id) { return id >= 0 && id < view.vocab; };
  std::int32_t size = 0;
  for (std::int64_t start = 0; start < total; start += SeenChunk::TOKENS) {
    const std::int64_t end = total - start < SeenChunk::TOKENS ? total : start + SeenChunk::TOKENS;
    chunk.clear();
    __syncthreads();
    for (std::int64_t place = start + thread(); place < end; place += THREADS) {
      const std::int32_t id = history[place];
      if (counts(id)) chunk.note(id, static_cast<std::int32_t>(place), place >= prompt);
    }
    __syncthreads();
    for (std::int64_t i = thread(); i < size; i += THREADS) {
      const int slot = chunk.find(list[i].token);
      if (slot < 0) continue;
      list[i].last_position = chunk.last[slot];
      list[i].counts = (list[i].counts + (chunk.counts[slot] & ~SeenToken::IN_PROMPT)) |
                       (chunk.counts[slot] & SeenToken::IN_PROMPT);
      chunk.first[slot] = -1;  // known: not to be appended
    }
    __syncthreads();
    for (std::int64_t base = start; base < end; base += THREADS) {
      const std::int64_t place = base + thread();
      const std::int32_t id = place < end ? history[place] : -1;
      const int slot = counts(id) ? chunk.find(id) : -1;
      const bool appears = slot >= 0 && chunk.first[slot] == place;
      const unsigned lanes = __ballot_sync(ALL_LANES, appears);
      if (lane() == 0) chunk.warp_counts[warp()] = static_cast<std::uint32_t>(__popc(lanes));
      __syncthreads();
      std::int32_t at = size + __popc(lanes & ((1u << lane()) - 1u));
      for (int i = 0; i < WARPS; ++i) {
        if (i < warp()) at += static_cast<std::int32_t>(chunk.warp_counts[i]);
        size += static_cast<std::int32_t>(chunk.warp_counts[i]);
      }
      if (appears) {
        list[at] = SeenToken{id, chunk.counts[slot], chunk.last[slot]};
        atomicOr(&bits[id >> 5], 1u << (id & 31));
      }
      __syncthreads();
    }
  }
  return size;
}

}  // namespace logitchain::inline v0::detail::cuda
