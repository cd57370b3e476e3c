// A bare rule is passed where a criterion belongs.
// expected: "[logitchain:E09] the stop argument is not a composed criterion"
// expected: "E09_not_a_stop<"
#include <logitchain/logitchain.hpp>

namespace lc = logitchain;

void decode(lc::host_engine& engine, lc::StepState& state, const lc::host_logits& logits) {
  const auto chain = lc::chain(lc::TopK{20});
#ifdef LOGITCHAIN_WRONG
  lc::step(engine, chain, lc::MaxNewTokens{16}, state, logits);
#else
  lc::step(engine, chain, lc::criterion(lc::MaxNewTokens{16}), state, logits);
#endif
}

int main() {}
