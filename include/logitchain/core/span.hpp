// SPDX-License-Identifier: Apache-2.0
// Memory spaces as types: a span of host memory is not a span of device memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include <logitchain/core/config.hpp>

namespace logitchain::inline v0 {

/// Where an array lies.
enum class Space : std::uint8_t { host, device };

/// `size` elements of host memory that the caller keeps alive.
/// Built from a pointer and a size, or from anything contiguous (`std::vector`, `std::array`, a C
/// array, `std::span`); a temporary container is refused by the compiler unless elements are const.
template <class T>
class host_span {
 public:
  static constexpr Space space = Space::host;
  using Element = T;

  constexpr host_span() = default;
  LOGITCHAIN_HD constexpr host_span(T* data, std::int64_t size) : data_(data), size_(size) {}
  host_span(std::nullptr_t, std::int64_t) = delete;  // {0, 1} is no pointer and no size

  template <class Range>
    requires(!std::is_same_v<std::remove_cvref_t<Range>, host_span> &&
             requires(Range&& range) {
               std::data(range);
               std::size(range);
               requires std::is_convertible_v<
                   std::remove_pointer_t<decltype(std::data(range))>(*)[], T(*)[]>;
             })
  constexpr explicit(false) host_span(Range&& range)  // a span is a view
      : data_(std::data(range)), size_(static_cast<std::int64_t>(std::size(range))) {}

  LOGITCHAIN_HD constexpr T* data() const { return data_; }
  LOGITCHAIN_HD constexpr std::int64_t size() const { return size_; }
  LOGITCHAIN_HD constexpr bool empty() const { return size_ == 0; }
  LOGITCHAIN_HD constexpr T& operator[](std::int64_t i) const { return data_[i]; }
  LOGITCHAIN_HD constexpr T* begin() const { return data_; }
  LOGITCHAIN_HD constexpr T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

/// `size` elements of device memory that the caller keeps alive. Never read on the host.
template <class T>
class device_span {
 public:
  static constexpr Space space = Space::device;
  using Element = T;

  constexpr device_span() = default;
  LOGITCHAIN_HD constexpr device_span(T* data, std::int64_t size) : data_(data), size_(size) {}
  device_span(std::nullptr_t, std::int64_t) = delete;
  LOGITCHAIN_HD constexpr T* data() const { return data_; }
  LOGITCHAIN_HD constexpr std::int64_t size() const { return size_; }
  LOGITCHAIN_HD constexpr bool empty() const { return size_ == 0; }

 private:
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace logitchain::inline v0
