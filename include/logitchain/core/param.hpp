// SPDX-License-Identifier: Apache-2.0
// A number of a transform or criterion: one for the batch, or one per row.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/span.hpp>

namespace logitchain::inline v0 {

/// An array with one number per row of the state, as `per_row` makes it.
template <class T>
struct PerRow {
  const T* data = nullptr;
  std::int64_t count = 0;
  Space space = Space::host;
  std::int32_t stride = 1;
};

/// One number per row of the state, read anew at each step. The array must hold at least as many
/// numbers as the state has rows and must outlive every step that uses it.
template <class T>
constexpr PerRow<std::remove_const_t<T>> per_row(host_span<T> values) {
  return {values.data(), values.size(), Space::host, 1};
}
/// @copydoc per_row
template <class T>
constexpr PerRow<std::remove_const_t<T>> per_row(device_span<T> values) {
  return {values.data(), values.size(), Space::device, 1};
}
/// @copydoc per_row
template <class T>
PerRow<T> per_row(const std::vector<T>& values) {
  return {values.data(), static_cast<std::int64_t>(values.size()), Space::host, 1};
}
template <class T>
void per_row(std::vector<T>&&) = delete;  // the array must outlive the steps

/// One number for all rows that is read anew at each step: the way to change a batch-wide number
/// under a captured graph. The array holds one number.
template <class T>
constexpr PerRow<std::remove_const_t<T>> read_each_step(host_span<T> value) {
  return {value.data(), value.size(), Space::host, 0};
}
/// @copydoc read_each_step
template <class T>
constexpr PerRow<std::remove_const_t<T>> read_each_step(device_span<T> value) {
  return {value.data(), value.size(), Space::device, 0};
}

/// One number for the batch, or one per row. `T` is `float` or `std::int32_t`, the element type of
/// a per-row array; a batch-wide number is held as `double` or `std::int64_t` and is converted
/// once, by the transform, so that `TopK{1ll << 40}` is refused and not narrowed.
template <class T>
struct Param {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, std::int32_t>);
  using Value = std::conditional_t<std::is_same_v<T, float>, double, std::int64_t>;

  Value value{};
  const T* rows = nullptr;
  std::int64_t count = 0;
  Space space = Space::host;
  bool memory = false;  ///< an array was given, be it empty
  std::int32_t stride = 1;

  constexpr Param() = default;

  template <class U>
    requires(std::is_arithmetic_v<U> && !std::is_same_v<U, bool> &&
             (std::is_same_v<T, float> || std::is_integral_v<U>))
  constexpr explicit(false) Param(U number) : value(held(number)) {}  // TopK{20}

  constexpr explicit(false) Param(PerRow<T> numbers)  // TopK{per_row(ks)}
      : rows(numbers.data),
        count(numbers.count),
        space(numbers.space),
        memory(true),
        stride(numbers.stride) {}

  /// True where the number is read from memory at each step.
  LOGITCHAIN_HD constexpr bool in_memory() const { return memory; }

  /// The number of a row of the state.
  LOGITCHAIN_HD Value at(std::int64_t row) const {
    if (!rows) return value;
    if constexpr (std::is_same_v<T, float>) {
      return to_double(rows[row * stride]);
    } else {
      return rows[row * stride];
    }
  }

 private:
  // An unsigned number beyond 63 bits must not come out negative.
  template <class U>
  static constexpr Value held(U number) {
    if constexpr (std::is_integral_v<Value> && std::is_unsigned_v<U>) {
      constexpr std::uint64_t LARGEST = 0x7fffffffffffffffu;
      return static_cast<Value>(number > LARGEST ? LARGEST : number);
    } else {
      return static_cast<Value>(number);
    }
  }
};

}  // namespace logitchain::inline v0
