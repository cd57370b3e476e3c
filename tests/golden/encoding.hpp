// SPDX-License-Identifier: Apache-2.0
// How golden files write numbers: hex, decimal, generated rows, hashes. None of it is the
// library's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lines.hpp"

namespace golden {

/// Values of `digits` (4 or 8) hex digits each, without separators.
/// @throws Fault for another character or a rest
std::vector<std::uint32_t> words_of_hex(const std::string& hex, std::size_t digits);

/// Bytes of two hex digits each.
std::vector<std::uint8_t> bytes_of_hex(const std::string& hex);

float widened_f16(std::uint16_t bits);
float widened_bf16(std::uint16_t bits);
/// To nearest, ties to even.
std::uint16_t rounded_f16(float value);
std::uint16_t rounded_bf16(float value);

/// A number, or "nan", "inf", "-inf", or a number as text.
double decimal_of(const Json& value);

/// Row of `logits_gen`: sums of splitmix64's four 16-bit fields, scaled, with peaks.
/// @throws Fault for another kind
std::vector<float> generated_logits(const Json& recipe, std::int64_t vocab);

/// FNV-1a 64 over bytes given one after another.
class Fnv1a64 {
 public:
  void byte(std::uint8_t value) { hash_ = (hash_ ^ value) * 0x100000001b3u; }
  void word(std::uint32_t value);  ///< four bytes, the lowest first
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// "3f800000 (1)"
std::string shown(float value);
/// "3f800000"
std::string hex_of(std::uint32_t bits);

}  // namespace golden
