// A transform says that it is a selection and lacks the budget that a selection spends.
// expected: "[logitchain:E05] the transform at this position declares a 'kind' whose members it does not have"
// expected: "E05_kind_and_members_differ<0, "
#include <logitchain/chain/chain.hpp>

namespace lc = logitchain;

struct BestHalf {
  static constexpr const char* name = "BestHalf";
  static constexpr lc::Kind kind = lc::Kind::selection;
  struct Bound {
    float key(float score) const { return score; }
#ifndef LOGITCHAIN_WRONG
    lc::Spend spend() const { return {}; }
#endif
  };
  Bound bind(const lc::RowView&, const lc::RowNumbers&) const { return {}; }
};

int main() { lc::chain(BestHalf{}); }
