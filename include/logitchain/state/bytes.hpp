// SPDX-License-Identifier: Apache-2.0
// Numbers as bytes, lowest first on every machine, and a checksum over them.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <logitchain/core/span.hpp>

namespace logitchain::inline v0::detail {

/// FNV-1a, 64 bits: any single changed byte changes it.
inline std::uint64_t checksum(const std::byte* bytes, std::int64_t count) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (std::int64_t i = 0; i < count; ++i) {
    sum = (sum ^ std::to_integer<std::uint64_t>(bytes[i])) * 0x100000001b3u;
  }
  return sum;
}

/// Appends numbers.
class ByteWriter {
 public:
  explicit ByteWriter(std::int64_t expected) { bytes_.reserve(static_cast<std::size_t>(expected)); }
  template <std::integral T>
  void put(T value) {
    const auto bits = static_cast<std::make_unsigned_t<T>>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bytes_.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(bits) >> (8 * i)));
    }
  }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Takes numbers; the caller has made sure that there are as many.
class ByteReader {
 public:
  explicit ByteReader(const std::byte* at) : at_(at) {}
  template <std::integral T>
  T take() {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bits |= std::to_integer<std::uint64_t>(at_[i]) << (8 * i);
    }
    at_ += sizeof(T);
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(bits));
  }

 private:
  const std::byte* at_;
};

}  // namespace logitchain::inline v0::detail
