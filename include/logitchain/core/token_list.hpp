// SPDX-License-Identifier: Apache-2.0
// A list of token ids: a few inline, or a view of the caller's array.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include <logitchain/core/config.hpp>
#include <logitchain/core/error.hpp>
#include <logitchain/core/span.hpp>

namespace logitchain::inline v0 {

/// Token ids of a stage. Up to `INLINE` ids are held by value; a longer list is a view of an array
/// of `std::int32_t` or `std::int64_t` that must outlive every step. Ids stay 64 bits wide until
/// they were checked against the vocabulary, which happens when a row is admitted and again at the
/// use.
class TokenList {
 public:
  static constexpr int INLINE = 8;

  constexpr TokenList() = default;

  template <std::integral Id>
    requires(!std::is_same_v<Id, bool>)
  constexpr explicit(false) TokenList(Id id) : size_(1) {  // EndOfSequence{2}
    constexpr std::uint64_t LARGEST = 0x7fffffffffffffffu;
    const bool beyond = std::is_unsigned_v<Id> && static_cast<std::uint64_t>(id) > LARGEST;
    ids_[0] = static_cast<std::int64_t>(beyond ? LARGEST : static_cast<std::uint64_t>(id));
  }

  /// @throws invalid_argument for more than `INLINE` ids: those need an array that lives on
  constexpr TokenList(std::initializer_list<std::int64_t> ids) {
    if (ids.size() > INLINE) {
      refuse("TokenList", "the number of ids in braces", ids.size(),
             "at most 8; give a longer list as a std::vector or host_span that outlives the steps");
    }
    for (const std::int64_t id : ids) ids_[size_++] = id;
  }

  template <class Id>
    requires(std::is_same_v<Id, std::int32_t> || std::is_same_v<Id, std::int64_t>)
  explicit(false) TokenList(const std::vector<Id>& ids) : TokenList(host_span<const Id>(ids)) {}
  template <class Id>
  TokenList(std::vector<Id>&&) = delete;  // the ids must outlive the steps

  constexpr explicit(false) TokenList(host_span<const std::int32_t> ids)  // a view
      : size_(ids.size()), view_(ids.data()) {}
  constexpr explicit(false) TokenList(host_span<const std::int64_t> ids)  // a view
      : size_(ids.size()), view_(ids.data()), wide_(true) {}
  constexpr explicit(false) TokenList(device_span<const std::int32_t> ids)  // a view
      : size_(ids.size()), view_(ids.data()), space_(Space::device) {}

  LOGITCHAIN_HD constexpr std::int64_t size() const { return size_; }
  LOGITCHAIN_HD constexpr bool empty() const { return size_ == 0; }
  LOGITCHAIN_HD constexpr bool is_view() const { return view_ != nullptr; }
  LOGITCHAIN_HD constexpr Space space() const { return space_; }

  LOGITCHAIN_HD std::int64_t operator[](std::int64_t i) const {
    if (!view_) return ids_[i];
    return wide_ ? static_cast<const std::int64_t*>(view_)[i]
                 : static_cast<const std::int32_t*>(view_)[i];
  }

  /// Position of `token`, -1 where it is not in the list.
  LOGITCHAIN_HD std::int64_t find(std::int64_t token) const {
    for (std::int64_t i = 0; i < size_; ++i) {
      if ((*this)[i] == token) return i;
    }
    return -1;
  }

 private:
  std::int64_t ids_[INLINE] = {};
  std::int64_t size_ = 0;
  const void* view_ = nullptr;
  Space space_ = Space::host;
  bool wide_ = false;
};

}  // namespace logitchain::inline v0
