// A bare transform is passed where a chain belongs.
// expected: "[logitchain:E08] the chain argument is not a chain"
// expected: "E08_not_a_chain<"
#include <logitchain/logitchain.hpp>

namespace lc = logitchain;

void decode(lc::host_engine& engine, lc::StepState& state, const lc::host_logits& logits) {
  const auto stop = lc::criterion();
#ifdef LOGITCHAIN_WRONG
  lc::step(engine, lc::TopK{20}, stop, state, logits);
#else
  lc::step(engine, lc::chain(lc::TopK{20}), stop, state, logits);
#endif
}

int main() {}
