// SPDX-License-Identifier: Apache-2.0
#include "device/ours.cuh"

namespace device_bench {

std::unique_ptr<Contender> make_greedy(const Setup& setup) {
  using namespace logitchain;
  return make_ours(chain(Greedy{}), setup);
}

}  // namespace device_bench
