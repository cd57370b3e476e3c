// SPDX-License-Identifier: Apache-2.0
// One block of memory for all arrays of a table, and the digest that names its content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace logitchain::inline v0::detail {

/// Fills storage section after section, in the order in which a view takes them.
class StorageWriter {
 public:
  explicit StorageWriter(std::int64_t bytes) : storage_(static_cast<std::size_t>(bytes)) {}

  template <class T>
  void append(std::span<const T> section) {
    if (!section.empty()) std::memcpy(storage_.data() + at_, section.data(), section.size_bytes());
    at_ += section.size_bytes();
  }
  template <class T>
  void append(const std::vector<T>& section) {
    append(std::span<const T>(section));
  }

  std::vector<std::byte> finish() && { return std::move(storage_); }

 private:
  std::vector<std::byte> storage_;
  std::size_t at_ = 0;
};

/// FNV-1a over 64 bits, folded to 32; never 0, which means "no table" in a row's state. `kind`
/// keeps tables of different kinds apart.
inline std::uint32_t digest_of(std::span<const std::byte> storage, std::uint64_t kind) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto mix = [&hash](std::uint64_t byte) { hash = (hash ^ byte) * 0x100000001b3U; };
  for (int shift = 0; shift < 64; shift += 8) mix((kind >> shift) & 0xffU);
  for (const std::byte byte : storage) mix(std::to_integer<std::uint64_t>(byte));
  const auto folded = static_cast<std::uint32_t>(hash ^ (hash >> 32));
  return folded == 0 ? 1 : folded;
}

}  // namespace logitchain::inline v0::detail
