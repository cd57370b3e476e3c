// A stopping criterion stands in a chain.
// expected: "[logitchain:E03] the type at this position of chain() is a stopping criterion"
// expected: "Move it to criterion()"
// expected: "E03_criterion_in_a_chain<0, "
#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/criteria/max_new_tokens.hpp>

namespace lc = logitchain;

int main() {
#ifdef LOGITCHAIN_WRONG
  lc::chain(lc::MaxNewTokens{16});
#else
  lc::criterion(lc::MaxNewTokens{16});
#endif
}
