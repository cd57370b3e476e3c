// SPDX-License-Identifier: Apache-2.0
#include "counts/run.cuh"

int main() {
  using namespace logitchain;
  return counts::run_all("temperature", chain(Temperature{0.7}));
}
