// SPDX-License-Identifier: Apache-2.0
// In place of FlashInfer where its headers were not asked for.
#include <stdexcept>

#include "device/contender.hpp"

namespace device_bench {

std::string flashinfer_built_with() { return ""; }

std::unique_ptr<Contender> make_flashinfer(const std::string&, const Setup&) {
  throw std::runtime_error("the program was built without FlashInfer");
}

}  // namespace device_bench
