// SPDX-License-Identifier: Apache-2.0
// What the runner knows of a compiled chain: its names and a function. No header of the library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lines.hpp"

namespace golden {

enum class Element { f32, f16, bf16 };

/// What one run of a chain is given: equal rows of the state, each with its own row of logits.
struct Job {
  const std::vector<Stage>* stages = nullptr;
  std::int64_t vocab = 0;
  const std::vector<std::int64_t>* prompt = nullptr;
  const std::vector<std::int64_t>* generated = nullptr;
  Element element = Element::f32;
  const void* logits = nullptr;  ///< [rows, vocab]
  std::int64_t rows = 1;
  std::optional<std::uint64_t> seed = {};  ///< given: row 0 is drawn from, too
};

/// One token, or why there is none.
struct Drawn {
  std::int64_t position = -1;  ///< what the row says of itself before the draw
  std::int32_t token = -1;     ///< of the fused step
  std::int32_t by_parts = -1;  ///< of `draw` on what `apply` gave
  std::string status;          ///< of the row after the fused step
};

/// What a run gives.
struct Outcome {
  std::vector<float> scores;  ///< [rows, vocab]
  std::optional<Drawn> drawn;
};

using Run = Outcome (*)(const Job&);

/// A chain that was compiled; the object registers it.
class Registered {
 public:
  Registered(const char* sequence, Run run);
};

/// The chain of this sequence of names, null if it was not compiled.
Run find_chain(const std::string& sequence);
/// How many were compiled.
std::size_t chain_count();

/// One token of row 0 of scores by the library's `draw`, -1 where it is refused.
std::int32_t draw_from(const std::vector<float>& scores, std::int64_t vocab, std::uint64_t seed);

}  // namespace golden
