// SPDX-License-Identifier: Apache-2.0
#include "oracle/philox.hpp"

namespace oracle {
namespace {

struct Product {
  std::uint32_t high, low;
};

Product multiplied(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t whole = std::uint64_t{a} * b;
  return {static_cast<std::uint32_t>(whole >> 32), static_cast<std::uint32_t>(whole)};
}

}  // namespace

Words philox(Words counter, std::array<std::uint32_t, 2> key) {
  auto [right0, left0, right1, left1] = counter;
  for (int round = 1; round <= 10; ++round) {
    const Product first = multiplied(0xD2511F53, right0);
    const Product second = multiplied(0xCD9E8D57, right1);
    right0 = second.high ^ left0 ^ key[0];
    left0 = second.low;
    right1 = first.high ^ left1 ^ key[1];
    left1 = first.low;
    key[0] += 0x9E3779B9;  // the golden ratio
    key[1] += 0xBB67AE85;  // the square root of 3, less 1
  }
  return {right0, left0, right1, left1};
}

std::uint64_t random_of(std::uint64_t seed, std::uint64_t position) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x & 0xFFFFFFFF); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  const Words block = philox({low(position), high(position), 0, 0}, {low(seed), high(seed)});
  return (std::uint64_t{block[1]} << 32) + block[0];
}

}  // namespace oracle
