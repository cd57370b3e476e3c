// SPDX-License-Identifier: Apache-2.0
// Whether two contenders keep the same tokens with the same scores.
#pragma once

#include <string>
#include <vector>

#include "contender.hpp"

namespace bench {

/// How two sets of survivors differ.
struct Difference {
  std::size_t ours;    ///< tokens that ours keeps
  std::size_t theirs;  ///< tokens that the peer keeps
  std::size_t apart;   ///< tokens that only one of them keeps
  double mass;         ///< share of the union's probability that lies on those
  double score;        ///< largest distance between the scores of a token that both keep

  /// The peers add masses in float, one token after the other: where a filter's edge lies between
  /// tokens of nearly equal probability, it moves. A wrong filter, order or number moves more.
  static constexpr double MASS_TOLERANCE = 1e-3;
  static constexpr double SCORE_TOLERANCE = 1e-4;

  bool agrees() const { return mass <= MASS_TOLERANCE && score <= SCORE_TOLERANCE; }
  /// "20", or what is different.
  std::string text() const;
};

Difference compare(std::vector<Survivor> ours, std::vector<Survivor> theirs);

}  // namespace bench
