// A type that rewrites no scores stands in a chain.
// expected: "[logitchain:E01] the type at this position of chain() is not a transform"
// expected: "Give it 'float operator()(const RowView& row, int token, float score) const'"
// expected: "E01_not_a_transform<1, "
#include <logitchain/chain/chain.hpp>

namespace lc = logitchain;

struct Doubled {
  float operator()(const lc::RowView&, int, float score) const { return score + score; }
};
struct Forgotten {
  float operator()(float score) const { return score; }
};

int main() {
#ifdef LOGITCHAIN_WRONG
  lc::chain(Doubled{}, Forgotten{}, 3);
#else
  lc::chain(Doubled{}, Doubled{});
#endif
}
