// SPDX-License-Identifier: Apache-2.0
#include "../ours_step.hpp"

namespace bench {

std::unique_ptr<Contender> ours_greedy(const Setup& setup) {
  return our_step(setup, lc::chain(lc::Greedy{}));
}

}  // namespace bench
