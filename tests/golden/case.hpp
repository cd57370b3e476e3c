// SPDX-License-Identifier: Apache-2.0
// A line with stages, decoded: logits, history, what is expected and how exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chain_registry.hpp"
#include "lines.hpp"

namespace golden {

/// One flag per token: 1 where the score is not -inf.
using Mask = std::vector<std::uint8_t>;

/// How close a value of a kept token must be; all zero: equal, bit for bit.
struct Tolerance {
  double abs = 0, rel = 0, ulp = 0;
  bool exact() const { return abs == 0 && rel == 0 && ulp == 0; }
};

/// What the file says of the result. Members are absent where the file leaves them out.
struct Expected {
  std::optional<Mask> kept;
  std::optional<std::int64_t> kept_count;
  std::optional<std::uint64_t> kept_hash;
  std::optional<std::vector<float>> out;
  std::optional<std::uint64_t> out_hash;
  std::vector<std::pair<std::int64_t, float>> samples;
  std::optional<double> log_sum_exp;
  bool values_unchanged = false;
  std::vector<Mask> kept_after_stage;
  std::vector<std::int64_t> kept_count_after_stage;
  std::optional<std::string> raises;
};

/// A recorded draw.
struct Draw {
  std::uint64_t seed = 0;
  std::int64_t position = 0;
  std::int32_t token = -1;
};

enum class Category { strict, near, tie, split, nonfinite, raises };

/// A case of `transforms-*.jsonl` or `chains.jsonl`, or a recorded step.
struct Case {
  std::string id;
  std::vector<Stage> stages;
  std::int64_t vocab = 0;
  Element element = Element::f32;
  std::vector<std::int64_t> prompt, generated;
  std::vector<float> input;           ///< [vocab] the logits, widened
  std::vector<std::uint16_t> narrow;  ///< [vocab] their bits where they are not f32
  Category category = Category::strict;
  Mask excused;                             ///< [vocab] 1: the mask is not judged there; or empty
  std::optional<std::int64_t> split_count;  ///< of the excused tokens so many are kept
  Tolerance tolerance;
  Expected expected;
  std::optional<Draw> draw;

  const void* logits() const {
    return element == Element::f32 ? static_cast<const void*>(input.data()) : narrow.data();
  }
};

/// @throws Fault naming the field that is missing or cannot be read
Case read_case(const Json& line);

}  // namespace golden
