// SPDX-License-Identifier: Apache-2.0
// The oracle: what a chain makes of a row, and which token the draw takes, slowly and plainly.
// Nothing of the library is included here; a check holds this folder to that.
#pragma once

#include <cstdint>
#include <vector>

#include "oracle/functions.hpp"
#include "oracle/stage.hpp"

namespace oracle {

using Chain = std::vector<Stage>;

/// The masses of a row that has a distribution: exp(score - maximum) as integers of 2^-44.
std::vector<std::uint64_t> masses(const Scores& scores, const Functions& functions);

/// The scores behind a chain.
Scores transformed(const Chain& chain, const Row& row, Scores scores, const Functions& functions);

/// The smallest token whose cumulative mass, in token order, exceeds floor(r * total / 2^64);
/// -1 where the row has no distribution.
std::int64_t drawn(const Scores& scores, std::uint64_t seed, std::uint64_t position,
                   const Functions& functions);

}  // namespace oracle
