// SPDX-License-Identifier: Apache-2.0
// The chain types that are compared with the oracle, and the proof of what they cover.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <logitchain/logitchain.hpp>

namespace oracle_test {

using namespace logitchain;

/// A plain callable of the test's own: z + slope where the token is odd, -inf where it is a
/// multiple of 7.
struct OwnMap {
  float slope = 0;
  LOGITCHAIN_HD float operator()(const RowView&, std::int32_t token, float score) const {
    if (token % 7 == 0) return FILTER;
    return token % 2 != 0 ? score + slope : score;
  }
};

/// Every transform that has a name, and one that has none; kinds alternate, so that a rotation of
/// the list brings many pairs of kinds side by side.
using Stages =
    std::tuple<Temperature, RepetitionPenalty, TopK, ForcedBOS, MinP, Greedy, RemoveInvalidValues,
               SequenceBias, TopP, ForcedEOS, TopNSigma, Renormalize, SuppressTokens, OwnMap,
               FrequencyPenalty, Typical, NoRepeatNGram, EpsilonCutoff, PresencePenalty,
               JointTopKTopP, MinNewTokens, EtaCutoff, PromptRepetitionPenalty, TopH, MinLength,
               PromptNoRepeatNGram, BeginSuppressTokens, ExponentialDecayLengthPenalty>;
inline constexpr std::size_t STAGES = std::tuple_size_v<Stages>;

/// The stages of a chain, in order.
template <class... Transforms>
struct Steps {
  static constexpr std::size_t SIZE = sizeof...(Transforms);
};

/// Chains of four: from each stage on by these strides through the list, around its end. Every
/// stage is once the first, twice in the middle and once the last of each rotation.
inline constexpr std::size_t STRIDES[][4] = {{0, 22, 27, 14}, {0, 23, 24, 4}};
inline constexpr std::size_t ROTATED = std::size(STRIDES) * STAGES;

constexpr std::size_t rotated_stage(std::size_t chain, std::size_t place) {
  std::size_t stage = chain % STAGES;
  for (std::size_t i = 1; i <= place; ++i) stage += STRIDES[chain / STAGES][i];
  return stage % STAGES;
}

/// Orders that people use, and pairs that an engine is tempted to treat as one.
using Written =
    std::tuple<Steps<>, Steps<Temperature>, Steps<Greedy>, Steps<MinP>, Steps<TopP>, Steps<Typical>,
               Steps<Greedy, Greedy>, Steps<Temperature, TopP>, Steps<Typical, Temperature>,
               Steps<Temperature, JointTopKTopP>, Steps<TopK, TopP, Greedy>,
               Steps<Temperature, MinP>, Steps<TopNSigma, Temperature>, Steps<TopK, Temperature>,
               Steps<RepetitionPenalty, Greedy>, Steps<MinP, Temperature, TopP>,
               Steps<TopK, RemoveInvalidValues, TopK>,
               Steps<FrequencyPenalty, PresencePenalty, MinP, Temperature>,
               Steps<TopK, Renormalize>, Steps<RepetitionPenalty, Temperature, TopK, TopP>,
               Steps<Temperature, TopK, TopP, MinP, Temperature>,
               // Transformers' order of generate
               Steps<RepetitionPenalty, NoRepeatNGram, SequenceBias, MinLength, Temperature, TopK,
                     TopP, MinP, Typical, EpsilonCutoff, EtaCutoff, Renormalize>,
               // vLLM's
               Steps<SuppressTokens, RepetitionPenalty, FrequencyPenalty, PresencePenalty,
                     Temperature, MinP, TopK, TopP>,
               // llama.cpp's
               Steps<RepetitionPenalty, FrequencyPenalty, PresencePenalty, TopK, Typical, TopP,
                     MinP, Temperature>>;
inline constexpr std::size_t CHAINS = ROTATED + std::tuple_size_v<Written>;
static_assert(CHAINS >= 64);

namespace detail {

template <std::size_t Chain, bool IsRotated>
struct ChainAt {
  using Type = std::tuple_element_t<Chain - ROTATED, Written>;
};
template <std::size_t Chain>
struct ChainAt<Chain, true> {
  template <std::size_t... Place>
  static Steps<std::tuple_element_t<rotated_stage(Chain, Place), Stages>...> type_of(
      std::index_sequence<Place...>);
  using Type = decltype(type_of(std::make_index_sequence<std::size(STRIDES[0])>{}));
};

/// Kinds as the planner knows them, and what leaves only the best token.
enum class Sort { map, listed, force, cut, selection, collapse };
inline constexpr std::size_t SORTS = 6;

template <class Stage>
constexpr Sort sort_of() {
  if constexpr (requires { Stage::collapses; }) {
    return Sort::collapse;
  } else if constexpr (requires { Stage::kind; }) {
    return static_cast<Sort>(Stage::kind);
  } else {
    return Sort::map;
  }
}
static_assert(static_cast<Sort>(Kind::selection) == Sort::selection);

/// What has been seen: neighbours by their sorts; each stage first, in the middle, last.
struct Coverage {
  bool pair[SORTS][SORTS] = {};
  bool place[STAGES][3] = {};

  constexpr bool complete() const {
    bool all = true;
    for (const auto& row : pair) {
      for (const bool seen : row) all = all && seen;
    }
    for (const auto& row : place) {
      for (const bool seen : row) all = all && seen;
    }
    return all;
  }
};

template <class Stage, std::size_t... I>
constexpr std::size_t index_of(std::index_sequence<I...>) {
  return ((std::is_same_v<Stage, std::tuple_element_t<I, Stages>> ? I : 0) + ...);
}

template <class... Transforms>
constexpr void note(Steps<Transforms...>, Coverage& coverage) {
  constexpr std::size_t size = sizeof...(Transforms);
  constexpr std::array<std::size_t, size> stage{
      index_of<Transforms>(std::make_index_sequence<STAGES>{})...};
  constexpr std::array<Sort, size> sort{sort_of<Transforms>()...};
  for (std::size_t i = 0; i != size; ++i) {
    const bool last = i + 1 == size;
    coverage.place[stage[i]][i == 0 ? 0 : last ? 2 : 1] = true;
    if (!last) {
      coverage.pair[static_cast<std::size_t>(sort[i])][static_cast<std::size_t>(sort[i + 1])] =
          true;
    }
  }
}

}  // namespace detail

/// The chain of a number below CHAINS.
template <std::size_t Chain>
using ChainAt = typename detail::ChainAt<Chain, (Chain < ROTATED)>::Type;

namespace detail {
constexpr Coverage coverage() {
  Coverage coverage;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (note(oracle_test::ChainAt<I>{}, coverage), ...);
  }(std::make_index_sequence<CHAINS>{});
  return coverage;
}
static_assert(coverage().complete(),
              "an ordered pair of kinds, or a transform in some place, is in no chain");
}  // namespace detail

}  // namespace oracle_test
