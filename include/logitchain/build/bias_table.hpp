// SPDX-License-Identifier: Apache-2.0
// Compiles sequence biases and bad words into a table that a row's state walks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <logitchain/build/detail/pattern_trie.hpp>
#include <logitchain/build/detail/storage.hpp>
#include <logitchain/core/error.hpp>
#include <logitchain/core/limits.hpp>
#include <logitchain/tables/bias_table.hpp>

namespace logitchain::inline v0 {

/// `bias` is added to the score of the last token where the row ends in the tokens before it.
struct BiasEntry {
  std::vector<std::int64_t> tokens;
  /// Rounded to float32 (beyond its range: an infinity). -inf bans, +inf forces, NaN is refused.
  double bias = 0.0;
};

/// Compiled biases in host memory: immutable, shared by its copies. A view of it, and so a
/// transform that holds one, is good for as long as any copy lives: keep it beyond every step.
class BiasTable {
 public:
  // A move is a copy, so that no table is ever without its content.
  BiasTable(const BiasTable&) = default;
  BiasTable& operator=(const BiasTable&) = default;
  ~BiasTable() = default;

  BiasTableView view() const { return {content_->storage.data(), content_->shape}; }
  const BiasTableShape& shape() const { return content_->shape; }
  /// The bytes behind the view, for `BiasTableView(copy, shape())` elsewhere.
  std::span<const std::byte> storage() const { return content_->storage; }
  std::uint32_t tag() const { return content_->shape.tag; }
  std::int64_t vocab() const { return content_->shape.vocab; }
  /// Number of distinct entries; 0: nothing is ever biased.
  std::int32_t count() const { return content_->shape.items; }

 private:
  struct Content {
    std::vector<std::byte> storage;
    BiasTableShape shape;
  };
  explicit BiasTable(Content content)
      : content_(std::make_shared<const Content>(std::move(content))) {}

  friend BiasTable build_bias_table(std::span<const BiasEntry> entries, std::int64_t vocab,
                                    std::string_view where);

  std::shared_ptr<const Content> content_;
};

namespace detail {

inline void check_bias_vocab(std::int64_t vocab, std::string_view where) {
  if (vocab < 1 || vocab > MAX_VOCAB) {
    refuse(where, "vocab", vocab, text_of("in [1, ", MAX_VOCAB, "]"));
  }
}

inline void check_not_empty(std::span<const std::int64_t> tokens, std::size_t index,
                            std::string_view where) {
  if (tokens.empty()) {
    refuse_call(where, ": entry ", index, " is empty; it must hold at least one token id");
  }
}

inline void check_ids(std::span<const std::int64_t> tokens, std::size_t index, std::int64_t vocab,
                      std::string_view where) {
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at] < 0 || tokens[at] >= vocab) {
      refuse(where, text_of("entry ", index, ", token ", at), tokens[at],
             text_of("in [0, ", vocab, "), the vocabulary"));
    }
  }
}

inline void check_bias_entries(std::span<const BiasEntry> entries, std::int64_t vocab,
                               std::string_view where) {
  constexpr std::size_t limit = 0x7ffffffe;
  check_bias_vocab(vocab, where);
  std::size_t total = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    check_not_empty(entries[i].tokens, i, where);
    check_ids(entries[i].tokens, i, vocab, where);
    if (std::isnan(entries[i].bias)) {
      refuse(where, text_of("entry ", i, ", bias"), entries[i].bias, "a number or an infinity");
    }
    total += entries[i].tokens.size();
    if (total > limit) refuse_call(where, ": more than ", limit, " tokens in all entries together");
  }
}

/// One entry of each sequence, in the order of first appearance: as a Python dict keeps a key given
/// twice at its first place, with its last value.
struct DistinctEntry {
  std::size_t first;
  float bias;
};

inline std::vector<DistinctEntry> distinct_entries(std::span<const BiasEntry> entries) {
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // By tokens, then by place: what std::stable_sort does, which clang 17 and newer warn about.
  std::sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
    const auto by_tokens = entries[one].tokens <=> entries[other].tokens;
    return by_tokens == 0 ? one < other : by_tokens < 0;
  });
  std::vector<DistinctEntry> distinct;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const BiasEntry& entry = entries[order[at]];
    const float bias = static_cast<float>(entry.bias);
    if (at > 0 && entries[order[at - 1]].tokens == entry.tokens) {
      distinct.back().bias = bias;
    } else {
      distinct.push_back({order[at], bias});
    }
  }
  std::sort(
      distinct.begin(), distinct.end(),
      [](const DistinctEntry& one, const DistinctEntry& other) { return one.first < other.first; });
  return distinct;
}

/// Items grouped by the node of their beginning, by last token within a node.
struct BiasItems {
  std::vector<std::int32_t> begin;  // [nodes + 1]
  std::vector<std::int32_t> token, order;
  std::vector<float> bias;
};

