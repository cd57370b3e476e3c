// SPDX-License-Identifier: Apache-2.0
// The device that is measured on, as its runtime tells it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace device_bench {

struct Machine {
  std::string name;
  std::size_t cache_bytes = 0;  ///< of the second-level cache
  double bandwidth = 0;         ///< bytes per second at its memory's clock; 0: not told
  /// A program that stands in for a device: its times are no device's.
  bool emulated = false;
  /// What is worth a line in a report.
  std::vector<std::pair<std::string, std::string>> context;
};

/// @param bandwidth GB/s to take in place of what the device tells; 0: none
/// @throws runtime_error where there is no device
Machine this_machine(double bandwidth);

}  // namespace device_bench
