// SPDX-License-Identifier: Apache-2.0
// Which table a row uses: one for all rows, or one of several chosen per row.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <logitchain/core/config.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/span.hpp>

namespace logitchain::inline v0 {

/// A view of a compiled table, or an array of views with an index per row. Tables and arrays must
/// outlive every step that uses them. Index -1 gives a row no table: the stage is off for it.
template <class View>
class TableRef {
 public:
  constexpr TableRef() = default;
  constexpr explicit(false) TableRef(const View& view) : one_(view), count_(1) {}

  /// A table that owns its memory; it must live on, so a temporary is refused.
  template <class Table>
    requires(!std::is_same_v<Table, View> &&
             requires(const Table& table) {
               { table.view() } -> std::convertible_to<View>;
             })
  constexpr explicit(false) TableRef(const Table& table) : one_(table.view()), count_(1) {}
  template <class Table>
    requires(!std::is_same_v<Table, View> &&
             requires(const Table& table) {
               { table.view() } -> std::convertible_to<View>;
             })
  TableRef(const Table&&) = delete;

  /// Several tables; row r uses `views[index.at(r)]`.
  constexpr TableRef(host_span<const View> views, Param<std::int32_t> index)
      : views_(views.data()), count_(views.size()), index_(index) {}
  constexpr TableRef(device_span<const View> views, Param<std::int32_t> index)
      : views_(views.data()), count_(views.size()), index_(index), space_(Space::device) {}

  /// The row's table; null where its index is -1. Only for rows that `valid` accepts.
  LOGITCHAIN_HD const View* of(std::int64_t row) const {
    if (!views_) return count_ ? &one_ : nullptr;
    const std::int64_t i = index_.at(row);
    return i < 0 ? nullptr : views_ + i;
  }
  /// True where the row's index names a table or is -1.
  LOGITCHAIN_HD bool valid(std::int64_t row) const {
    if (!views_) return true;
    const std::int64_t i = index_.at(row);
    return i >= -1 && i < count_;
  }

  constexpr std::int64_t count() const { return count_; }
  constexpr const View& view(std::int64_t i) const { return views_ ? views_[i] : one_; }
  constexpr const Param<std::int32_t>& index() const { return index_; }
  /// Where the array of views lies (a single view travels with the stage).
  constexpr Space space() const { return space_; }
  constexpr bool is_array() const { return views_ != nullptr; }

 private:
  View one_{};
  const View* views_ = nullptr;
  std::int64_t count_ = 0;
  Param<std::int32_t> index_{};
  Space space_ = Space::host;
};

}  // namespace logitchain::inline v0
