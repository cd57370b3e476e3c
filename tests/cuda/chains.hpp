// SPDX-License-Identifier: Apache-2.0
// The chain types that both engines run, and the proof of what they cover.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "oracle/chains/table.hpp"

namespace cuda_test {

using namespace logitchain;
using oracle_test::STAGES;
using oracle_test::Stages;
using oracle_test::Steps;

/// Chains of four: from each stage on by this stride through the oracle's list, around its end.
inline constexpr std::size_t STRIDE[] = {0, 1, 10, 13};

using Written =
    std::tuple<Steps<>,
               // pairs of kinds that the stride leaves out
               Steps<Temperature, ForcedBOS, ForcedEOS, Greedy, Greedy, MinP>,
               Steps<Temperature, Greedy, ForcedEOS>,
               // Transformers' order of generate
               Steps<RepetitionPenalty, NoRepeatNGram, SequenceBias, MinLength, Temperature, TopK,
                     TopP, MinP, Typical, EpsilonCutoff, EtaCutoff, Renormalize>,
               // vLLM's
               Steps<SuppressTokens, RepetitionPenalty, FrequencyPenalty, PresencePenalty,
                     Temperature, MinP, TopK, TopP>,
               // llama.cpp's
               Steps<RepetitionPenalty, FrequencyPenalty, PresencePenalty, TopK, Typical, TopP,
                     MinP, Temperature>>;
inline constexpr std::size_t CHAINS = STAGES + std::tuple_size_v<Written>;
static_assert(CHAINS == 34, "CMakeLists.txt names them by number");

namespace detail {

template <std::size_t Chain, bool IsRotated>
struct ChainAt {
  using Type = std::tuple_element_t<Chain - STAGES, Written>;
};
template <std::size_t Chain>
struct ChainAt<Chain, true> {
  template <std::size_t Place>
  static constexpr std::size_t stage() {
    std::size_t at = Chain;
    for (std::size_t i = 0; i <= Place; ++i) at += STRIDE[i];
    return at % STAGES;
  }
  using Type =
      Steps<std::tuple_element_t<stage<0>(), Stages>, std::tuple_element_t<stage<1>(), Stages>,
            std::tuple_element_t<stage<2>(), Stages>, std::tuple_element_t<stage<3>(), Stages>>;
};

}  // namespace detail

/// The chain of a number below CHAINS.
template <std::size_t Chain>
using ChainAt = typename detail::ChainAt<Chain, (Chain < STAGES)>::Type;

namespace detail {
constexpr oracle_test::detail::Coverage coverage() {
  oracle_test::detail::Coverage coverage;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (oracle_test::detail::note(cuda_test::ChainAt<I>{}, coverage), ...);
  }(std::make_index_sequence<CHAINS>{});
  return coverage;
}
static_assert(CHAINS >= 24 && coverage().complete(),
              "an ordered pair of kinds, or a transform in some place, is in no chain");
}  // namespace detail

}  // namespace cuda_test
