// SPDX-License-Identifier: Apache-2.0
// Compiles stop strings and a vocabulary's bytes into a table that a row's state walks.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <logitchain/build/detail/pattern_trie.hpp>
#include <logitchain/build/detail/storage.hpp>
#include <logitchain/build/token_bytes.hpp>
#include <logitchain/core/error.hpp>
#include <logitchain/core/limits.hpp>
#include <logitchain/tables/stop_table.hpp>

namespace logitchain::inline v0 {

/// Longest stop string in bytes.
inline constexpr std::size_t MAX_STOP_BYTES = std::size_t{1} << 20;

class StopTable;

namespace detail {
StopTable compile_stop_table(std::span<const std::string_view> strings,
                             std::span<const std::int64_t> offsets, std::span<const char> bytes);
}  // namespace detail

/// Compiled stop strings in host memory: immutable, shared by its copies. A view of it, and so a
/// criterion that holds one, is good for as long as any copy lives.
class StopTable {
 public:
  // A move is a copy, so that no table is ever without its content.
  StopTable(const StopTable&) = default;
  StopTable& operator=(const StopTable&) = default;
  ~StopTable() = default;

  StopTableView view() const { return {content_->storage.data(), content_->shape}; }
  const StopTableShape& shape() const { return content_->shape; }
  /// The bytes behind the view, for `StopTableView(copy, shape())` elsewhere.
  std::span<const std::byte> storage() const { return content_->storage; }
  std::uint32_t tag() const { return content_->shape.tag; }
  std::int64_t vocab() const { return content_->shape.vocab; }
  std::int32_t count() const { return content_->shape.strings; }
  /// The stop string that an entry number means, in `[0, count())`.
  std::string_view string(std::int32_t entry) const {
    if (entry < 0 || entry >= count()) refuse("StopTable", "entry", entry, "in [0, count())");
    return content_->strings[static_cast<std::size_t>(entry)];
  }

 private:
  struct Content {
    std::vector<std::byte> storage;
    StopTableShape shape;
    std::vector<std::string> strings;
  };
  explicit StopTable(Content content)
      : content_(std::make_shared<const Content>(std::move(content))) {}

  friend StopTable detail::compile_stop_table(std::span<const std::string_view> strings,
                                              std::span<const std::int64_t> offsets,
                                              std::span<const char> bytes);

