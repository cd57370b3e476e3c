// SPDX-License-Identifier: Apache-2.0
// A row that stays where its logits lie: every sweep reads them anew, through the warps' rings.
#pragma once

#include <cstdint>

#include <logitchain/core/small_float.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/engine/cuda/detail/load.cuh>
#include <logitchain/engine/cuda/detail/numbers.cuh>
#include <logitchain/engine/cuda/detail/ring.cuh>
#include <logitchain/engine/cuda/detail/row.cuh>

namespace logitchain::inline v0::detail::cuda {

/// A lane's part of a step of its warp, which are STRIP_UNIT places: two runs of four.
struct Eight {
  static constexpr int SIZE = 8;
  float score[SIZE];  ///< FILTER past the row's end
  std::int32_t first;
  std::int32_t second;

  __device__ std::int32_t place(int i) const { return i < 4 ? first + i : second + i - 4; }

  /// The best of a run of four, which a NaN takes for itself.
  __device__ float best(int from) const {
    return join_peaks(join_peaks(score[from], score[from + 1]),
                      join_peaks(score[from + 2], score[from + 3]));
  }
};

/// A row of logits, or the part of it that a block of its cluster reads. Tokens that are listed
/// have their scores elsewhere: sweeps pass over them.
struct StreamedRow : RowState {
  const unsigned char* logits;  ///< of the block's places
  DType type;
  Ring ring;                              ///< this warp's
  std::int32_t strip;                     ///< places of a warp, a multiple of STRIP_UNIT
  const std::uint32_t* listed = nullptr;  ///< [places / 32] bits of listed tokens; null: none are

  __device__ std::int32_t token(std::int32_t place) const { return first + place; }
  __device__ float logit(std::int32_t place) const {
    if (type == DType::f32) return reinterpret_cast<const float*>(logits)[place];
    if (type == DType::f16) return widen(reinterpret_cast<const half*>(logits)[place]);
    return widen(reinterpret_cast<const bfloat16*>(logits)[place]);
  }
  __device__ bool is_listed(std::int32_t place) const {
    return listed && (listed[place >> 5] >> (place & 31) & 1u) != 0;
  }
  /// Removes the scores of listed tokens.
  __device__ void skip_listed(Eight& eight) const {
    if (!listed || eight.first >= end) return;
    // A run of four begins at a multiple of four, so that its bits are part of one word; past the
    // row's end there are bits, up to the end of a word, and none is set.
    const std::uint32_t low = listed[eight.first >> 5] >> (eight.first & 31) & 15u;
    const std::uint32_t high =
        eight.second < end ? listed[eight.second >> 5] >> (eight.second & 31) & 15u : 0;
    const std::uint32_t bits = low | high << 4;
    if (bits == 0) return;
#pragma unroll
    for (int i = 0; i < Eight::SIZE; ++i) {
      if ((bits >> i & 1u) != 0) eight.score[i] = FILTER;
    }
  }
};

/// Reads a warp's strip piece after piece, each of which is some steps. What lies past the strip's
/// end reads as FILTER.
class Reader {
 public:
  __device__ explicit Reader(StreamedRow& row)
      : row_(row),
        is_wide_(row.type == DType::f32),
        is_aligned_(reinterpret_cast<std::uintptr_t>(row.logits) % 16 == 0) {
    start(0);
  }

  /// Places of a piece of the strip, a multiple of STRIP_UNIT.
  __device__ std::int32_t places_of_piece() const { return PIECE_BYTES / size(); }
  __device__ std::int32_t steps_of_piece() const { return places_of_piece() / STRIP_UNIT; }

  /// True until the strip has been read.
  __device__ bool has_piece() const { return place_ < row_.end; }

