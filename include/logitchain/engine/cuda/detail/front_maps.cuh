// SPDX-License-Identifier: Apache-2.0
// The dense maps in front of a row's first filter, as functions of one score.
#pragma once

#include <cstdint>
#include <utility>

#include <logitchain/chain/chain.hpp>
#include <logitchain/engine/cuda/detail/front.cuh>
#include <logitchain/engine/cuda/detail/stages.cuh>

namespace logitchain::inline v0::detail::cuda {

/// True where map `stage` may act in front of one that lists its tokens or reverses scores, that
/// is, where it may be other than deferred.
template <class ChainType>
constexpr bool is_followed_by_early(int stage) {
  for (int i = stage; i < ChainType::SIZE; ++i) {
    const StageTraits& own = ChainType::TRAITS[static_cast<std::size_t>(i)];
    if (ChainType::PLAN.dropped[static_cast<std::size_t>(i)]) continue;
    if (own.kind == Kind::listed || (own.kind == Kind::map && !own.monotone)) return true;
  }
  return false;
}

template <class ChainType, int Index>
inline constexpr bool may_be_early = is_followed_by_early<ChainType>(Index);

enum class FrontPart { map, other, end };
template <class ChainType, int Index>
constexpr FrontPart front_part() {
  if constexpr (Index == ChainType::SIZE) {
    return FrontPart::end;
  } else {
    return traits<ChainType, Index>.kind == Kind::map && !dropped<ChainType, Index>
               ? FrontPart::map
               : FrontPart::other;
  }
}

/// What a map that may collapse a row does to it; unclear where the row must be held to tell.
enum class Collapse { no, yes, unclear };

/// The maps from `Index` on, bound to a row: `early` applies those in front of the deferred ones,
/// `late` the deferred ones.
template <class ChainType, int Index = 0, FrontPart = front_part<ChainType, Index>()>
struct FrontMaps {
  using Stage = typename ChainType::template Stage<Index>;
  static constexpr StageTraits OWN = traits<ChainType, Index>;
  using Bound =
      decltype(bind_map(std::declval<const Stage&>(), std::declval<const RowOf<Stage>&>()));

  BoundMapOf<Bound, OWN.revives || OWN.monotone> own;
  bool is_late;
  FrontMaps<ChainType, Index + 1> rest;

  __device__ static FrontMaps of(const ChainType& chain, const RowView::Fields& fields,
                                 const AutomatonSlot* slots, const Front& front) {
    const Stage& stage = chain.template stage<Index>();
    const auto view = ChainType::template row_for<Index>(fields, slots);
    const bool acts = Index < front.filter && is_active(stage, view);
    return {{bind_map(stage, view), acts},
            Index >= front.deferred,
            FrontMaps<ChainType, Index + 1>::of(chain, fields, slots, front)};
  }

  __device__ bool any_early() const {
    if constexpr (!may_be_early<ChainType, Index>) return false;
    return (own.on && !is_late) || rest.any_early();
  }
  __device__ float early(std::int32_t token, float score) const {
    if constexpr (!may_be_early<ChainType, Index>) return score;
    return rest.early(token, is_late ? score : own(token, score));
  }
  __device__ bool any_late() const { return (own.on && is_late) || rest.any_late(); }
  /// A map that keeps the order of scores does not look at tokens.
  __device__ float late(float score) const {
    if constexpr (OWN.monotone) {
      return rest.late(is_late ? own(0, score) : score);
    } else {
      return rest.late(score);
    }
  }
  /// Whether a deferred map leaves of the row only its best token.
  /// @param maximum of the row in front of the deferred maps
  /// @param outside what no token has more of that is not known
  __device__ Collapse collapse(float maximum, float outside) const {
    if constexpr (OWN.may_collapse) {
      if (own.on && is_late && own.bound.needs_maximum()) {
        if (!is_finite(maximum)) return Collapse::unclear;
        if (own.bound.collapses(maximum)) {
          return is_less(outside, maximum) ? Collapse::yes : Collapse::unclear;
        }
      }
    }
    if constexpr (OWN.monotone) {
      if (is_late) return rest.collapse(add(own(0, maximum), 0.0f), own(0, outside));
    }
    return rest.collapse(maximum, outside);
  }
};

template <class ChainType, int Index>
struct FrontMaps<ChainType, Index, FrontPart::other> : FrontMaps<ChainType, Index + 1> {
  __device__ static FrontMaps of(const ChainType& chain, const RowView::Fields& fields,
                                 const AutomatonSlot* slots, const Front& front) {
    return {FrontMaps<ChainType, Index + 1>::of(chain, fields, slots, front)};
  }
};

template <class ChainType, int Index>
struct FrontMaps<ChainType, Index, FrontPart::end> {
  __device__ static FrontMaps of(const ChainType&, const RowView::Fields&, const AutomatonSlot*,
                                 const Front&) {
    return {};
  }
  __device__ bool any_early() const { return false; }
  __device__ float early(std::int32_t, float score) const { return score; }
  __device__ bool any_late() const { return false; }
  __device__ float late(float score) const { return score; }
  __device__ Collapse collapse(float, float) const { return Collapse::no; }
};

}  // namespace logitchain::inline v0::detail::cuda
