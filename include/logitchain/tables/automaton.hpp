// SPDX-License-Identifier: Apache-2.0
// The walk that all tables share: an Aho-Corasick automaton as arrays, read by host and device.
#pragma once

#include <cstddef>
#include <cstdint>

#include <logitchain/core/config.hpp>

namespace logitchain::inline v0 {

/// What a walk answers instead of a node when the arrays contradict themselves.
inline constexpr std::int32_t DAMAGED_NODE = -1;

/// Automaton over `Symbol`s (bytes or token ids): node 0 is the root, nodes are numbered breadth
/// first, the children of one node are neighbours in rising order of their label. So an edge is
/// its target, and a failure link always leads to a lower number, which bounds every walk even in
/// a damaged table. Nothing outside of the arrays is ever read.
template <class Symbol>
struct Automaton {
  const Symbol* label = nullptr;              ///< [nodes] symbol that leads to the node
  const std::int32_t* first_child = nullptr;  ///< [nodes + 1] children of n: [n] up to [n + 1]
  const std::int32_t* fail = nullptr;         ///< [nodes] longest proper suffix that is a node
  std::int32_t nodes = 0;

  LOGITCHAIN_HD bool holds(std::int32_t node) const { return node >= 0 && node < nodes; }

  /// The node after `symbol` was read in `node`, DAMAGED_NODE if the arrays are damaged. Follows at
  /// most as many failure links as the node is deep; over a text at most as many as it has symbols.
  LOGITCHAIN_HD std::int32_t next(std::int32_t node, Symbol symbol) const {
    if (!holds(node)) return DAMAGED_NODE;
    for (;;) {
      const std::int32_t begin = first_child[node];
      const std::int32_t end = first_child[node + 1];
      if (begin < 1 || end < begin || end > nodes) return DAMAGED_NODE;
      std::int32_t low = begin;
      std::int32_t high = end;
      while (low < high) {
        const std::int32_t middle = low + (high - low) / 2;
        if (label[middle] < symbol) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      if (low < end && label[low] == symbol) return low;
      if (node == 0) return 0;
      const std::int32_t shorter = fail[node];
      if (shorter < 0 || shorter >= node) return DAMAGED_NODE;
      node = shorter;
    }
  }
};

namespace detail {

/// Takes the next `count` elements of a table's storage and moves behind them.
template <class T>
LOGITCHAIN_HD const T* take_section(const std::byte*& at, std::int64_t count) {
  const T* section = reinterpret_cast<const T*>(at);
  at += count * static_cast<std::int64_t>(sizeof(T));
  return section;
}

}  // namespace detail
}  // namespace logitchain::inline v0
