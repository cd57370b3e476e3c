// SPDX-License-Identifier: Apache-2.0
#include "counts/run.cuh"

int main() {
  using namespace logitchain;
  return counts::run_all("typical", chain(Typical{0.9}, Temperature{0.8}));
}