  /// Waits for the next piece.
  __device__ void take() {
    piece_ = row_.ring.take();
    if (place_ >= whole_) complete();
  }
  /// The lane's scores of a step of the piece.
  __device__ Eight step(std::int32_t step) const {
    Eight eight;
    const unsigned char* const at = piece_ + (step * size() * STRIP_UNIT + 16 * lane());
    if (is_wide_) {
      eight.first = place_ + step * STRIP_UNIT + 4 * lane();
      eight.second = eight.first + STRIP_UNIT / 2;
      read_four(eight.score, at);
      read_four(eight.score + 4, at + 16 * LANES);
    } else {
      eight.first = place_ + step * STRIP_UNIT + 8 * lane();
      eight.second = eight.first + 4;
      read_eight(eight.score, at);
    }
    return eight;
  }
  /// Steps of the piece, as bits.
  __device__ unsigned all_steps() const { return (1u << steps_of_piece()) - 1u; }
  /// Steps of the piece in which a logit of this lane is not below `least`, as bits: for a third of
  /// what it takes to have them as scores.
  __device__ unsigned steps_reaching(float least) const {
    const Words* const at = reinterpret_cast<const Words*>(piece_) + lane();
    float best[VECTORS];
#pragma unroll
    for (int i = 0; i < VECTORS; ++i) best[i] = FILTER;
    if (is_wide_) {
#pragma unroll
      for (int i = 0; i < VECTORS; ++i) {
        best[i / 2] = join_peaks(best[i / 2], best_of_four(at[i * LANES]));
      }
    } else if (row_.type == DType::bf16) {
#pragma unroll
      for (int i = 0; i < VECTORS; ++i) {
        const std::uint32_t pair = best_pair(at[i * LANES], [](std::uint32_t a, std::uint32_t b) {
          std::uint32_t r;
          asm("max.NaN.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
          return r;
        });
        best[i] = join_peaks(float_of(pair << 16), float_of(pair & 0xffff0000u));
      }
    } else {
#pragma unroll
      for (int i = 0; i < VECTORS; ++i) {
        const std::uint32_t pair = best_pair(at[i * LANES], [](std::uint32_t a, std::uint32_t b) {
          std::uint32_t r;
          asm("max.NaN.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
          return r;
        });
        best[i] = join_peaks(widen(half{static_cast<std::uint16_t>(pair)}),
                             widen(half{static_cast<std::uint16_t>(pair >> 16)}));
      }
    }
    static_assert(VECTORS == 4);
    if (is_less(join_peaks(join_peaks(best[0], best[1]), join_peaks(best[2], best[3])), least)) {
      return 0;
    }
    unsigned steps = 0;
#pragma unroll
    for (int i = 0; i < VECTORS; ++i) steps |= is_less(best[i], least) ? 0u : 1u << i;
    return steps;
  }
  /// Lets go of the piece, and asks for one more.
  __device__ void leave() {
    place_ += places_of_piece();
    if (asked_ < row_.end) ask();
  }

  /// Goes back to the piece that begins at place `from` of the strip.
  __device__ void restart(std::int32_t from) {
    give_up();
    start(from);
  }

  /// Takes what was asked for and is not needed any more.
  __device__ void give_up() {
    while (row_.ring.is_under_way()) row_.ring.take();
  }

 private:
  __device__ void start(std::int32_t from) {
    place_ = row_.begin + from;
    asked_ = place_;
    // The last piece may be short; nothing comes through the ring of a row that does not begin at a
    // multiple of 16 bytes.
    whole_ = is_aligned_
                 ? row_.begin + (row_.end - row_.begin) / places_of_piece() * places_of_piece()
                 : place_;
    while (asked_ < row_.end && row_.ring.has_room()) ask();
  }

  __device__ int size() const { return is_wide_ ? 4 : 2; }

  /// Bytes of the piece at `place` that come through the ring: whole 16 bytes.
  __device__ std::int32_t bytes_of_piece(std::int32_t place) const {
    return place < whole_ ? PIECE_BYTES : is_aligned_ ? (row_.end - place) * size() & ~15 : 0;
  }

  __device__ void ask() {
    row_.ring.ask(row_.logits, static_cast<std::int64_t>(asked_) * size(), bytes_of_piece(asked_));
    asked_ += places_of_piece();
  }

  /// Writes what did not come through the ring, and FILTER past the row's end.
  __device__ void complete() {
    __syncwarp();  // lanes behind may still read what they copied there themselves
#pragma unroll 1
    for (std::int32_t i = bytes_of_piece(place_) / size() + lane(); i < places_of_piece();
         i += LANES) {
      const std::int32_t place = place_ + i;
      const bool is_there = place < row_.end;
      if (is_wide_) {
        reinterpret_cast<std::uint32_t*>(piece_)[i] =
            is_there ? reinterpret_cast<const std::uint32_t*>(row_.logits)[place] : bits_of(FILTER);
      } else {
        const std::uint16_t removed = row_.type == DType::bf16 ? 0xff80u : 0xfc00u;
        reinterpret_cast<std::uint16_t*>(piece_)[i] =
            is_there ? reinterpret_cast<const std::uint16_t*>(row_.logits)[place] : removed;
      }
    }
    row_.ring.wrote();
  }

  struct alignas(16) Words {
    std::uint32_t word[4];
  };
  static constexpr int VECTORS = PIECE_BYTES / (16 * LANES);  ///< of a lane in a piece

  template <class Join>
  __device__ static std::uint32_t best_pair(Words words, Join join) {
    return join(join(words.word[0], words.word[1]), join(words.word[2], words.word[3]));
  }
  __device__ static float best_of_four(Words words) {
    return join_peaks(join_peaks(float_of(words.word[0]), float_of(words.word[1])),
                      join_peaks(float_of(words.word[2]), float_of(words.word[3])));
  }
  __device__ static void read_four(float* scores, const unsigned char* at) {
    const Words words = *reinterpret_cast<const Words*>(at);
#pragma unroll
    for (int i = 0; i < 4; ++i) scores[i] = float_of(words.word[i]);
  }
  __device__ void read_eight(float* scores, const unsigned char* at) const {
    const Words words = *reinterpret_cast<const Words*>(at);
    if (row_.type == DType::bf16) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        scores[2 * i] = float_of(words.word[i] << 16);
        scores[2 * i + 1] = float_of(words.word[i] & 0xffff0000u);
      }
    } else {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        scores[2 * i] = widen(half{static_cast<std::uint16_t>(words.word[i])});
        scores[2 * i + 1] = widen(half{static_cast<std::uint16_t>(words.word[i] >> 16)});
      }
    }
  }

  StreamedRow& row_;
  bool is_wide_;
  bool is_aligned_;
  std::int32_t place_ = 0;  ///< where the piece begins
  std::int32_t asked_ = 0;  ///< the first place that was not asked for
  std::int32_t whole_ = 0;  ///< pieces that begin in front of it come through the ring as they are
  unsigned char* piece_ = nullptr;
};

}  // namespace logitchain::inline v0::detail::cuda
