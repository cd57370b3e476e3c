// SPDX-License-Identifier: Apache-2.0
// What a builder asks of a vocabulary: the bytes of each token.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string_view>

namespace logitchain::inline v0 {

/// A vocabulary that gives each token's bytes: `size()` tokens, `bytes(id)` for id in
/// `[0, size())` convertible to `std::string_view` (a string returned by value as well). A token
/// that yields no text (special, hole) gives no bytes. Bytes need not be UTF-8: a piece may hold
/// half a character, and zeros.
template <class Pieces>
concept TokenBytes = requires(const Pieces& pieces, std::int64_t id) {
  { pieces.size() } -> std::convertible_to<std::size_t>;
  { pieces.bytes(id) } -> std::convertible_to<std::string_view>;
};

/// The same as a plain list, for example `std::vector<std::string>`: element i is token i.
template <class Pieces>
concept TokenBytesList =
    !TokenBytes<Pieces> && std::ranges::random_access_range<const Pieces> &&
    std::ranges::sized_range<const Pieces> &&
    std::convertible_to<std::ranges::range_reference_t<const Pieces>, std::string_view>;

namespace detail {

template <class Pieces>
std::size_t piece_count(const Pieces& pieces) {
  if constexpr (TokenBytes<Pieces>) {
    return static_cast<std::size_t>(pieces.size());
  } else {
    return static_cast<std::size_t>(std::ranges::size(pieces));
  }
}

/// Calls `visit(std::string_view)` with the bytes of one token, alive during the call.
template <class Pieces, class Visit>
void with_piece(const Pieces& pieces, std::int64_t id, Visit&& visit) {
  if constexpr (TokenBytes<Pieces>) {
    auto&& piece = pieces.bytes(id);
    visit(static_cast<std::string_view>(piece));
  } else {
    using Distance = std::ranges::range_difference_t<const Pieces>;
    auto&& piece = std::ranges::begin(pieces)[static_cast<Distance>(id)];
    visit(static_cast<std::string_view>(piece));
  }
}

}  // namespace detail
}  // namespace logitchain::inline v0
