// A stopping criterion stands in a chain of the CUDA engine.
// expected: "[logitchain:E03] the type at this position of chain() is a stopping criterion"
// expected: "Move it to criterion()"
// expected: "E03_criterion_in_a_chain<"
// expected: "Position=1"
#include <logitchain/logitchain.cuh>

namespace lc = logitchain;

void decode(lc::cuda_engine& engine, lc::StepState& state, const lc::device_logits& logits) {
  const auto stop = lc::criterion(lc::MaxNewTokens{16});
#ifdef LOGITCHAIN_WRONG
  (void)engine, (void)state, (void)logits, (void)stop;
  lc::chain(lc::TopK{20}, lc::MaxNewTokens{16});
#else
  lc::step(engine, lc::chain(lc::TopK{20}), stop, state, logits);
#endif
}
