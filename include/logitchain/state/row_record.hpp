// SPDX-License-Identifier: Apache-2.0
// The fixed part of a row in the state: lengths, seed, status, and why it ended.
#pragma once

#include <cstdint>

#include <logitchain/core/config.hpp>
#include <logitchain/core/types.hpp>

namespace logitchain::inline v0 {

/// One row's numbers, one cache line of a device. Rows that are not `active` are touched by no
/// step.
struct alignas(16) RowRecord {
  std::uint64_t seed = 0;
  std::uint64_t admission = 0;     ///< number of the admission that began the row, from 0
  std::int64_t finish_begin = 0;   ///< Finish::begin
  std::int32_t finish_entry = -1;  ///< Finish::entry
  std::int16_t finish_criterion = NOT_FINISHED;
  Status status = Status::released;
  std::uint8_t active = 0;
  std::int32_t prompt_length = 0;
  std::int32_t generated = 0;
  std::int32_t budget = 0;       ///< tokens that may be generated in all
  std::int32_t seen_size = 0;    ///< entries of the seen list
  std::int32_t last_token = -1;  ///< newest token committed, -1 before the first
  std::int32_t reserved = 0;
};
static_assert(sizeof(RowRecord) == 64);

namespace detail {

/// What a call tells of a row, as the record stands.
LOGITCHAIN_HD inline StepResult result_of(const RowRecord& record, std::int32_t token) {
  StepResult result;
  result.token = token;
  result.generated = record.generated;
  result.status = record.status;
  result.criterion = record.finish_criterion;
  result.entry = record.finish_entry;
  return result;
}

}  // namespace detail

}  // namespace logitchain::inline v0
