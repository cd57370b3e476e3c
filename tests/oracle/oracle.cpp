// SPDX-License-Identifier: Apache-2.0
#include "oracle/oracle.hpp"

#include "oracle/filters.hpp"
#include "oracle/philox.hpp"

namespace oracle {

Scores transformed(const Chain& chain, const Row& row, Scores scores, const Functions& functions) {
  for (const Stage& stage : chain) {
    std::visit(
        [&](const auto& one) {
          if constexpr (requires { run(one, row, scores); }) {
            run(one, row, scores);
          } else if (has_distribution(scores)) {
            run(one, scores, functions);
          }
        },
        stage);
  }
  return scores;
}

std::int64_t drawn(const Scores& scores, std::uint64_t seed, std::uint64_t position,
                   const Functions& functions) {
  if (!has_distribution(scores)) return -1;
  const std::vector<std::uint64_t> mass = masses(scores, functions);
  std::uint64_t total = 0;
  for (const std::uint64_t one : mass) total += one;
  const __uint128_t scaled = static_cast<__uint128_t>(random_of(seed, position)) * total;
  const std::uint64_t target = static_cast<std::uint64_t>(scaled >> 64);
  std::uint64_t cumulative = 0;
  std::int64_t token = 0;
  for (const std::uint64_t one : mass) {
    cumulative += one;
    if (cumulative > target) return token;
    ++token;
  }
  return -1;
}

}  // namespace oracle
