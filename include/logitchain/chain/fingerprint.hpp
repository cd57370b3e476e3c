// SPDX-License-Identifier: Apache-2.0
// What a record of a run must hold so that its tokens can be drawn again.
#pragma once

#include <string>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/chain/detail/parameter_text.hpp>
#include <logitchain/core/config.hpp>

namespace logitchain::inline v0 {

/// Revision of the arithmetic: it changes when any score, mass or draw of any chain may change.
inline constexpr int ARITHMETIC_REVISION = 1;

/// Library version, arithmetic revision, the stages in order with their batch-wide numbers, and
/// digests of their lists and tables. Equal fingerprints, logits, histories, per-row numbers, seeds
/// and positions give equal tokens; what a callable of your own does is beyond it, and so are lists
/// and tables that lie on a device.
template <class... Transforms, class... Rules>
std::string fingerprint(const Chain<Transforms...>& chain, const Criterion<Rules...>& stop) {
  return detail::text_of(
      "logitchain ", LOGITCHAIN_VERSION / 10000, ".", LOGITCHAIN_VERSION / 100 % 100, ".",
      LOGITCHAIN_VERSION % 100, ", arithmetic ", ARITHMETIC_REVISION, ", chain(",
      detail::text_of_composition(chain), "), criterion(", detail::text_of_composition(stop), ")");
}

}  // namespace logitchain::inline v0
