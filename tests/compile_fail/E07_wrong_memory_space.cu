// The CUDA engine is given memory of the host.
// expected: "[logitchain:E07] this engine cannot read memory of that space"
// expected: "Engine=logitchain::v0::cuda_engine, Span=logitchain::v0::host_logits"
#include <logitchain/logitchain.cuh>

namespace lc = logitchain;

void decode(lc::cuda_engine& engine, lc::StepState& state, const float* logits,
            lc::device_span<lc::StepResult> results) {
  const auto chain = lc::chain(lc::TopK{20});
  const auto stop = lc::criterion();
#ifdef LOGITCHAIN_WRONG
  lc::step(engine, chain, stop, state, lc::host_logits(logits, 1, 8), {.results = results});
#else
  lc::step(engine, chain, stop, state, lc::device_logits(logits, 1, 8), {.results = results});
#endif
}
