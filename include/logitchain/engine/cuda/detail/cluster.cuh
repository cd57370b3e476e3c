// SPDX-License-Identifier: Apache-2.0
// The thread blocks that hold one row together: barriers, and pointers into each other's shared
// memory. Before sm_90 a row has one block, which is a cluster of its own.
#pragma once

#include <cstdint>

namespace logitchain::inline v0::detail::cuda {

/// The most blocks of a cluster; more than 8 is what the runtime calls a non-portable size.
inline constexpr int MAX_CLUSTER = 16;

/// The most blocks that stream a row together.
inline constexpr int MAX_STREAMING_CLUSTER = 4;

/// This block's place among those of its row.
struct Cluster {
  int rank;
  int size;
  int first = 0;  ///< place of the row's first block in the hardware's cluster

  /// This block alone, wherever it runs.
  __device__ static Cluster alone() { return {0, 1, here().rank}; }

  __device__ static Cluster here() {
#if __CUDA_ARCH__ >= 900
    std::uint32_t rank;
    std::uint32_t size;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    return {static_cast<int>(rank), static_cast<int>(size)};
#else
    return {0, 1};
#endif
  }

  /// Says that this block's writes so far may be read by the others. Each is followed by a `wait`,
  /// unless the block touches nothing of the others any more.
  __device__ void arrive() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
#endif
  }
  __device__ void wait() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#else
    __syncthreads();
#endif
  }
  __device__ void sync() const {
    arrive();
    wait();
  }

  /// The same shared variable in another block of the cluster.
  template <class T>
  __device__ T* at(T* shared, int other) const {
#if __CUDA_ARCH__ >= 900
    std::uint64_t address;
    // Volatile: where nothing asks, a compiler might compute the address of a block that is not
    // there.
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(address) : "l"(shared), "r"(first + other));
    return reinterpret_cast<T*>(address);
#else
    return shared;
#endif
  }
};

}  // namespace logitchain::inline v0::detail::cuda
