// SPDX-License-Identifier: Apache-2.0
// The text of a row as it grows, and how far it may be shown already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace generate {

/// `bytes` as UTF-8: each byte that belongs to no character becomes U+FFFD. A character that is
/// not complete at the end counts as such bytes.
std::string as_utf8(std::string_view bytes);

/// Bytes at the end of `bytes` that begin a character and do not complete it, 0 to 3.
std::size_t incomplete_tail(std::string_view bytes);

/// One row's text. What may still turn out to be half a character or the beginning of a stop
/// string is held back until it is known.
class RowText {
 public:
  explicit RowText(std::vector<std::string> stops) : stops_(std::move(stops)) {}

  /// Adds the bytes of a token.
  void append(std::string_view bytes) { bytes_ += bytes; }

  /// What can be shown now and was not before, whole characters of UTF-8. Not to be asked between a
  /// token that ends the row and `finish`.
  std::string ready();

  /// Ends the row, at byte `cut` where a stop string begins there; gives what was held back.
  std::string finish(std::optional<std::int64_t> cut);

  /// All of the text so far as UTF-8, once it has ended what was cut off excepted.
  std::string text() const { return as_utf8(bytes_); }

 private:
  std::string show(std::size_t end);
  std::size_t may_be_stop() const;

  std::vector<std::string> stops_;
  std::string bytes_;
  std::size_t shown_ = 0;
};

}  // namespace generate
