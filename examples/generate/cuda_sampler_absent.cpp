// SPDX-License-Identifier: Apache-2.0
// Stands in for cuda_sampler.cu where the program is built without nvcc.
#include <stdexcept>

#include "sampler.hpp"

namespace generate {

std::unique_ptr<Sampler> make_cuda_sampler(const Options&, StopRules, const SamplerShape&) {
  throw std::runtime_error(
      "--engine cuda: this program was built without it; examples/generate.sh builds one with it");
}

}  // namespace generate
