// SPDX-License-Identifier: Apache-2.0
// Compiles patterns of any symbol into the arrays of an Automaton.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <logitchain/tables/automaton.hpp>

namespace logitchain::inline v0::detail {

template <class Symbol>
struct PatternTrie {
  std::vector<Symbol> label;              // [nodes]; the root's is unused
  std::vector<std::int32_t> first_child;  // [nodes + 1]
  std::vector<std::int32_t> fail;         // [nodes]
  std::vector<std::int32_t> depth;        // [nodes] symbols on the way to the node
  std::vector<std::int32_t> end;          // [patterns] node at which each pattern ends

  std::int32_t nodes() const { return static_cast<std::int32_t>(label.size()); }
};

/// Cuts the range of patterns that share the symbols of `node` into the ranges of its children.
template <class Symbol>
void grow_children(PatternTrie<Symbol>& trie, std::span<const std::span<const Symbol>> patterns,
                   std::span<std::int32_t> shared, std::int32_t node,
                   std::vector<std::span<std::int32_t>>& ranges) {
  const std::int32_t depth = trie.depth[static_cast<std::size_t>(node)];
  const auto symbol_of = [&](std::int32_t pattern) {
    return patterns[static_cast<std::size_t>(pattern)][static_cast<std::size_t>(depth)];
  };
  const auto longer = std::partition(shared.begin(), shared.end(), [&](std::int32_t pattern) {
    return patterns[static_cast<std::size_t>(pattern)].size() == static_cast<std::size_t>(depth);
  });
  for (auto at = shared.begin(); at != longer; ++at) trie.end[static_cast<std::size_t>(*at)] = node;
  std::sort(longer, shared.end(), [&](std::int32_t one, std::int32_t other) {
    return symbol_of(one) < symbol_of(other);
  });
  for (auto at = longer; at != shared.end();) {
    const Symbol symbol = symbol_of(*at);
    const auto same = std::find_if(
        at, shared.end(), [&](std::int32_t pattern) { return symbol_of(pattern) != symbol; });
    trie.label.push_back(symbol);
    trie.depth.push_back(depth + 1);
    ranges.emplace_back(at, same);
    at = same;
  }
}

/// All patterns together hold fewer than 2^31 - 1 symbols. Time: symbols times the logarithm of
/// the number of patterns that share a beginning; memory: some words per symbol.
template <class Symbol>
PatternTrie<Symbol> build_trie(std::span<const std::span<const Symbol>> patterns) {
  PatternTrie<Symbol> trie;
  trie.end.resize(patterns.size());
  std::vector<std::int32_t> order(patterns.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::span<std::int32_t>> ranges{order};
  trie.label.push_back(Symbol{});
  trie.depth.push_back(0);
  for (std::int32_t node = 0; node < trie.nodes(); ++node) {
    trie.first_child.push_back(trie.nodes());
    grow_children<Symbol>(trie, patterns, ranges[static_cast<std::size_t>(node)], node, ranges);
  }
  trie.first_child.push_back(trie.nodes());

  // A child's suffix is found from its parent's: the walk over lower nodes that are done already.
  trie.fail.resize(trie.label.size(), 0);
  const Automaton<Symbol> walk{trie.label.data(), trie.first_child.data(), trie.fail.data(),
                               trie.nodes()};
  for (std::size_t node = 1; node < trie.label.size(); ++node) {
    for (std::int32_t child = trie.first_child[node]; child < trie.first_child[node + 1]; ++child) {
      const auto at = static_cast<std::size_t>(child);
      trie.fail[at] = walk.next(trie.fail[node], trie.label[at]);
    }
  }
  return trie;
}

}  // namespace logitchain::inline v0::detail
