// SPDX-License-Identifier: Apache-2.0
// The draw from a row that is held.
#pragma once

#include <cstdint>

#include <logitchain/core/mass.hpp>
#include <logitchain/core/philox.hpp>
#include <logitchain/core/wide_integer.hpp>
#include <logitchain/engine/cuda/detail/numbers.cuh>
#include <logitchain/engine/cuda/detail/row.cuh>
#include <logitchain/state/row_record.hpp>

namespace logitchain::inline v0::detail::cuda {

/// Draws one token; -1 where the row has no distribution.
template <bool IsList>
__device__ std::int32_t draw_token(Row<IsList>& row, const RowRecord& record) {
  require(row, Numbers::total);
  if (!row.has_distribution) return -1;
  const std::uint64_t random =
      draw_number(record.seed, static_cast<std::uint64_t>(record.generated));
  const float maximum = row.numbers.maximum;
  return token_at(row, mulhi(random, row.numbers.total),
                  [&](std::int32_t, float score) { return mass(sub(score, maximum)); });
}

}  // namespace logitchain::inline v0::detail::cuda
