// A type that finishes no row stands in a criterion.
// expected: "[logitchain:E02] the type at this position of criterion() is not a stopping criterion"
// expected: "E02_not_a_criterion<0, "
#include <logitchain/chain/criterion.hpp>

namespace lc = logitchain;

int main() {
#ifdef LOGITCHAIN_WRONG
  lc::criterion(128);
#else
  lc::criterion([](const lc::RowView& row, int) { return row.generated() >= 128; });
#endif
}
