// SPDX-License-Identifier: Apache-2.0
#include "counts/run.cuh"

int main() {
  using namespace logitchain;
  return counts::run_all(
      "long", chain(RepetitionPenalty{1.1}, FrequencyPenalty{0.1}, PresencePenalty{0.1}, TopK{20},
                    TopP{0.8}, MinP{0.05}, Temperature{0.7}));
}
