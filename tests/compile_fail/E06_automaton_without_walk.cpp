// A stage declares an automaton of its own and does not say how a token moves it.
// expected: "[logitchain:E06] the type at this position declares Components::slot"
// expected: "E06_automaton_without_walk<0, "
#include <logitchain/chain/chain.hpp>

namespace lc = logitchain;

struct Alternating {
  static constexpr const char* name = "Alternating";
  static constexpr lc::Components components = lc::Components::slot;
  struct Bound {
    bool odd;
    float operator()(int token, float score) const {
      return (token % 2 != 0) == odd ? score : lc::FILTER;
    }
  };
  Bound bind(const lc::SlotRow& row) const { return {row.slot().node % 2 != 0}; }
  lc::AutomatonSlot start(const lc::SlotRow&) const { return {}; }
#ifndef LOGITCHAIN_WRONG
  lc::AutomatonSlot advance(const lc::SlotRow&, lc::AutomatonSlot slot, std::int64_t, bool) const {
    ++slot.node;
    return slot;
  }
#endif
};

int main() { lc::chain(Alternating{}); }
