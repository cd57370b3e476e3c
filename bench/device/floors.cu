// SPDX-License-Identifier: Apache-2.0
// What no step can be quicker than: a launch, and a read of the logits by a kernel without a
// thought.
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/check.hpp"
#include "device/contender.hpp"

namespace device_bench {

namespace {

constexpr int THREADS = 512;

__global__ void nothing() {}

/// @param words one per block
__global__ void __launch_bounds__(THREADS)
    read_once(const uint4* memory, std::size_t count, unsigned* words) {
  unsigned mixed = 0;
  const std::size_t all = std::size_t{gridDim.x} * THREADS;
#pragma unroll 4
  for (std::size_t i = std::size_t{blockIdx.x} * THREADS + threadIdx.x; i < count; i += all) {
    const uint4 four = memory[i];
    mixed ^= four.x ^ four.y ^ four.z ^ four.w;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    mixed ^= __shfl_xor_sync(0xffffffff, mixed, distance);
  }
  __shared__ unsigned of_warps[THREADS / 32];
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mixed;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < THREADS / 32; ++warp) mixed ^= of_warps[warp];
    words[blockIdx.x] = mixed;
  }
}

/// As many blocks as are under way at once, or fewer where there is less to read.
unsigned blocks_for(std::size_t bytes) {
  int device = 0;
  int processors = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
        "cudaDeviceGetAttribute");
  const std::size_t wanted = (bytes / 16 + THREADS - 1) / THREADS;
  return static_cast<unsigned>(
      std::min(wanted, std::size_t{4} * static_cast<unsigned>(processors)));
}

class Launch final : public Contender {
 public:
  explicit Launch(const Setup& setup) : stream_(setup.stream) {}
  void enqueue() override {
    nothing<<<1, 1, 0, stream_>>>();
    check(cudaGetLastError(), "the empty kernel");
  }
  std::string fault(int) override {
    check(cudaStreamSynchronize(stream_), "the empty kernel");
    return "";
  }

 private:
  cudaStream_t stream_;
};

class Read final : public Contender {
 public:
  explicit Read(const Setup& setup)
      : setup_(setup),
        bytes_(static_cast<std::size_t>(setup.group.items * setup.group.row_bytes())),
        words_(blocks_for(bytes_)) {
    if (bytes_ % 16 != 0) throw std::runtime_error("the rows are no multiple of 16 bytes");
  }
  void enqueue() override { read_memory(setup_.logits, bytes_, words_.data(), setup_.stream); }
  void restart() override {
    check(cudaMemsetAsync(words_.data(), 0x55, words_.size() * sizeof(unsigned), setup_.stream),
          "cudaMemsetAsync");
  }
  std::string fault(int) override {
    unsigned mixed = 0;
    for (const unsigned word : words_.read(setup_.stream)) mixed ^= word;
    return mixed == setup_.words ? "" : "other logits were read than there are";
  }

 private:
  Setup setup_;
  std::size_t bytes_;
  DeviceMemory<unsigned> words_;
};

}  // namespace

void read_memory(const void* memory, std::size_t bytes, unsigned* words, cudaStream_t stream) {
  read_once<<<blocks_for(bytes), THREADS, 0, stream>>>(static_cast<const uint4*>(memory),
                                                       bytes / 16, words);
  check(cudaGetLastError(), "the kernel that reads");
}

std::unique_ptr<Contender> make_launch(const Setup& setup) {
  return std::make_unique<Launch>(setup);
}
std::unique_ptr<Contender> make_read(const Setup& setup) { return std::make_unique<Read>(setup); }

}  // namespace device_bench
