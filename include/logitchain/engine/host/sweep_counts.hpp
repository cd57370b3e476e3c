// SPDX-License-Identifier: Apache-2.0
// What the host engine did to a row, counted: how the plan's promises are tested.
#pragma once

#include <cstdint>

namespace logitchain::inline v0 {

/// Sweeps and the scores that they touched, since the counts were last taken.
struct SweepCounts {
  std::int64_t rows = 0;              ///< rows that a chain was run on
  std::int64_t whole_row_sweeps = 0;  ///< sweeps over a whole vocabulary
  std::int64_t survivor_sweeps = 0;   ///< sweeps over the survivors of a shrinking stage
  std::int64_t maximum = 0;           ///< searches of the maximum, in either form
  std::int64_t total = 0;             ///< sums of masses
  std::int64_t selections = 0;        ///< threshold searches
  std::int64_t scores_read = 0;       ///< scores touched by all sweeps together

  SweepCounts& operator+=(const SweepCounts& other) {
    rows += other.rows;
    whole_row_sweeps += other.whole_row_sweeps;
    survivor_sweeps += other.survivor_sweeps;
    maximum += other.maximum;
    total += other.total;
    selections += other.selections;
    scores_read += other.scores_read;
    return *this;
  }
};

}  // namespace logitchain::inline v0
