// SPDX-License-Identifier: Apache-2.0
#include "device/ours.cuh"

namespace device_bench {

std::unique_ptr<Contender> make_temperature(const Setup& setup) {
  using namespace logitchain;
  return make_ours(chain(Temperature{0.7}), setup);
}

}  // namespace device_bench
