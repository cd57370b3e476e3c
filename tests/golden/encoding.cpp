// SPDX-License-Identifier: Apache-2.0
#include "encoding.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace golden {

namespace {

std::uint32_t digit_of(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint32_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint32_t>(c - 'A' + 10);
  throw Fault(std::string("'") + c + "' is no hex digit");
}

// The nearest value with `fraction` bits behind the point of its binade, none below `smallest`.
float rounded_to(float value, int fraction, int smallest) {
  const int exponent = std::max(std::ilogb(value), smallest) - fraction;
  // Round half to even is the default mode of nearbyint.
  return std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
}

}  // namespace

std::vector<std::uint32_t> words_of_hex(const std::string& hex, std::size_t digits) {
  if (hex.size() % digits != 0) {
    throw Fault(std::to_string(hex.size()) + " hex digits are no multiple of " +
                std::to_string(digits));
  }
  std::vector<std::uint32_t> words(hex.size() / digits);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t k = 0; k < digits; ++k) {
      words[i] = words[i] << 4 | digit_of(hex[i * digits + k]);
    }
  }
  return words;
}

std::vector<std::uint8_t> bytes_of_hex(const std::string& hex) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint32_t word : words_of_hex(hex, 2)) {
    bytes.push_back(static_cast<std::uint8_t>(word));
  }
  return bytes;
}

float widened_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

float widened_f16(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const int exponent = bits >> 10 & 31;
  const std::uint32_t fraction = bits & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  const float size = exponent == 0
                         ? std::ldexp(static_cast<float>(fraction), -24)
                         : std::ldexp(static_cast<float>(fraction | 0x400u), exponent - 25);
  return sign ? -size : size;
}

std::uint16_t rounded_f16(float value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000u : 0u;
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00u);
  if (value == 0) return sign;
  const float near = std::isinf(value) ? value : rounded_to(std::fabs(value), 10, -14);
  if (std::fabs(near) > 65504.0f) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (near == 0) return sign;
  const int exponent = std::ilogb(near);
  const float unit = std::ldexp(near, exponent < -14 ? 24 : 10 - exponent);
  const auto fraction = static_cast<unsigned>(unit);
  const unsigned bits =
      exponent < -14 ? fraction : static_cast<unsigned>(exponent + 15) << 10 | (fraction & 0x3ffu);
  return static_cast<std::uint16_t>(sign | bits);
}

std::uint16_t rounded_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
  const std::uint32_t rest = bits & 0xffffu;
  std::uint32_t top = bits >> 16;
  if (rest > 0x8000u || (rest == 0x8000u && (top & 1u))) ++top;
  return static_cast<std::uint16_t>(top);
}

double decimal_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) throw Fault("neither a number nor text: " + value.dump());
  const auto text = value.get<std::string>();
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') throw Fault("no number: \"" + text + "\"");
  return number;
}

std::vector<float> generated_logits(const Json& recipe, std::int64_t vocab) {
  if (recipe.value("kind", "") != "sm64-sum4") {
    throw Fault("\"logits_gen\" is of kind " + recipe.value("kind", "?") + ", not sm64-sum4");
  }
  const auto seed = recipe.at("seed").get<std::uint64_t>();
  const double scale = recipe.at("scale").get<double>() / 32768.0;
  std::vector<float> row(static_cast<std::size_t>(vocab));
  for (std::size_t i = 0; i < row.size(); ++i) {
    std::uint64_t z = seed + (static_cast<std::uint64_t>(i) + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    const auto sum = static_cast<std::int64_t>((z & 0xffffu) + (z >> 16 & 0xffffu) +
                                               (z >> 32 & 0xffffu) + (z >> 48));
    row[i] = static_cast<float>(static_cast<double>(sum - 131070) * scale);
  }
  for (const Json& peak : recipe.value("peaks", Json::array())) {
    row.at(peak.at(0).get<std::size_t>()) = static_cast<float>(decimal_of(peak.at(1)));
  }
  return row;
}

void Fnv1a64::word(std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) byte(static_cast<std::uint8_t>(value >> shift));
}

std::string hex_of(std::uint32_t bits) {
  char text[16];
  std::snprintf(text, sizeof text, "%08x", bits);
  return text;
}

std::string shown(float value) {
  char text[40];
  std::snprintf(text, sizeof text, " (%.9g)", static_cast<double>(value));
  return hex_of(std::bit_cast<std::uint32_t>(value)) + text;
}

}  // namespace golden
