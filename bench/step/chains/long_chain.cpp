// SPDX-License-Identifier: Apache-2.0
#include "../ours_step.hpp"

namespace bench {

std::unique_ptr<Contender> ours_long_chain(const Setup& setup) {
  return our_step(setup,
                  lc::chain(lc::RepetitionPenalty{REPETITION}, lc::FrequencyPenalty{FREQUENCY},
                            lc::PresencePenalty{PRESENCE}, lc::TopK{TOP_K}, lc::TopP{NARROW_TOP_P},
                            lc::MinP{MIN_P}, lc::Temperature{TEMPERATURE}));
}

}  // namespace bench
