// SPDX-License-Identifier: Apache-2.0
// The tokens that would repeat an n-gram, as the members of a listed map: one entry per window.
#pragma once

#include <cstdint>

#include <logitchain/core/config.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/core/types.hpp>

namespace logitchain::inline v0::detail {

/// Windows of `length` tokens in the first `end` tokens of a history. One whose beginning equals
/// the history's last length - 1 tokens lists its own last token; the others list nothing. Reads
/// the history anew at each step. Asked for one after the other, the windows together cost a few
/// comparisons per token of the history, whatever it holds: long beginnings are searched for by
/// the two-way algorithm of Crochemore and Perrin (1991), which needs no memory. Out of order, or
/// from several threads with a copy each, answers are the same.
class NgramWindows {
 public:
  /// @param length at least 1
  /// @param end at least `length`
  LOGITCHAIN_HD NgramWindows(const RowView& row, std::int64_t length, std::int64_t end)
      : row_(row), size_(end - length + 1), pattern_(length - 1), suffix_(row.total() - pattern_) {
    // An id outside of the vocabulary (a placeholder of an image, say) belongs to no n-gram.
    for (std::int64_t i = pattern_ - 1; i >= 0 && size_ > 0; --i) {
      if (!inside(wanted(i))) size_ = 0;
    }
    if (pattern_ >= LONG && size_ > 0) factorize();
  }

  LOGITCHAIN_HD std::int64_t size() const { return size_; }
  LOGITCHAIN_HD std::int64_t token(std::int64_t i) const {
    if (pattern_ < LONG || i != next_) {
      if (i > at_ && i < next_) return -1;
      for (std::int64_t j = pattern_ - 1; j >= 0; --j) {
        if (!agrees(i, j)) return -1;
      }
    } else if (!matches_next()) {
      return -1;
    }
    const std::int32_t last = row_.history(i + pattern_);
    return inside(last) ? last : -1;
  }
  /// A ban gives -inf whatever the score was.
  LOGITCHAIN_HD float operator()(std::int64_t, float) const { return FILTER; }

 private:
  /// Shorter beginnings are compared window by window.
  static constexpr std::int64_t LONG = 16;

  LOGITCHAIN_HD bool inside(std::int32_t token) const { return token >= 0 && token < row_.vocab(); }
  LOGITCHAIN_HD std::int32_t wanted(std::int64_t j) const { return row_.history(suffix_ + j); }
  LOGITCHAIN_HD bool agrees(std::int64_t i, std::int64_t j) const {
    return row_.history(i + j) == wanted(j);
  }

  /// Where the greatest suffix of the pattern begins, and its period; by the order of ids or by
  /// the reverse of it.
  LOGITCHAIN_HD std::int64_t greatest_suffix(bool reversed, std::int64_t& period) const {
    std::int64_t begin = -1;
    std::int64_t candidate = 0;
    std::int64_t offset = 1;
    period = 1;
    while (candidate + offset < pattern_) {
      const std::int32_t a = wanted(candidate + offset);
      const std::int32_t b = wanted(begin + offset);
      if (a == b) {
        if (offset != period) {
          ++offset;
        } else {
          candidate += period;
          offset = 1;
        }
      } else if ((a < b) != reversed) {
        candidate += offset;
        offset = 1;
        period = candidate - begin;
      } else {
        begin = candidate++;
        offset = period = 1;
      }
    }
    return begin + 1;
  }

  /// Splits the pattern at a critical place: no part of it repeats around that place within less
  /// than its period.
  LOGITCHAIN_HD void factorize() {
    std::int64_t period_of_other = 0;
    split_ = greatest_suffix(false, period_);
    const std::int64_t other = greatest_suffix(true, period_of_other);
    if (other >= split_) {
      split_ = other;
      period_ = period_of_other;
    }
    std::int64_t same = 0;
    while (same < split_ && wanted(same) == wanted(same + period_)) ++same;
    if (same < split_) {
      period_ = (split_ > pattern_ - split_ ? split_ : pattern_ - split_) + 1;
    } else {
      kept_ = pattern_ - period_;
    }
  }

  /// Compares window `next_` and finds how many behind it cannot match.
  LOGITCHAIN_HD bool matches_next() const {
    at_ = next_;
    std::int64_t j = split_ > known_ ? split_ : known_;
    while (j < pattern_ && agrees(at_, j)) ++j;
    if (j < pattern_) {
      next_ = at_ + j - split_ + 1;
      known_ = 0;
      return false;
    }
    j = split_ - 1;
    while (j >= known_ && agrees(at_, j)) --j;
    const bool matches = j < known_;
    next_ = at_ + period_;
    known_ = kept_;
    return matches;
  }

  RowView row_;
  std::int64_t size_;
  std::int64_t pattern_;     // tokens of a window's beginning
  std::int64_t suffix_;      // where the history's last tokens, which it must equal, begin
  std::int64_t split_ = 0;   // the critical place
  std::int64_t period_ = 1;  // how far to go behind a window whose right part agreed
  std::int64_t kept_ = 0;    // tokens of the next window that are then known to agree
  // Where the search stands: windows between `at_` and `next_` do not match.
  mutable std::int64_t at_ = -1;
  mutable std::int64_t next_ = 0;
  mutable std::int64_t known_ = 0;
};

}  // namespace logitchain::inline v0::detail
