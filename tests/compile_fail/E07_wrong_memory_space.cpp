// The host engine is given memory of a device.
// expected: "[logitchain:E07] this engine cannot read memory of that space"
// expected: "E07_wrong_memory_space<"
#include <logitchain/logitchain.hpp>

namespace lc = logitchain;

void decode(lc::host_engine& engine, lc::StepState& state, const float* logits) {
  const auto chain = lc::chain(lc::TopK{20});
  const auto stop = lc::criterion();
#ifdef LOGITCHAIN_WRONG
  lc::step(engine, chain, stop, state, lc::device_span<const float>(logits, 8));
#else
  lc::step(engine, chain, stop, state, lc::host_logits(logits, 1, 8));
#endif
}

int main() {}
