// SPDX-License-Identifier: Apache-2.0
#include "row_text.hpp"

#include <algorithm>

namespace generate {
namespace {

constexpr std::string_view REPLACEMENT = "\xEF\xBF\xBD";

unsigned byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

// Length of the character that a byte begins, 0 if it begins none.
std::size_t character_length(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

// Whether `next` may follow `lead`: overlong forms, surrogates and what lies beyond U+10FFFF differ
// from characters in their second byte.
bool may_follow(unsigned lead, unsigned next, std::size_t place) {
  if ((next & 0xC0) != 0x80) return false;
  if (place > 1) return true;
  if (lead == 0xE0) return next >= 0xA0;
  if (lead == 0xED) return next < 0xA0;
  if (lead == 0xF0) return next >= 0x90;
  if (lead == 0xF4) return next < 0x90;
  return true;
}

// Bytes from `at` on that belong together, and whether they are a whole character.
struct Piece {
  std::size_t size;
  bool whole;
  bool cut_short;  // the text ends before the character does
};

Piece piece_at(std::string_view bytes, std::size_t at) {
  const unsigned lead = byte_at(bytes, at);
  const std::size_t length = character_length(lead);
  if (length == 0) return {1, false, false};
  for (std::size_t place = 1; place < length; ++place) {
    if (at + place == bytes.size()) return {place, false, true};
    if (!may_follow(lead, byte_at(bytes, at + place), place)) return {place, false, false};
  }
  return {length, true, false};
}

}  // namespace

std::string as_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const Piece piece = piece_at(bytes, at);
    text += piece.whole ? bytes.substr(at, piece.size) : REPLACEMENT;
    at += piece.size;
  }
  return text;
}

std::size_t incomplete_tail(std::string_view bytes) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, bytes.size()); ++back) {
    const std::size_t at = bytes.size() - back;
    if ((byte_at(bytes, at) & 0xC0) == 0x80) continue;
    const Piece piece = piece_at(bytes, at);
    return piece.cut_short ? back : 0;
  }
  return 0;
}

std::string RowText::ready() {
  const std::size_t end = bytes_.size() - may_be_stop();
  return show(end - incomplete_tail(std::string_view(bytes_).substr(0, end)));
}

std::string RowText::finish(std::optional<std::int64_t> cut) {
  if (cut)
    bytes_.resize(
        std::min(bytes_.size(), static_cast<std::size_t>(std::max<std::int64_t>(*cut, 0))));
  return show(bytes_.size());
}

std::string RowText::show(std::size_t end) {
  if (end <= shown_) return {};
  const std::string_view part = std::string_view(bytes_).substr(shown_, end - shown_);
  shown_ = end;
  return as_utf8(part);
}

// The longest end of the text that some stop string begins with.
std::size_t RowText::may_be_stop() const {
  std::size_t longest = 0;
  for (const std::string& stop : stops_) {
    for (std::size_t size = std::min(stop.size(), bytes_.size()); size > longest; --size) {
      if (bytes_.compare(bytes_.size() - size, size, stop, 0, size) == 0) longest = size;
    }
  }
  return longest;
}

}  // namespace generate
