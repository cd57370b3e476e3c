// SPDX-License-Identifier: Apache-2.0
// Sequences of operations on a state against a plain model: rows begin, end, are copied, saved,
// loaded, stepped and committed to, with right and with wrong arguments. After each, both tell the
// same of every row; a call that is refused has changed nothing.
#include <cstddef>
#include <cstdint>

#include "fuzz/state_run.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::StateRun(fuzz::Bytes(data, size)).run();
  return 0;
}
