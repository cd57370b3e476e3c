// SPDX-License-Identifier: Apache-2.0
// Some of the chain types on both engines. LOGITCHAIN_BATCHES sets how many batches of each,
// LOGITCHAIN_SEED which.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include <gtest/gtest.h>

// The oracle's makers name parameters to visitors of the host.
#pragma nv_diag_suppress 20014
#include "cuda/engines.cuh"

namespace {

using namespace cuda_test;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr && *text != '\0' ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Clusters of every size and streamed rows, every alignment, small rows and a few large ones.
template <std::size_t Chain>
void compare_batches() {
  const std::uint64_t batches = number_from("LOGITCHAIN_BATCHES", 24);
  const std::uint64_t seed = number_from("LOGITCHAIN_SEED", 1) * 1'000'003;
  constexpr int CLUSTERS[] = {1, 4, 8, 16, 2, 0};
  constexpr int STREAMING_CLUSTERS[] = {1, 2, 0, 4};
  for (std::uint64_t i = 0; i < batches; ++i) {
    Sizes sizes{};
    if (i % 12 == 10 || i % 12 == 11) sizes = {.vocab = 20'000, .most_rows = 2, .most_steps = 2};
    const bool streams = i % 2 == 1;
    const std::uint64_t own = seed + Chain * 10'007 + i;
    const std::string difference =
        compare(ChainAt<Chain>{}, own, sizes,
                {.cluster = streams ? STREAMING_CLUSTERS[i / 2 % 4] : CLUSTERS[i / 2 % 6],
                 .residence = streams       ? Residence::streaming
                              : i % 12 == 0 ? Residence::automatic
                                            : Residence::resident,
                 .offset = static_cast<std::int64_t>(i / 2 % 4)});
    ASSERT_TRUE(difference.empty()) << "chain " << Chain << ", seed " << own << ": " << difference;
  }
}

template <std::size_t... Chain>
void compare_chains(std::index_sequence<Chain...>) {
  (compare_batches<Chain>(), ...);
}

TEST(Engines, AgreeBitForBit) { compare_chains(std::index_sequence<LOGITCHAIN_TEST_CHAINS>{}); }

}  // namespace
