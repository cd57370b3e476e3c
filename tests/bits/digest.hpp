// SPDX-License-Identifier: Apache-2.0
// A digest of bits, and arguments whose bits are well mixed: the same on every standard library.
#pragma once

#include <cstdint>
#include <cstdio>

#include <logitchain/core/bits.hpp>

namespace bits {

/// FNV-1a with 64 bits, over words in place of bytes.
class Digest {
 public:
  void take(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3u; }
  /// Every NaN alike: which of two operands' payloads a processor keeps, a compiler may change.
  void take(float x) {
    take(std::uint64_t{logitchain::is_nan(x) ? 0x7fc00000u : logitchain::bits_of(x)});
  }
  void take(double x) { take(x != x ? 0x7ff8000000000000u : logitchain::bits_of(x)); }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// One line of the output.
inline void print(const char* topic, const char* variant, const Digest& digest) {
  std::printf("%s%s %016llx\n", topic, variant, static_cast<unsigned long long>(digest.value()));
}

/// A word whose bits are well mixed.
inline std::uint32_t mixed(std::uint32_t i) {
  std::uint32_t x = i * 0x9e3779b9u;
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

/// Any float: subnormals, infinities and NaN as well.
inline float any_float(std::uint32_t i) { return logitchain::float_of(mixed(i)); }

/// A float as logits have them: within (-32, 32), with some 24 bits that count.
inline float logit(std::uint32_t i) {
  return static_cast<float>(static_cast<std::int32_t>(mixed(i)) >> 7) * 0x1p-20f;
}

}  // namespace bits
