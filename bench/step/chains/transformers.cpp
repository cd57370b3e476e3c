// SPDX-License-Identifier: Apache-2.0
#include "../ours_step.hpp"

namespace bench {

std::unique_ptr<Contender> ours_transformers(const Setup& setup) {
  return our_step(setup, lc::chain(lc::RepetitionPenalty{REPETITION}, lc::Temperature{TEMPERATURE},
                                   lc::TopK{TOP_K}, lc::TopP{NARROW_TOP_P}, lc::MinP{MIN_P}));
}

}  // namespace bench
