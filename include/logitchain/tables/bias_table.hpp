// SPDX-License-Identifier: Apache-2.0
// Read side of compiled sequence biases and bad words: an automaton over token ids with lists.
#pragma once

#include <cstddef>
#include <cstdint>

#include <logitchain/core/arithmetic.hpp>
#include <logitchain/core/automaton_slot.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/tables/automaton.hpp>

namespace logitchain::inline v0 {

/// One token and the sum of what is to be added to its score.
struct ListedBias {
  static constexpr std::int32_t SKIP = -1;     ///< nothing here; the token is listed elsewhere
  static constexpr std::int32_t INVALID = -2;  ///< damaged table: the row is `invalid_table`
  std::int32_t token = SKIP;
  float bias = 0.0F;  ///< -inf bans; never NaN in a sound table
};

/// Counts of a bias table; with them its storage can be bound again wherever it was copied to.
struct BiasTableShape {
  std::int32_t nodes = 0;  ///< nodes of the automaton, the root included
  std::int32_t items = 0;  ///< distinct entries
  std::int64_t vocab = 0;  ///< tokens
  std::uint32_t tag = 0;   ///< digest of the content, never 0

  /// Size of the storage: 28 bytes per node, 12 per entry.
  LOGITCHAIN_HD constexpr std::int64_t storage_bytes() const {
    return 28 * std::int64_t{nodes} + 8 + 12 * std::int64_t{items};
  }
};

/// View of a bias table in host or device memory; the storage must outlive it. Trivially copyable.
///
/// The state is the longest suffix of the row's tokens that is the beginning (all but the last
/// token) of some entry. An entry lies at the node of its beginning, once; what applies in a state
/// is found along its suffixes that own entries, down to the root, which owns the single tokens.
/// So memory is linear in the tokens of all entries. The rules are those of Transformers'
/// SequenceBiasLogitsProcessor.
class BiasTableView {
 public:
  BiasTableView() = default;

  /// Binds storage of `shape.storage_bytes()` bytes, aligned to 4.
  LOGITCHAIN_HD BiasTableView(const std::byte* storage, const BiasTableShape& shape,
                              Space space = Space::host)
      : shape_(shape), space_(space) {
    const std::int64_t nodes = shape.nodes;
    automaton_.nodes = shape.nodes;
    automaton_.first_child = detail::take_section<std::int32_t>(storage, nodes + 1);
    automaton_.fail = detail::take_section<std::int32_t>(storage, nodes);
    automaton_.label = detail::take_section<std::int32_t>(storage, nodes);
    depth_ = detail::take_section<std::int32_t>(storage, nodes);
    begin_ = detail::take_section<std::int32_t>(storage, nodes + 1);
    link_ = detail::take_section<std::int32_t>(storage, nodes);
    listed_ = detail::take_section<std::int32_t>(storage, nodes);
    token_ = detail::take_section<std::int32_t>(storage, shape.items);
    order_ = detail::take_section<std::int32_t>(storage, shape.items);
    bias_ = detail::take_section<float>(storage, shape.items);
  }

  /// State of a row before its first token.
  LOGITCHAIN_HD AutomatonSlot start() const {
    AutomatonSlot slot;
    slot.tag = shape_.tag;
    return slot;
  }

  /// State after one more token, of the prompt or generated. An id outside of `[0, vocab())`
  /// forgets what was matched. `node` becomes DAMAGED_NODE, for ever, where the table is damaged.
  LOGITCHAIN_HD AutomatonSlot advance(AutomatonSlot slot, std::int64_t token) const {
    if (!automaton_.holds(slot.node)) {
      slot.node = DAMAGED_NODE;
    } else if (token < 0 || token >= shape_.vocab) {
      slot.node = 0;
    } else {
      slot.node = automaton_.next(slot.node, static_cast<std::int32_t>(token));
    }
    return slot;
  }

  /// How many list positions the state has: at least the number of distinct tokens biased in it.
  /// DAMAGED_NODE (-1) for a damaged table or node.
  LOGITCHAIN_HD int listed(int node) const {
    if (!automaton_.holds(node)) return DAMAGED_NODE;
    const std::int32_t count = listed_[node];
    return count >= 0 && count <= shape_.items ? count : DAMAGED_NODE;
  }

  /// List position `i` in `[0, listed(node))`, in any order and from any thread. `total`: tokens in
  /// the row's history. Every token biased in this state is answered at exactly one position, with
  /// its whole sum as `of` gives it; other positions answer SKIP. Any other `i` answers INVALID.
  LOGITCHAIN_HD ListedBias entry(int node, int i, std::int64_t total) const {
    if (!automaton_.holds(node) || i < 0) return {ListedBias::INVALID, 0.0F};
    std::int32_t at = node;
    std::int32_t position = i;
    for (;;) {
      if (!owns_range(at)) return {ListedBias::INVALID, 0.0F};
      const std::int32_t own = begin_[at + 1] - begin_[at];
      if (position < own) break;
      position -= own;
      if (at == 0) return {ListedBias::INVALID, 0.0F};
      at = shorter(at);
      if (at < 0) return {ListedBias::INVALID, 0.0F};
    }
    if (!applies(at, total)) return {};
    const std::int32_t item = begin_[at] + position;
    const std::int32_t token = token_[item];
    if (token < 0 || token >= shape_.vocab) return {ListedBias::INVALID, 0.0F};
    for (std::int32_t longer = node; longer != at; longer = shorter(longer)) {
      if (!applies(longer, total)) continue;
      const std::int32_t same = find(longer, token);
      if (same == BROKEN) return {ListedBias::INVALID, 0.0F};
      if (same >= 0) return {};
    }
    if (at == 0) return {token, add(0.0F, bias_[item])};
    return of(node, token, total);
  }

