// SPDX-License-Identifier: Apache-2.0
// The rows of logits that all contenders of a group read.
#pragma once

#include <cstdint>
#include <vector>

#include "case.hpp"
#include "check.hpp"

namespace device_bench {

/// A few different rows, one after the other, as often as there are items; those that `counts.sh`
/// counts over, except that nothing ever draws the token that ends a row.
class Logits {
 public:
  explicit Logits(const Group& group);

  const void* data() const { return memory_.data(); }
  /// Exclusive or of the 32-bit words of all rows.
  unsigned words() const { return words_; }

 private:
  DeviceMemory<unsigned char> memory_;
  unsigned words_ = 0;
};

}  // namespace device_bench
