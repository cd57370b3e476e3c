// A step of the CUDA engine is to write to memory of the host.
// expected: "[logitchain:E07] this engine cannot read memory of that space"
// expected: "Engine=logitchain::v0::cuda_engine, Span=logitchain::v0::detail::OutputsInHostMemory"
#include <vector>

#include <logitchain/logitchain.cuh>

namespace lc = logitchain;

void decode(lc::cuda_engine& engine, lc::StepState& state, const lc::device_logits& logits,
            std::vector<lc::StepResult>& results) {
  const auto chain = lc::chain(lc::TopK{20});
  const auto stop = lc::criterion();
#ifdef LOGITCHAIN_WRONG
  lc::step(engine, chain, stop, state, logits, {.results = results});
#else
  (void)results;
  // Without outputs, and with none of them named.
  lc::step(engine, chain, stop, state, logits);
  lc::step(engine, chain, stop, state, logits, {});
  lc::step(engine, chain, stop, state, logits, {.items = {}});
#endif
}
