// SPDX-License-Identifier: Apache-2.0
#include "counts/run.cuh"

int main() {
  using namespace logitchain;
  return counts::run_all("top_p", chain(Temperature{0.7}, TopP{0.9}));
}
