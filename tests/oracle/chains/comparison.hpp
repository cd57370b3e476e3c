// SPDX-License-Identifier: Apache-2.0
// The library beside the oracle on one random batch: scores, tokens, statuses.
#pragma once

#include <cstdint>
#include <string>

#include "oracle/chains/chain_type.hpp"

namespace oracle_test {

/// What was compared. A row counts at each step that it is active in.
struct Tally {
  std::int64_t rows = 0;
  std::int64_t drawn = 0;
  std::int64_t undefined = 0;  ///< refused: no distribution
  std::int64_t refused = 0;    ///< refused: a number out of its range
  std::int64_t finished = 0;
  std::int64_t filtered = 0;  ///< some token lived in the logits and was removed by the chain
  std::int64_t open = 0;      ///< by true exp and log: within the bounds of a threshold
  std::int64_t open_draws = 0;

  Tally& operator+=(const Tally& other);
  std::string text() const;
};

/// The library's exp and log, for the oracle that is to agree to the bit.
oracle::Functions library_functions();

enum class Mode {
  bit_for_bit,  ///< the oracle is given the library's exp and log
  by_bounds     ///< the oracle has MPFR's, and the library's stated errors
};

/// Runs one batch of a chain.
/// @return the first difference, with all that is needed to see it again; empty where there is none
std::string compare(const ChainType& type, std::uint64_t seed, const Sizes& sizes, Mode mode,
                    Tally& tally);
/// The same for a batch whose numbers come from elsewhere.
std::string compare(const ChainType& type, const Random& random, const Sizes& sizes, Mode mode,
                    Tally& tally);

}  // namespace oracle_test