  std::shared_ptr<const Content> content_;
};

namespace detail {

inline void check_stop_strings(std::span<const std::string_view> strings) {
  constexpr std::int64_t limit = 0x7ffffffe;
  if (strings.empty()) refuse_call("stop_strings: no strings; give at least one");
  std::int64_t total = 0;
  for (std::size_t i = 0; i < strings.size(); ++i) {
    if (strings[i].empty()) {
      refuse_call("stop_strings: strings[", i, "] is empty; an empty string would always match");
    }
    if (strings[i].size() > MAX_STOP_BYTES) {
      refuse_call("stop_strings: strings[", i, "] has ", strings[i].size(),
                  " bytes; it must have at most ", MAX_STOP_BYTES);
    }
    total += static_cast<std::int64_t>(strings[i].size());
    if (total > limit) {
      refuse_call("stop_strings: more than ", limit, " bytes in strings[0] to strings[", i,
                  "] together; split them over several tables");
    }
  }
}

inline std::int64_t checked_vocab(std::size_t pieces, std::int64_t vocab_size) {
  if (pieces > static_cast<std::size_t>(MAX_VOCAB)) {
    refuse("stop_strings", "pieces.size()", pieces, text_of("at most ", MAX_VOCAB));
  }
  const auto known = static_cast<std::int64_t>(pieces);
  const std::int64_t vocab = vocab_size == -1 ? known : vocab_size;
  if (vocab < 1 || vocab < known || vocab > MAX_VOCAB) {
    refuse("stop_strings", "vocab_size", vocab,
           text_of("in [", known == 0 ? 1 : known, ", ", MAX_VOCAB,
                   "], not below the number of pieces"));
  }
  return vocab;
}

/// Lowest entry that ends at each node, its suffixes included; -1 where none does.
inline std::vector<std::int32_t> best_entries(const PatternTrie<std::uint8_t>& trie) {
  std::vector<std::int32_t> best(trie.label.size(), -1);
  for (std::size_t i = trie.end.size(); i-- > 0;) {
    best[static_cast<std::size_t>(trie.end[i])] = static_cast<std::int32_t>(i);
  }
  for (std::size_t node = 1; node < best.size(); ++node) {
    const std::int32_t shorter = best[static_cast<std::size_t>(trie.fail[node])];
    if (shorter >= 0 && (best[node] < 0 || shorter < best[node])) best[node] = shorter;
  }
  return best;
}

/// Puts the automaton of checked strings and the tokens' bytes (`[vocab + 1]` offsets) together.
inline StopTable compile_stop_table(std::span<const std::string_view> strings,
                                    std::span<const std::int64_t> offsets,
                                    std::span<const char> bytes) {
  std::vector<std::span<const std::uint8_t>> patterns;
  std::vector<std::int32_t> lengths;
  for (const std::string_view text : strings) {
    patterns.emplace_back(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    lengths.push_back(static_cast<std::int32_t>(text.size()));
  }
  const auto trie = build_trie<std::uint8_t>(patterns);

  StopTableShape shape{trie.nodes(), static_cast<std::int32_t>(strings.size()),
                       static_cast<std::int64_t>(offsets.size()) - 1,
                       static_cast<std::int64_t>(bytes.size()), 0};
  StorageWriter writer(shape.storage_bytes());
  writer.append(offsets);
  writer.append(trie.first_child);
  writer.append(trie.fail);
  writer.append(best_entries(trie));
  writer.append(lengths);
  writer.append(trie.label);
  writer.append(bytes);
  std::vector<std::byte> storage = std::move(writer).finish();
  shape.tag = digest_of(storage, 1);
  return StopTable({std::move(storage), shape, {strings.begin(), strings.end()}});
}

}  // namespace detail

/// Compiles stop strings.
/// @param pieces      gives each token's bytes, see `TokenBytes`; read once, here
/// @param strings     a range of things convertible to `std::string_view`; text is UTF-8, any
///                    bytes are allowed, zeros too; entry i of a result is strings[i]; of equal
///                    strings the first is the one reported
/// @param vocab_size  tokens of the model, where its head is wider than the vocabulary: the ids
///                    beyond have no bytes; -1: `pieces.size()`
/// @throws invalid_argument if there are no strings, one is empty (its index is named) or longer
///         than 2^20 bytes, all together exceed 2^31 - 2 bytes, or the vocabulary is empty,
///         larger than `MAX_VOCAB`, or smaller than `pieces`
/// Memory: 13 bytes per node (at most one per byte of the strings), 8 per token and its bytes.
template <class Pieces, std::ranges::input_range Strings>
  requires(TokenBytes<Pieces> || TokenBytesList<Pieces>)
StopTable stop_strings(const Pieces& pieces, const Strings& strings, std::int64_t vocab_size = -1) {
  static_assert(
      std::convertible_to<std::ranges::range_reference_t<const Strings>, std::string_view>,
      "stop_strings: strings must be a range of strings; for a single one write {text}");
  // A range may make its strings as it is read, so they are kept.
  std::vector<std::string> kept;
  if constexpr (std::ranges::sized_range<const Strings>) kept.reserve(std::ranges::size(strings));
  for (auto&& text : strings) kept.emplace_back(static_cast<std::string_view>(text));
  const std::vector<std::string_view> texts(kept.begin(), kept.end());
  detail::check_stop_strings(texts);
  const std::size_t known = detail::piece_count(pieces);
  const std::int64_t vocab = detail::checked_vocab(known, vocab_size);

  std::vector<std::int64_t> offsets(static_cast<std::size_t>(vocab) + 1, 0);
  std::vector<char> bytes;
  for (std::size_t id = 0; id < known; ++id) {
    detail::with_piece(pieces, static_cast<std::int64_t>(id), [&bytes](std::string_view piece) {
      bytes.insert(bytes.end(), piece.begin(), piece.end());
    });
    offsets[id + 1] = static_cast<std::int64_t>(bytes.size());
  }
  for (std::size_t id = known; id < static_cast<std::size_t>(vocab); ++id) {
    offsets[id + 1] = offsets[id];
  }

  return detail::compile_stop_table(texts, offsets, bytes);
}

/// The same for `stop_strings(pieces, {"END", "\n\n"})`.
template <class Pieces>
  requires(TokenBytes<Pieces> || TokenBytesList<Pieces>)
StopTable stop_strings(const Pieces& pieces, std::initializer_list<std::string_view> strings,
                       std::int64_t vocab_size = -1) {
  return stop_strings(pieces, std::span<const std::string_view>(strings.begin(), strings.size()),
                      vocab_size);
}

}  // namespace logitchain::inline v0
