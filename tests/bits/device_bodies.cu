// SPDX-License-Identifier: Apache-2.0
// Every body that a kernel may call, in kernels: nvcc's assembly of this file is searched for
// operations that --use_fast_math has changed. PLAIN_OPERATORS adds some that it does change.
#include <cstdint>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/core/logarithm.hpp>
#include <logitchain/core/mass.hpp>
#include <logitchain/core/order.hpp>
#include <logitchain/core/small_float.hpp>
#include <logitchain/criteria/end_of_sequence.hpp>
#include <logitchain/criteria/max_length.hpp>
#include <logitchain/criteria/max_new_tokens.hpp>
#include <logitchain/criteria/stop_strings.hpp>
#include <logitchain/state/commit.hpp>
#include <logitchain/transforms/begin_suppress_tokens.hpp>
#include <logitchain/transforms/epsilon_cutoff.hpp>
#include <logitchain/transforms/eta_cutoff.hpp>
#include <logitchain/transforms/exponential_decay_length_penalty.hpp>
#include <logitchain/transforms/forced_bos.hpp>
#include <logitchain/transforms/forced_eos.hpp>
#include <logitchain/transforms/frequency_penalty.hpp>
#include <logitchain/transforms/greedy.hpp>
#include <logitchain/transforms/joint_top_k_top_p.hpp>
#include <logitchain/transforms/min_length.hpp>
#include <logitchain/transforms/min_new_tokens.hpp>
#include <logitchain/transforms/min_p.hpp>
#include <logitchain/transforms/no_repeat_ngram.hpp>
#include <logitchain/transforms/presence_penalty.hpp>
#include <logitchain/transforms/prompt_no_repeat_ngram.hpp>
#include <logitchain/transforms/prompt_repetition_penalty.hpp>
#include <logitchain/transforms/remove_invalid_values.hpp>
#include <logitchain/transforms/renormalize.hpp>
#include <logitchain/transforms/repetition_penalty.hpp>
#include <logitchain/transforms/sequence_bias.hpp>
#include <logitchain/transforms/suppress_tokens.hpp>
#include <logitchain/transforms/temperature.hpp>
#include <logitchain/transforms/top_h.hpp>
#include <logitchain/transforms/top_k.hpp>
#include <logitchain/transforms/top_n_sigma.hpp>
#include <logitchain/transforms/top_p.hpp>
#include <logitchain/transforms/typical.hpp>

namespace lc = logitchain;

namespace {

/// Scores in their order, as a selection that walks asks for them.
struct Ranked {
  const float* scores;
  __device__ float score(std::int64_t i) const { return scores[i]; }
};

/// All that an engine may ask of a stage that is bound to a row.
template <class Bound>
__device__ void use(const Bound& bound, const float* in, float* out, std::int64_t* counts) {
  const int i = static_cast<int>(threadIdx.x);
  if constexpr (requires { bound.key(in[i]); }) {
    const lc::Spend spend = bound.spend();
    out[i] = bound.key(in[i]);
    counts[i] = static_cast<std::int64_t>(spend.count + spend.mass + spend.at_least);
    if constexpr (requires { bound.length(Ranked{in}, 1); }) {
      counts[i] += bound.length(Ranked{in}, blockDim.x);
    }
  } else if constexpr (requires { bound.size(); }) {
    if (i >= bound.size()) return;
    counts[i] = bound.token(i);
    if constexpr (requires { bound(std::int64_t{i}, in[i]); }) out[i] = bound(i, in[i]);
  } else {
    out[i] = bound(i, in[i]);
    if constexpr (requires { bound.collapses(in[i]); }) {
      counts[i] = bound.needs_maximum() + bound.collapses(in[i]);
    }
  }
}

}  // namespace

template <class Stage>
__global__ void body(Stage stage, lc::RowView::Fields fields, lc::RowNumbers numbers,
                     const float* in, float* out, std::int64_t* counts) {
  const lc::detail::RowOf<Stage> row(fields);
  if constexpr (requires { stage.active(row); }) {
    if (!stage.active(row)) return;
  }
  if constexpr (requires { stage.rank(row); }) counts[blockDim.x] = stage.rank(row);
  if constexpr (requires { stage.bind(row, numbers); }) {
    use(stage.bind(row, numbers), in, out, counts);
  } else {
    use(stage.bind(row), in, out, counts);
  }
}