  /// What is added to one token's score in a state: float32 sum of the single-token entry, then of
  /// the longer entries that the row's last tokens begin, in entry order; any -inf makes it -inf.
  /// An entry longer than `total` is left out, as the reference leaves it out. SKIP where nothing
  /// is to be added to the token.
  LOGITCHAIN_HD ListedBias of(int node, std::int32_t token, std::int64_t total) const {
    if (!automaton_.holds(node)) return {ListedBias::INVALID, 0.0F};
    ListedBias sum;
    const std::int32_t single = find(0, token);
    if (single == BROKEN) return {ListedBias::INVALID, 0.0F};
    if (single >= 0) sum = {token, add(0.0F, bias_[single])};
    std::int32_t after = -1;
    for (;;) {
      std::int32_t next = ABSENT;
      int left = 0;
      for (std::int32_t at = node; at != 0; at = shorter(at)) {
        if (at < 0) return {ListedBias::INVALID, 0.0F};
        if (!applies(at, total)) continue;
        const std::int32_t item = find(at, token);
        if (item == BROKEN) return {ListedBias::INVALID, 0.0F};
        if (item < 0 || order_[item] <= after) continue;
        ++left;
        if (next < 0 || order_[item] < order_[next]) next = item;
      }
      if (left == 0) return sum;
      sum = {token, joined(sum.bias, bias_[next])};
      if (left == 1) return sum;
      after = order_[next];
    }
  }

  LOGITCHAIN_HD std::uint32_t tag() const { return shape_.tag; }
  /// Where the storage lies.
  LOGITCHAIN_HD Space space() const { return space_; }
  /// The storage that the view was bound to.
  LOGITCHAIN_HD const std::byte* storage() const {
    return reinterpret_cast<const std::byte*>(automaton_.first_child);
  }
  LOGITCHAIN_HD std::int64_t vocab() const { return shape_.vocab; }
  /// Number of distinct entries.
  LOGITCHAIN_HD std::int32_t count() const { return shape_.items; }
  LOGITCHAIN_HD const BiasTableShape& shape() const { return shape_; }

 private:
  static constexpr std::int32_t ABSENT = -1;
  static constexpr std::int32_t BROKEN = -2;

  LOGITCHAIN_HD static float joined(float sum, float bias) {
    return is_equal(sum, FILTER) || is_equal(bias, FILTER) ? FILTER : add(sum, bias);
  }

  // Single tokens always apply; a longer entry only where the history is at least as long.
  LOGITCHAIN_HD bool applies(std::int32_t node, std::int64_t total) const {
    return node == 0 || std::int64_t{depth_[node]} + 1 <= total;
  }

  // The next shorter suffix that owns entries, finally the root; DAMAGED_NODE where the link does
  // not lead to a shorter one.
  LOGITCHAIN_HD std::int32_t shorter(std::int32_t node) const {
    const std::int32_t link = link_[node];
    return link >= 0 && link < node ? link : DAMAGED_NODE;
  }

  LOGITCHAIN_HD bool owns_range(std::int32_t node) const {
    return begin_[node] >= 0 && begin_[node] <= begin_[node + 1] &&
           begin_[node + 1] <= shape_.items;
  }

  // The node's own entry that ends in `token`, ABSENT or BROKEN.
  LOGITCHAIN_HD std::int32_t find(std::int32_t node, std::int32_t token) const {
    if (!owns_range(node)) return BROKEN;
    std::int32_t low = begin_[node];
    std::int32_t high = begin_[node + 1];
    const std::int32_t end = high;
    while (low < high) {
      const std::int32_t middle = low + (high - low) / 2;
      if (token_[middle] < token) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < end && token_[low] == token ? low : ABSENT;
  }

  BiasTableShape shape_;
  Space space_ = Space::host;
  Automaton<std::int32_t> automaton_;
  const std::int32_t* depth_ = nullptr;   // [nodes] tokens of the node's suffix
  const std::int32_t* begin_ = nullptr;   // [nodes + 1] own entries of n: items [n] up to [n + 1]
  const std::int32_t* link_ = nullptr;    // [nodes] next shorter suffix that owns entries, or root
  const std::int32_t* listed_ = nullptr;  // [nodes] own entries along the links, root included
  const std::int32_t* token_ = nullptr;   // [items] last token, rising within a node
  const std::int32_t* order_ = nullptr;   // [items] place in the entries as given
  const float* bias_ = nullptr;           // [items]
};

}  // namespace logitchain::inline v0
