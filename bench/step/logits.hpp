// SPDX-License-Identifier: Apache-2.0
// The rows that are measured on: made once, kept in files, read by every contender.
//
//   flat      N(0, 0.5)
//   typical   N(-4, 2.5), and the 64 tokens of a head at 13 - 1.5 ln(rank): the best has about 0.4
//             of the mass, the head about 0.94, as a trained model's row in the middle of a text
//   peaked    N(-4, 2.5), and one token at 15, which has about 0.98 of the mass
//
// The end of sequence is at -30 everywhere. The tokens of a history are drawn with a probability
// that falls with the rank as 1/rank, the head's ranks first: 4,096 of them are about 1,800
// different ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include <logitchain/core/types.hpp>

#include "case.hpp"

namespace bench {

/// Memory that begins at a cache line, as that of tensor libraries does.
template <class T>
struct OnCacheLines {
  using value_type = T;
  static constexpr std::align_val_t LINE{64};

  OnCacheLines() = default;
  template <class U>
  OnCacheLines(const OnCacheLines<U>&) {}
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), LINE));
  }
  void deallocate(T* data, std::size_t) { ::operator delete(data, LINE); }
  friend bool operator==(const OnCacheLines&, const OnCacheLines&) { return true; }
};
template <class T>
using Row = std::vector<T, OnCacheLines<T>>;

/// One row of logits and one history, and the files in which they lie (native float32 and int64).
struct Input {
  Row<float> logits;
  Row<logitchain::half> halves;       ///< the same, rounded to the nearest binary16
  Row<logitchain::bfloat16> bfloats;  ///< and to the nearest bfloat16
  std::vector<std::int64_t> history;
  std::filesystem::path logits_file;
  std::filesystem::path history_file;
  std::uint64_t digest;  ///< FNV-1a of both files
};

/// Reads the input of a case from a folder; what is not there yet is made and written first.
Input read_input(const std::filesystem::path& folder, const Case& measured);

}  // namespace bench
