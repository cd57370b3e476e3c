// SPDX-License-Identifier: Apache-2.0
// What is measured: a chain over some rows of logits of one type, by ours, a peer or a floor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace device_bench {

/// Rows that are measured together, their contenders interleaved.
struct Group {
  bool narrow = false;  ///< bfloat16; else float
  std::int64_t vocab = 0;
  std::int64_t items = 0;

  const char* type() const { return narrow ? "bf16" : "f32"; }
  std::int64_t row_bytes() const { return vocab * (narrow ? 2 : 4); }
};

enum class Shape { automatic, resident, streaming, none };

/// One contender of a group.
struct Case {
  std::string chain;
  Shape shape = Shape::none;
  std::string who;  ///< "ours", a peer, or what a floor does
};

/// How much is measured.
enum class Extent {
  quick,  ///< to see that it works, an emulator's pace allowing
  usual,
  all
};

/// The name up to the contender, which follows a slash: `long/bf16/v151936/i32/automatic/cold`.
std::string name_of(const Group& group, const Case& measured, bool cold);

/// Groups, the more telling ones first.
std::vector<Group> groups_of(Extent extent);

/// @param peers whether FlashInfer takes part
std::vector<Case> cases_of(const Group& group, Extent extent, bool peers);

}  // namespace device_bench
