// SPDX-License-Identifier: Apache-2.0
// Numbers as bytes, lowest first on every machine, and a checksum over them.
#pragma once

#include <cstddef>
#include <cstdint>

#include <logitchain/core/config.hpp>

namespace logitchain::inline v0::detail {

/// FNV-1a, 64 bits: any single changed byte changes it. Numbers of several bytes count as these,
/// lowest first: a device reads whole words.
template <class T>
LOGITCHAIN_HD std::uint64_t checksum(const T* numbers, std::int64_t count) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t bits = static_cast<std::uint64_t>(numbers[i]);
    for (std::size_t j = 0; j < sizeof(T); ++j) {
      sum = (sum ^ ((bits >> (8 * j)) & 0xffu)) * 0x100000001b3u;
    }
  }
  return sum;
}

/// Puts numbers, enumerators included, one behind the other; the caller has made room.
struct ByteWriter {
  std::byte* at;

  template <class T>
  LOGITCHAIN_HD void operator()(T value) {
    const std::uint64_t bits = static_cast<std::uint64_t>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i) *at++ = static_cast<std::byte>(bits >> (8 * i));
  }
};

/// Takes numbers; the caller has made sure that there are as many.
struct ByteReader {
  const std::byte* at;

  template <class T>
  LOGITCHAIN_HD void operator()(T& value) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bits |= static_cast<std::uint64_t>(*at++) << (8 * i);
    }
    value = static_cast<T>(bits);
  }
  template <class T>
  LOGITCHAIN_HD T take() {
    T value{};
    (*this)(value);
    return value;
  }
};

}  // namespace logitchain::inline v0::detail
