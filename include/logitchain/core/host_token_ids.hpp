// SPDX-License-Identifier: Apache-2.0
// A view of token ids in host memory, of 32 or 64 bits.
#pragma once

#include <cstdint>
#include <vector>

#include <logitchain/core/span.hpp>

namespace logitchain::inline v0 {

/// Token ids to commit: `[items, each]`, of 32 or 64 bits, rows of `each` side by side.
class HostTokenIds {
 public:
  explicit(false) HostTokenIds(host_span<const std::int32_t> ids)  // a view
      : data_(ids.data()), size_(ids.size()) {}
  explicit(false) HostTokenIds(host_span<const std::int64_t> ids)  // a view
      : data_(ids.data()), size_(ids.size()), wide_(true) {}
  explicit(false) HostTokenIds(const std::vector<std::int32_t>& ids)  // a view
      : HostTokenIds(host_span<const std::int32_t>(ids)) {}
  explicit(false) HostTokenIds(const std::vector<std::int64_t>& ids)  // a view
      : HostTokenIds(host_span<const std::int64_t>(ids)) {}

  std::int64_t size() const { return size_; }
  std::int64_t operator[](std::int64_t i) const {
    return wide_ ? static_cast<const std::int64_t*>(data_)[i]
                 : static_cast<const std::int32_t*>(data_)[i];
  }

 private:
  const void* data_ = nullptr;
  std::int64_t size_ = 0;
  bool wide_ = false;
};

}  // namespace logitchain::inline v0
