// SPDX-License-Identifier: Apache-2.0
// The oracle that knows the true exp and log: it says what any implementation within the stated
// error bounds must do, and where the bounds leave more than one answer.
#pragma once

#include <cstdint>

#include "oracle/oracle.hpp"

namespace oracle {

/// Errors that the library states, in units of a float32's last place.
inline constexpr long double EXPONENTIAL_ULPS = 1.17L;
inline constexpr long double LOGARITHM_ULPS = 0.95L;

/// What must become of a row.
struct Judgement {
  bool decided = true;  ///< false: some decision lies within the bounds of its threshold
  Scores scores{};      ///< behind the chain, where decided
  /// How far each score above -inf may be from `scores`: 0 but behind Renormalize.
  float tolerance = 0;
  std::int64_t token = -1;     ///< the draw's
  bool token_decided = false;  ///< false too where the tolerance is not 0
};

Judgement judged(const Chain& chain, const Row& row, Scores scores);

}  // namespace oracle
