// SPDX-License-Identifier: Apache-2.0
#include "../ours_step.hpp"

namespace bench {

std::unique_ptr<Contender> ours_top_p(const Setup& setup) {
  return our_step(setup, lc::chain(lc::Temperature{TEMPERATURE}, lc::TopP{TOP_P}));
}

}  // namespace bench
