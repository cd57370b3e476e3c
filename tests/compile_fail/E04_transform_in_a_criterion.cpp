// A transform stands in a criterion.
// expected: "[logitchain:E04] the type at this position of criterion() is a transform"
// expected: "Move it to chain()"
// expected: "E04_transform_in_a_criterion<1, "
#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/criteria/max_new_tokens.hpp>
#include <logitchain/transforms/top_k.hpp>

namespace lc = logitchain;

int main() {
#ifdef LOGITCHAIN_WRONG
  lc::criterion(lc::MaxNewTokens{16}, lc::TopK{20});
#else
  lc::criterion(lc::MaxNewTokens{16});
  lc::chain(lc::TopK{20});
#endif
}
