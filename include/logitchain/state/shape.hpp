// SPDX-License-Identifier: Apache-2.0
// How large a state is: rows, tokens per row, vocabulary; and the limits of each.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <logitchain/core/error.hpp>
#include <logitchain/core/limits.hpp>

namespace logitchain::inline v0 {

/// Size of a state. `StepState(engine, {.rows = 64, .capacity = 4096, .vocab = 151936}, needs)`.
struct Shape {
  std::int64_t rows;      ///< rows that it can hold at once, in [1, 2^31 - 1]
  std::int64_t capacity;  ///< tokens of a row's history, prompt and generated, in [1, 2^31 - 1]
  std::int64_t vocab;     ///< tokens that can be drawn are in [0, vocab), vocab in [1, 2^20 - 1]
  /// Where given, a row admitted without a seed gets one from it and the admission's number.
  std::optional<std::uint64_t> seed = {};
};

/// The most rows of a state, and the most tokens of a row.
inline constexpr std::int64_t MAX_ROWS = 2147483647;
inline constexpr std::int64_t MAX_CAPACITY = 2147483647;

/// Refuses a shape outside of its ranges.
/// @throws invalid_argument naming the member, its value and its range
constexpr void check_shape(const Shape& shape, std::string_view where = "StepState") {
  if (shape.rows < 1 || shape.rows > MAX_ROWS) {
    refuse(where, "rows", shape.rows, "in [1, 2147483647]");
  }
  if (shape.capacity < 1 || shape.capacity > MAX_CAPACITY) {
    refuse(where, "capacity", shape.capacity, "in [1, 2147483647]");
  }
  if (shape.vocab < 1 || shape.vocab > MAX_VOCAB) {
    refuse(where, "vocab", shape.vocab,
           "in [1, 1048575]: the masses of a larger vocabulary do not fit 64 bits");
  }
}

}  // namespace logitchain::inline v0
