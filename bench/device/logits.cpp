// SPDX-License-Identifier: Apache-2.0
#include "logits.hpp"

#include <algorithm>
#include <cstring>

#include <logitchain/core/small_float.hpp>

#include "contender.hpp"
#include "counts/logits.cuh"

namespace device_bench {

namespace {

constexpr std::int64_t DIFFERENT = 16;

}  // namespace

Logits::Logits(const Group& group)
    : memory_(static_cast<std::size_t>(group.items * group.row_bytes())) {
  const std::int64_t different = std::min(group.items, DIFFERENT);
  std::vector<float> rows = counts::typical_logits(different, group.vocab);
  for (std::int64_t row = 0; row < different; ++row) {
    rows[static_cast<std::size_t>(row * group.vocab + END)] = -100;
  }
  std::vector<std::uint16_t> narrow;
  const void* from = rows.data();
  if (group.narrow) {
    for (const float logit : rows) narrow.push_back(logitchain::to_bfloat16(logit).bits);
    from = narrow.data();
  }
  const auto row_bytes = static_cast<std::size_t>(group.row_bytes());
  for (std::int64_t item = 0; item < group.items; ++item) {
    const auto* const row = static_cast<const unsigned char*>(from) +
                            static_cast<std::size_t>(item % different) * row_bytes;
    check(cudaMemcpy(memory_.data() + static_cast<std::size_t>(item) * row_bytes, row, row_bytes,
                     cudaMemcpyHostToDevice),
          "cudaMemcpy");
    for (std::size_t at = 0; at < row_bytes; at += sizeof(unsigned)) {
      unsigned word = 0;
      std::memcpy(&word, row + at, sizeof word);
      words_ ^= word;
    }
  }
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

}  // namespace device_bench
