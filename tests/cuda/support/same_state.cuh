// SPDX-License-Identifier: Apache-2.0
// Two states, one on the host and one on a device: the same rows, byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include <logitchain/state/step_state.hpp>

#include "cuda/support/device_array.cuh"

namespace logitchain_test {

using namespace logitchain;

/// What differs of what rows hold, empty where nothing does. States of one shape and needs that own
/// their memory.
inline std::string difference_of_states(const StepState& host, const StepState& device) {
  const StateLayout& layout = host.layout();
  const std::size_t size = static_cast<std::size_t>(layout.bytes);
  const auto* const own = reinterpret_cast<const unsigned char*>(host.view().records);
  std::vector<unsigned char> other(size);
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaMemcpy(other.data(), device.view().records, size, cudaMemcpyDeviceToHost));
  const auto same = [&](const StateLayout::Component& part, std::int64_t row, std::int64_t count) {
    const std::int64_t at = part.offset + row * part.stride * part.element;
    return std::memcmp(own + at, other.data() + at,
                       static_cast<std::size_t>(count * part.element)) == 0;
  };
  for (std::int64_t row = 0; row < layout.rows; ++row) {
    const RowRecord& record = host.view().records[row];
    const std::string of_row = " of row " + std::to_string(row);
    if (!same(layout.records, row, 1)) {
      RowRecord found;
      std::memcpy(&found, other.data() + row * 64, sizeof found);
      return "the record" + of_row + ": " + name_of(record.status) + " and " +
             name_of(found.status) + ", generated " + std::to_string(record.generated) + " and " +
             std::to_string(found.generated);
    }
    if (record.status == Status::released) continue;
    const std::int64_t total = std::int64_t{record.prompt_length} + record.generated;
    if (layout.tokens.bytes != 0 && !same(layout.tokens, row, total)) return "tokens" + of_row;
    if (layout.seen.bytes != 0 && !same(layout.seen, row, record.seen_size)) {
      return "distinct tokens" + of_row;
    }
    if (layout.seen.bytes != 0 && !same(layout.seen_bits, row, layout.seen_bits.used)) {
      return "the bitmap" + of_row;
    }
    if (layout.slots.bytes != 0 && !same(layout.slots, row, layout.slots.stride)) {
      return "automata" + of_row;
    }
  }
  return {};
}

}  // namespace logitchain_test
