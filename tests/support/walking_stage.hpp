// SPDX-License-Identifier: Apache-2.0
// A transform and a criterion that read everything a row has: distinct tokens and an automaton. For
// tests of calls that take a composed chain.
#pragma once

#include <cstdint>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/row_view.hpp>

namespace logitchain_test {

namespace lc = logitchain;

/// Both stages' automaton: its slot tells which tokens it was shown, in which order, as what.
struct Walk {
  static constexpr lc::Components components = lc::Components::seen | lc::Components::slot;
  using Row = lc::RowWith<components>;

  lc::AutomatonSlot start(const Row& row) const {
    lc::AutomatonSlot slot;
    slot.tag = 9;
    slot.node = row.prompt_length();
    return slot;
  }
  lc::AutomatonSlot advance(const Row& row, lc::AutomatonSlot slot, std::int64_t token,
                            bool generated) const {
    slot.node = static_cast<std::int32_t>((std::int64_t{slot.node} * 31 + token + 1) % 1000003);
    slot.bytes += generated ? 1 : 0;
    slot.entry = row.total();
    slot.begin = slot.begin * 3 % 1000003 + row.seen_size();
    return slot;
  }
};

/// The transform: scores stay as they are.
struct WalkingTransform : Walk {
  static constexpr lc::Kind kind = lc::Kind::map;
  struct Same {
    float operator()(std::int32_t, float score) const { return score; }
  };
  Same bind(const Row&) const { return {}; }
};

/// The criterion: ends a row at one token, entry 4.
struct WalkingRule : Walk {
  std::int32_t eos = -1;
  lc::Fired operator()(const Row&, std::int32_t token) const {
    return token == eos ? lc::Fired{4, 0} : lc::Fired{};
  }
};

}  // namespace logitchain_test
