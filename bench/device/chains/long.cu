// SPDX-License-Identifier: Apache-2.0
#include "device/ours.cuh"

namespace device_bench {

std::unique_ptr<Contender> make_long(const Setup& setup) {
  using namespace logitchain;
  return make_ours(chain(RepetitionPenalty{1.1}, FrequencyPenalty{0.1}, PresencePenalty{0.1},
                         TopK{20}, TopP{0.8}, MinP{0.05}, Temperature{0.7}),
                   setup);
}

}  // namespace device_bench
