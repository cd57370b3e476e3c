// SPDX-License-Identifier: Apache-2.0
// The words: the filter value, element types of logits, statuses and the result record of a row.
#pragma once

#include <cstdint>
#include <limits>

#include <logitchain/core/config.hpp>

namespace logitchain::inline v0 {

/// The score of a removed token.
inline constexpr float FILTER = -std::numeric_limits<float>::infinity();

/// Element type of a row of logits or scores in memory.
enum class DType : std::uint8_t { f32, f16, bf16 };

/// Bytes of one element.
LOGITCHAIN_HD constexpr int size_of(DType type) { return type == DType::f32 ? 4 : 2; }

/// "f32", "f16" or "bf16".
constexpr const char* name_of(DType type) {
  return type == DType::f32 ? "f32" : type == DType::f16 ? "f16" : "bf16";
}

/// IEEE binary16 as stored; no arithmetic is done in it.
struct half {
  std::uint16_t bits;
};

/// The upper half of a float as stored; no arithmetic is done in it.
struct bfloat16 {
  std::uint16_t bits;
};

/// What became of a row. The first three are the ordinary life of a row; the others are faults of
/// its data: such a row commits nothing, becomes inactive, and leaves the other rows as they are.
enum class Status : std::uint8_t {
  ok,                      ///< generating
  finished,                ///< a criterion or the budget ended it
  released,                ///< the slot holds no row
  undefined_distribution,  ///< nothing left to draw from, or a NaN or +inf in front of the draw
  invalid_parameter,       ///< a per-row parameter outside of its range
  invalid_table,           ///< a damaged table, an id out of range in one, or another table's state
  duplicate_row,           ///< a call named this state row twice; on a device, it was admitted anew
  capacity                 ///< no room for another token
};

/// The status as it is spelled in the enumeration.
constexpr const char* name_of(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::finished:
      return "finished";
    case Status::released:
      return "released";
    case Status::undefined_distribution:
      return "undefined_distribution";
    case Status::invalid_parameter:
      return "invalid_parameter";
    case Status::invalid_table:
      return "invalid_table";
    case Status::duplicate_row:
      return "duplicate_row";
    case Status::capacity:
      return "capacity";
  }
  return "unknown";
}

/// Values of `StepResult::criterion` and `Finish::criterion` that are not a position in the
/// criterion's own order.
inline constexpr std::int16_t NOT_FINISHED = -1;
inline constexpr std::int16_t BUDGET_SPENT = 0x7fff;

/// What one step did to one item: everything a host needs, in one record of 16 bytes.
struct StepResult {
  std::int32_t token = -1;           ///< the token committed, -1 if none
  std::int32_t generated = 0;        ///< tokens generated so far
  Status status = Status::released;  ///< the row's status after the step
  std::uint8_t reserved = 0;
  std::int16_t criterion = NOT_FINISHED;  ///< which criterion ended the row, or BUDGET_SPENT
  std::int32_t entry = -1;                ///< which of its entries (stop string, EOS id)
};
static_assert(sizeof(StepResult) == 16);

/// Why and where a row ended.
struct Finish {
  std::int16_t criterion = NOT_FINISHED;  ///< position in the criterion, or BUDGET_SPENT
  std::int32_t entry = -1;                ///< which of its entries, -1 where it has none
  /// For a stop string: the byte of the generated text at which it begins; negative where it
  /// begins in the prompt. 0 for other criteria.
  std::int64_t begin = 0;
};

/// What a criterion answers for the token just committed.
struct Fired {
  std::int32_t entry = -1;  ///< the entry that fired; -1: not fired
  std::int64_t begin = 0;   ///< see Finish::begin
  LOGITCHAIN_HD constexpr explicit operator bool() const { return entry >= 0; }
};

}  // namespace logitchain::inline v0
