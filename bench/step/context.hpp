// SPDX-License-Identifier: Apache-2.0
// What a figure needs to mean anything: the machine, the compiler, the load.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bench {

/// Names and values, in the order in which they are to be printed.
using Context = std::vector<std::pair<std::string, std::string>>;

Context machine_context();

/// The load averages of 1, 5 and 15 minutes.
std::string load_now();

}  // namespace bench
