// SPDX-License-Identifier: Apache-2.0
// What the program is told.
#pragma once

#include <string>

#include "case.hpp"

namespace device_bench {

struct Options {
  Extent extent = Extent::usual;
  bool list = false;
  bool flashinfer = false;
  std::string filter;
  std::string json;
  double bandwidth = 0;  ///< GB/s; 0: as the device tells
  int repetitions = 0;   ///< 0: 9, or 5 of the quick ones
  double limit = 0;      ///< seconds after which no group is begun; 0: none
};

/// @throws runtime_error naming an argument that there is not, or its value
Options parse_options(int count, char** arguments);

}  // namespace device_bench
