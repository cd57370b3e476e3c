// SPDX-License-Identifier: Apache-2.0
// The numbers of the chains that are measured: one place for ours and for every peer.
#pragma once

namespace bench {

inline constexpr double REPETITION = 1.1;
inline constexpr double FREQUENCY = 0.1;
inline constexpr double PRESENCE = 0.1;
inline constexpr int TOP_K = 20;
inline constexpr double NARROW_TOP_P = 0.8;  ///< behind a top-k
inline constexpr double TOP_P = 0.9;         ///< alone
inline constexpr double MIN_P = 0.05;
inline constexpr double TEMPERATURE = 0.7;
inline constexpr double TYPICAL = 0.9;

/// End of sequence; its logit is so low that no draw gives it.
inline constexpr int EOS = 2;

/// Steps between two restarts of a row, which are not timed: a row's history is the case's and up
/// to this many tokens more.
inline constexpr int STEPS_OF_A_ROW = 16;

}  // namespace bench