/// The checks of numbers per row, and a token's way into the state.
template <class Chain, class Stop>
__global__ void commit(lc::StateView view, Chain chain, Stop stop) {
  lc::commit_token(view, blockIdx.x, 5, chain, stop);
  if (chain.check_row(view.fields(0), nullptr) != lc::Status::ok) view.records[0].active = 0;
}

__global__ void functions(const float* in, float* out, const lc::half* halves, double* doubles,
                          std::uint64_t* masses) {
  const int i = static_cast<int>(threadIdx.x);
  const float x = in[i];
  float r = lc::add(lc::exponential(x), lc::logarithm(x));
  r = lc::fused(r, lc::square_root(x), lc::widen(halves[i]));
  r = lc::larger(r, lc::smaller(x, lc::sub(lc::mul(r, x), lc::div(x, r))));
  if (lc::is_less(x, r) || lc::is_equal(x, r)) r = lc::negate(lc::magnitude(r));
  out[i] = r;
  masses[i] = lc::mass(x) + lc::scaled_ceil(doubles[i], masses[i]) + lc::order_key(x) +
              lc::to_half(x).bits + lc::to_bfloat16(x).bits + (lc::better(x, i, r, 3) ? 1u : 0u);
  doubles[i] =
      lc::fused(lc::to_double(x), doubles[i], lc::div(doubles[i], lc::to_double(lc::unfixed44(7))));
  out[i + 32] = lc::to_float(lc::square_root(lc::sub(lc::mul(doubles[i], doubles[i]), 1.0)));
}

#ifdef PLAIN_OPERATORS
__global__ void plain(const float* in, float* out, double* doubles) {
  out[0] = in[0] / in[1] + in[2];
  out[1] = in[0] < in[1] ? 1.0f : 2.0f;
  doubles[0] = static_cast<double>(in[3]);
}
#endif

void launch(lc::StateView view, const lc::RowView::Fields& fields, float* scores,
            std::int64_t* counts, lc::half* halves, double* doubles, std::uint64_t* masses) {
  const auto each = [&](auto stage) {
    body<<<1, 32>>>(stage, fields, lc::RowNumbers{}, scores, scores, counts);
  };
  each(lc::BeginSuppressTokens{});
  each(lc::EpsilonCutoff{});
  each(lc::EtaCutoff{});
  each(lc::ExponentialDecayLengthPenalty{});
  each(lc::ForcedBOS{});
  each(lc::ForcedEOS{});
  each(lc::FrequencyPenalty{});
  each(lc::Greedy{});
  each(lc::JointTopKTopP{});
  each(lc::MinLength{});
  each(lc::MinNewTokens{});
  each(lc::MinP{});
  each(lc::NoRepeatNGram{});
  each(lc::PresencePenalty{});
  each(lc::PromptNoRepeatNGram{});
  each(lc::PromptRepetitionPenalty{});
  each(lc::RemoveInvalidValues{});
  each(lc::Renormalize{});
  each(lc::RepetitionPenalty{});
  each(lc::SequenceBias{});
  each(lc::SuppressTokens{});
  each(lc::Temperature{});
  each(lc::TopH{});
  each(lc::TopK{});
  each(lc::TopNSigma{});
  each(lc::TopP{});
  each(lc::Typical{});
  commit<<<1, 1>>>(view, lc::chain(lc::SequenceBias{}, lc::RepetitionPenalty{1.1}, lc::TopP{0.9}),
                   lc::criterion(lc::StopStrings{}, lc::EndOfSequence{2}, lc::MaxNewTokens{3},
                                 lc::MaxLength{9}));
  functions<<<1, 32>>>(scores, scores, halves, doubles, masses);
#ifdef PLAIN_OPERATORS
  plain<<<1, 1>>>(scores, scores, doubles);
#endif
}