inline BiasItems group_items(std::span<const BiasEntry> entries,
                             std::span<const DistinctEntry> distinct,
                             const PatternTrie<std::int32_t>& trie) {
  const auto node_of = [&](std::size_t i) { return trie.end[i]; };
  const auto last_of = [&](std::size_t i) { return entries[distinct[i].first].tokens.back(); };
  std::vector<std::size_t> sorted(distinct.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::sort(sorted.begin(), sorted.end(), [&](std::size_t one, std::size_t other) {
    return std::pair(node_of(one), last_of(one)) < std::pair(node_of(other), last_of(other));
  });
  BiasItems items;
  items.begin.assign(trie.label.size() + 1, 0);
  for (const std::size_t i : sorted) {
    ++items.begin[static_cast<std::size_t>(node_of(i)) + 1];
    items.token.push_back(static_cast<std::int32_t>(last_of(i)));
    items.order.push_back(static_cast<std::int32_t>(i));
    items.bias.push_back(distinct[i].bias);
  }
  std::partial_sum(items.begin.begin(), items.begin.end(), items.begin.begin());
  return items;
}

}  // namespace detail

/// Compiles biases by the rules of `BiasTableView`. An entry given twice counts once: the value of
/// the last, the place of the first. No entries: a table that biases nothing.
/// @param vocab  tokens of the model, in [1, 2^20]
/// @param where  who is named in an error
/// @throws invalid_argument for an empty sequence or an id outside of `[0, vocab)` (entry, place
///         and id are named), a NaN bias, or a vocab out of range
/// Memory: 12 bytes per entry, 28 per distinct beginning.
inline BiasTable build_bias_table(std::span<const BiasEntry> entries, std::int64_t vocab,
                                  std::string_view where = "sequence_bias") {
  detail::check_bias_entries(entries, vocab, where);
  const std::vector<detail::DistinctEntry> distinct = detail::distinct_entries(entries);

  std::vector<std::int32_t> tokens;
  for (const detail::DistinctEntry& entry : distinct) {
    for (const std::int64_t token : entries[entry.first].tokens) {
      tokens.push_back(static_cast<std::int32_t>(token));
    }
  }
  std::vector<std::span<const std::int32_t>> beginnings;
  std::span<const std::int32_t> rest(tokens);
  for (const detail::DistinctEntry& entry : distinct) {
    const std::size_t length = entries[entry.first].tokens.size();
    beginnings.push_back(rest.first(length - 1));
    rest = rest.subspan(length);
  }
  const auto trie = detail::build_trie<std::int32_t>(beginnings);
  const detail::BiasItems items = detail::group_items(entries, distinct, trie);

  std::vector<std::int32_t> link(trie.label.size(), 0);
  std::vector<std::int32_t> listed(trie.label.size(), 0);
  listed[0] = items.begin[1];
  for (std::size_t node = 1; node < link.size(); ++node) {
    const auto shorter = static_cast<std::size_t>(trie.fail[node]);
    const bool owns = items.begin[shorter + 1] > items.begin[shorter];
    link[node] = owns ? trie.fail[node] : link[shorter];
    listed[node] =
        items.begin[node + 1] - items.begin[node] + listed[static_cast<std::size_t>(link[node])];
  }

  BiasTableShape shape{trie.nodes(), static_cast<std::int32_t>(distinct.size()), vocab, 0};
  detail::StorageWriter writer(shape.storage_bytes());
  writer.append(trie.first_child);
  writer.append(trie.fail);
  writer.append(trie.label);
  writer.append(trie.depth);
  writer.append(items.begin);
  writer.append(link);
  writer.append(listed);
  writer.append(items.token);
  writer.append(items.order);
  writer.append(items.bias);
  std::vector<std::byte> storage = std::move(writer).finish();
  // The vocabulary is part of what the table means and not of its storage.
  shape.tag = detail::digest_of(storage, 2 + (static_cast<std::uint64_t>(vocab) << 8));
  return BiasTable({std::move(storage), shape});
}

/// The same for `build_bias_table({{{5, 6}, -2.0}}, vocab)`.
inline BiasTable build_bias_table(std::initializer_list<BiasEntry> entries, std::int64_t vocab,
                                  std::string_view where = "sequence_bias") {
  return build_bias_table(std::span<const BiasEntry>(entries.begin(), entries.size()), vocab,
                          where);
}

/// Bad words as biases of -inf, as NoBadWordsLogitsProcessor has them: a word that is a single EOS
/// id is dropped; if nothing is left nothing is banned. Give the result to `build_bias_table`.
/// @param vocab  if given, ids are checked here, so that an error names the caller's own index
///               (behind a dropped word the table's differs); -1: left to `build_bias_table`
/// @throws invalid_argument for an empty word (its index is named) and, with `vocab`, for an id
///         outside of `[0, vocab)`
inline std::vector<BiasEntry> bad_word_entries(std::span<const std::vector<std::int64_t>> ids,
                                               std::span<const std::int64_t> eos,
                                               std::int64_t vocab = -1) {
  if (vocab != -1) detail::check_bias_vocab(vocab, "bad_words");
  std::vector<BiasEntry> entries;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i].size() == 1 && std::find(eos.begin(), eos.end(), ids[i][0]) != eos.end()) continue;
    detail::check_not_empty(ids[i], i, "bad_words");
    if (vocab != -1) detail::check_ids(ids[i], i, vocab, "bad_words");
    entries.push_back({ids[i], -std::numeric_limits<double>::infinity()});
  }
  return entries;
}

}  // namespace logitchain::inline v0
