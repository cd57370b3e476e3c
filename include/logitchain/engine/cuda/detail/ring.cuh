// SPDX-License-Identifier: Apache-2.0
// A ring of asynchronous copies from global to shared memory, one per warp: while a piece is read,
// the next ones are under way. Bulk copies from sm_90 on, 16 bytes per lane before.
#pragma once

#include <cstddef>
#include <cstdint>

#include <logitchain/core/config.hpp>
#include <logitchain/engine/cuda/detail/block.cuh>

namespace logitchain::inline v0::detail::cuda {

inline constexpr int PIECE_BYTES = 2048;

/// Bytes of a warp's ring of `depth` pieces: behind these lie the barriers that bulk copies
/// complete on.
LOGITCHAIN_HD constexpr int bytes_of_ring(int depth) { return depth * PIECE_BYTES + 32; }
/// Bytes of the rings of a block.
LOGITCHAIN_HD constexpr std::size_t ring_bytes(int depth) {
  return static_cast<std::size_t>(WARPS) * static_cast<std::size_t>(bytes_of_ring(depth));
}

/// This warp's ring. All lanes call its functions together; pieces come in the order in which they
/// were asked for, and every one that was asked for must be taken before the ring is left.
class Ring {
 public:
  /// @param memory null: nothing will be asked for
  __device__ Ring(unsigned char* memory, int depth) : depth_(depth) {
    if (!memory) return;
    pieces_ = memory + warp() * bytes_of_ring(depth);
#if __CUDA_ARCH__ >= 900
    if (lane() < depth) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(arrival(lane())) : "memory");
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncwarp();
#endif
  }

  /// Asks for the next piece. @param bytes a multiple of 16, as is the address; may be 0
  __device__ void ask(const unsigned char* row, std::int64_t offset, std::int32_t bytes) {
    const int slot = take_slot_ + under_way_ - (take_slot_ + under_way_ >= depth_ ? depth_ : 0);
#if __CUDA_ARCH__ >= 900
    __syncwarp();  // all lanes have read what lay there
    if (lane() == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(arrival(slot)),
                   "r"(bytes)
                   : "memory");
      if (bytes > 0) {
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
            "[%0], [%1], %2, [%3];" ::"r"(address(pieces_ + slot * PIECE_BYTES)),
            "l"(row + offset), "r"(bytes), "r"(arrival(slot))
            : "memory");
      }
    }
#else
    for (std::int32_t at = 16 * lane(); at < bytes; at += 16 * LANES) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                       address(pieces_ + slot * PIECE_BYTES + at)),
                   "l"(row + offset + at)
                   : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
    ++under_way_;
  }

  /// Waits for the oldest piece not yet taken. Before sm_90 a lane may read the 16 bytes at each
  /// multiple of 512 behind 16 times its number, which are those that it copied.
  __device__ unsigned char* take() {
    unsigned char* const piece = pieces_ + take_slot_ * PIECE_BYTES;
#if __CUDA_ARCH__ >= 900
    std::uint32_t arrived = 0;
    while (arrived == 0) {
      asm volatile(
          "{\n.reg .pred p;\n"
          "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
          "selp.u32 %0, 1, 0, p;\n}"
          : "=r"(arrived)
          : "r"(arrival(take_slot_)), "r"(parity_)
          : "memory");
    }
#else
    // As many may be under way as were asked for after this one.
    if (under_way_ == 1) {
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    } else if (under_way_ == 2) {
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    } else {
      asm volatile("cp.async.wait_group 2;" ::: "memory");
    }
#endif
    if (++take_slot_ == depth_) {
      take_slot_ = 0;
      parity_ ^= 1;
    }
    --under_way_;
    return piece;
  }

  /// The warp has written into a piece that it took.
  __device__ void wrote() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // in front of the next bulk copy
#endif
    __syncwarp();
  }

  __device__ bool has_room() const { return under_way_ < depth_; }
  __device__ bool is_under_way() const { return under_way_ > 0; }

 private:
  __device__ static std::uint32_t address(const void* shared) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  }
  __device__ std::uint32_t arrival(int slot) const {
    return address(pieces_) + static_cast<std::uint32_t>(depth_ * PIECE_BYTES + slot * 8);
  }

  unsigned char* pieces_ = nullptr;
  int depth_;  ///< at most 3: `take` spells out how many pieces may be under way
  int take_slot_ = 0;
  int under_way_ = 0;
  std::uint32_t parity_ = 0;
};

}  // namespace logitchain::inline v0::detail::cuda
