// SPDX-License-Identifier: Apache-2.0
// In place of the chains that --quick does not measure.
#include <stdexcept>

#include "device/contender.hpp"

namespace device_bench {

std::unique_ptr<Contender> make_temperature(const Setup&) {
  throw std::runtime_error("the program was built for --quick");
}
std::unique_ptr<Contender> make_top_p(const Setup&) {
  throw std::runtime_error("the program was built for --quick");
}

}  // namespace device_bench
