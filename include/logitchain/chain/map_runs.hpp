// SPDX-License-Identifier: Apache-2.0
// Which neighbouring maps of a chain share one sweep.
#pragma once

#include <cstddef>

#include <logitchain/core/kind.hpp>

namespace logitchain::inline v0::detail {

/// Stage after the run of dense maps that begins at `first`. A map that may collapse the row must
/// see the row as it stands at its own place, so it begins a run.
template <class ChainType>
constexpr int end_of_run(int first) {
  int end = first + 1;
  while (end < ChainType::SIZE &&
         ChainType::TRAITS[static_cast<std::size_t>(end)].kind == Kind::map &&
         !ChainType::TRAITS[static_cast<std::size_t>(end)].may_collapse) {
    ++end;
  }
  return end;
}

/// True where a map is not part of the run of the map before it.
template <class ChainType>
constexpr bool begins_run(int stage) {
  return stage == 0 || ChainType::TRAITS[static_cast<std::size_t>(stage - 1)].kind != Kind::map ||
         ChainType::TRAITS[static_cast<std::size_t>(stage)].may_collapse;
}

}  // namespace logitchain::inline v0::detail
