// SPDX-License-Identifier: Apache-2.0
// Rows of logits of the host's, with all that lies between and around them, in device memory.
#pragma once

#include <cstdint>
#include <vector>

#include <logitchain/logitchain.cuh>

#include "cuda/support/device_array.cuh"

namespace logitchain_test {

using namespace logitchain;

/// Logits of any element type and stride, in device memory.
class DeviceLogits {
 public:
  /// @param offset elements that they are moved by, to spoil their alignment
  explicit DeviceLogits(const host_logits& host, std::int64_t offset = 0)
      : host_(host), offset_(offset * size_of(host.type())), bytes_(copied(host, offset_)) {}

  device_logits view() const {
    return {first(), host_.type(), host_.rows(), host_.width(), host_.stride()};
  }
  /// The same rows, to be written. Their stride must allow it.
  device_scores scores() const {
    return {first(), host_.type(), host_.rows(), host_.width(), host_.stride()};
  }
  /// The memory from the lowest byte of a row on.
  std::vector<unsigned char> read() const {
    const std::vector<unsigned char> all = bytes_.read();
    return {all.begin() + offset_, all.end()};
  }

 private:
  unsigned char* first() const {
    return bytes_.data() + offset_ +
           (static_cast<const unsigned char*>(host_.row(0)) -
            reinterpret_cast<const unsigned char*>(host_.begin()));
  }
  static std::vector<unsigned char> copied(const host_logits& host, std::int64_t offset) {
    std::vector<unsigned char> bytes(static_cast<std::size_t>(offset), 0xff);
    const auto* const begin = reinterpret_cast<const unsigned char*>(host.begin());
    bytes.insert(bytes.end(), begin, begin + (host.end() - host.begin()));
    return bytes;
  }

  host_logits host_;
  std::int64_t offset_;
  DeviceArray<unsigned char> bytes_;
};

}  // namespace logitchain_test
