// SPDX-License-Identifier: Apache-2.0
// The largest vocabulary, which the width of a mass decides.
#pragma once

#include <cstdint>

namespace logitchain::inline v0 {

/// The largest vocabulary of a state or table. A token's mass is at most 2^44, and the sum of all
/// must stay below 2^64.
inline constexpr std::int64_t MAX_VOCAB = (std::int64_t{1} << 20) - 1;

}  // namespace logitchain::inline v0
