// SPDX-License-Identifier: Apache-2.0
#include "../ours_step.hpp"

namespace bench {

std::unique_ptr<Contender> ours_typical(const Setup& setup) {
  return our_step(setup, lc::chain(lc::Typical{TYPICAL}, lc::Temperature{TEMPERATURE}));
}

}  // namespace bench
