// SPDX-License-Identifier: Apache-2.0
// The second of two translation units with the whole library.
#include "stops.hpp"

#include <string>
#include <vector>

logitchain::StopTable stops_of_consumer() {
  const std::vector<std::string> pieces{"a", "b", "!", "?", "c!"};
  return logitchain::stop_strings(pieces, {"!?"});
}
