// SPDX-License-Identifier: Apache-2.0
// What a row begins with: its slot, prompt, what was generated before, seed and budget.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace logitchain::inline v0 {

/// Token ids that a request owns, 64 bits wide until they are checked. Made from `{1, 2, 3}` or
/// from any range of integers.
class TokenIds {
 public:
  TokenIds() = default;
  TokenIds(std::initializer_list<std::int64_t> ids) : ids_(ids) {}
  explicit(false) TokenIds(std::vector<std::int64_t> ids) : ids_(std::move(ids)) {}

  template <class Range>
    requires(!std::is_same_v<std::remove_cvref_t<Range>, TokenIds> &&
             !std::is_same_v<std::remove_cvref_t<Range>, std::vector<std::int64_t>> &&
             requires(const std::remove_cvref_t<Range>& range) {
               { *std::begin(range) } -> std::convertible_to<std::int64_t>;
               std::end(range);
               requires std::integral<std::remove_cvref_t<decltype(*std::begin(range))>>;
               requires !std::is_same_v<std::remove_cvref_t<decltype(*std::begin(range))>, bool>;
             })
  explicit(false) TokenIds(const Range& range) {
    for (const auto id : range) ids_.push_back(widened(id));
  }

  std::int64_t size() const { return static_cast<std::int64_t>(ids_.size()); }
  bool empty() const { return ids_.empty(); }
  std::int64_t operator[](std::int64_t i) const { return ids_[static_cast<std::size_t>(i)]; }
  void push_back(std::int64_t id) { ids_.push_back(id); }
  const std::int64_t* data() const { return ids_.data(); }
  const std::int64_t* begin() const { return ids_.data(); }
  const std::int64_t* end() const { return ids_.data() + ids_.size(); }
  friend bool operator==(const TokenIds&, const TokenIds&) = default;

 private:
  /// An unsigned id that does not fit stays too large; it must not come out as another number.
  template <class Id>
  static std::int64_t widened(Id id) {
    if (std::cmp_greater(id, std::numeric_limits<std::int64_t>::max())) {
      return std::numeric_limits<std::int64_t>::max();
    }
    return static_cast<std::int64_t>(id);
  }

  std::vector<std::int64_t> ids_;
};

/// The beginning of a row: `{.row = 0, .prompt = {1, 2, 3}, .seed = 7}`.
struct Request {
  std::int64_t row;  ///< slot of the state, in [0, rows), not active
  /// Ids in [0, 2^31 - 1]. Those at or above the vocabulary stay in the history and count for
  /// nothing.
  TokenIds prompt;
  /// Tokens generated before, for a row that goes on after it was away: it continues as if it had
  /// stayed. No criterion is asked for them.
  TokenIds generated = {};
  /// Seed of the row's draws. Without it the state's `Shape::seed` must be there.
  std::optional<std::uint64_t> seed = {};
  /// Tokens that the row may generate in all, `generated` included, in [0, capacity - prompt].
  /// Without it: all that fit.
  std::optional<std::int64_t> budget = {};
};

}  // namespace logitchain::inline v0
