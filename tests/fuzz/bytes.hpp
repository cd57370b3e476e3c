// SPDX-License-Identifier: Apache-2.0
// Numbers out of a fuzzer's bytes, and how a target reports what it found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <span>
#include <string>

namespace fuzz {

/// Takes bytes from the front; zeros when they are spent.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  bool spent() const { return rest_.empty(); }
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const std::uint8_t first = rest_[0];
    rest_ = rest_.subspan(1);
    return first;
  }
  /// In [0, limit), limit at most 256.
  std::int64_t below(std::int64_t limit) { return byte() % limit; }
  /// In [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  /// True once in `of` times.
  bool rarely(std::int64_t of) { return below(of) == of - 1; }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[static_cast<std::size_t>(byte()) % values.size()];
  }
  std::span<const std::uint8_t> rest() const { return rest_; }

 private:
  std::span<const std::uint8_t> rest_;
};

/// Ends the run: the fuzzer keeps the bytes that led here.
[[noreturn]] inline void found(const std::string& what) {
  std::fprintf(stderr, "\nFOUND: %s\n", what.c_str());
  std::abort();
}

}  // namespace fuzz
