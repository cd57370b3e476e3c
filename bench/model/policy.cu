// SPDX-License-Identifier: Apache-2.0
// Prints what the policy says for some devices, items and vocabularies: the model's copy of its
// rules is compared with it. Runs on the host alone.
#include <cstdio>

#include <logitchain/engine/cuda/policy.cuh>

int main() {
  using namespace logitchain;
  const DeviceLimits h200{90, 132, 232448, {66, 30, 8, -1}};
  const DeviceLimits a100{80, 108, 166912};
  std::printf("%zu %d\n", sizeof(detail::cuda::Shared), detail::cuda::THREADS);
  for (const DeviceLimits& limits : {h200, a100}) {
    for (const std::int64_t vocab : {1000, 32'000, 65'536, 128'256, 151'936, 262'144, 500'000}) {
      for (const std::int64_t items : {1, 2, 8, 9, 16, 17, 32, 33, 34, 64, 66, 67, 132, 133, 512}) {
        const int size = cluster_for(limits, items, vocab);
        const auto depth = [&](bool lists) {
          return detail::cuda::stream_sizes(vocab, lists, limits.shared_bytes).depth;
        };
        std::printf(
            "%d %lld %lld %d %d %d %zu %d %d\n", limits.architecture, static_cast<long long>(vocab),
            static_cast<long long>(items), size, streams_for(limits, items, vocab) ? 1 : 0,
            streaming_cluster_for(limits, items, vocab),
            size == 0
                ? std::size_t{0}
                : detail::cuda::shared_bytes(std::int64_t{detail::cuda::strip_of(vocab, size)} *
                                             detail::cuda::WARPS),
            depth(false), depth(true));
      }
    }
  }
}
