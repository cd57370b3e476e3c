// SPDX-License-Identifier: Apache-2.0
// Copies a table's storage and spoils some of its integers, as a bad file or a stray write would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace logitchain_test {

inline std::vector<std::byte> copy_of(std::span<const std::byte> storage) {
  return {storage.begin(), storage.end()};
}

/// Overwrites the 32-bit word at a byte offset.
inline void set_word(std::vector<std::byte>& storage, std::size_t at, std::int32_t value) {
  std::memcpy(storage.data() + at, &value, sizeof value);
}

/// Spoils one to eight words at random places with values that index arithmetic dislikes.
inline std::vector<std::byte> damaged_copy(std::span<const std::byte> storage,
                                           std::mt19937& random) {
  constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t highest = std::numeric_limits<std::int32_t>::max();
  std::vector<std::byte> copy = copy_of(storage);
  const std::size_t words = storage.size() / 4;
  for (std::size_t left = 1 + random() % 8; left > 0; --left) {
    const std::size_t at = random() % words * 4;
    std::int32_t word = 0;
    std::memcpy(&word, copy.data() + at, sizeof word);
    const auto bit = static_cast<std::int32_t>(1U << (random() % 31));
    const std::int32_t values[] = {
        0, -1, -2, 1, lowest, highest, word ^ bit, static_cast<std::int32_t>(random() % 64)};
    set_word(copy, at, values[random() % 8]);
  }
  return copy;
}

}  // namespace logitchain_test
