// SPDX-License-Identifier: Apache-2.0
// What a run came to: per row why it ended, and what the steps cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace generate {

/// How a row ended.
struct Ending {
  std::string status;       ///< the library's word: finished, or the fault of the row
  std::string reason;       ///< "stop string", "end of sequence", "max new tokens", "budget", or ""
  std::int32_t entry = -1;  ///< which stop string or end token, -1 where there is no list
  std::string entry_text;   ///< the stop string, or the name of the end token
  std::int64_t begin = -1;  ///< byte of the text at which the stop string began, -1 for others
};

/// What steps took. The first step of a run draws from the logits of the prompts, whose evaluation
/// is not counted here: there is one evaluation less than there are steps.
struct Times {
  std::int64_t steps = 0;
  std::int64_t evaluations = 0;
  double library_ms = 0;
  double model_ms = 0;

  void add_step(double milliseconds) {
    ++steps;
    library_ms += milliseconds;
  }
  void add_evaluation(double milliseconds) {
    ++evaluations;
    model_ms += milliseconds;
  }
  double library_ms_per_step() const {
    return steps > 0 ? library_ms / static_cast<double>(steps) : 0;
  }
  double model_ms_per_step() const {
    return evaluations > 0 ? model_ms / static_cast<double>(evaluations) : 0;
  }
};

/// One row.
struct RowSummary {
  std::string prompt;
  std::int64_t prompt_tokens = 0;
  std::uint64_t seed = 0;
  std::string text;
  std::vector<std::int32_t> tokens;
  Ending ending;
  Times times;  ///< of the steps that the row took part in, all rows of a step together
};

/// The whole run.
struct Summary {
  std::string model;
  std::string engine;
  int threads = 1;
  std::string order;
  nlohmann::ordered_json chain;  ///< [{name, params}], as in a recording
  std::string plan;
  std::string fingerprint;
  std::vector<RowSummary> rows;
  double prompt_ms = 0;  ///< the model's evaluation of all prompts
  Times times;
};

/// A text on one line in quotes, cut off after `most` bytes.
std::string quoted(const std::string& text, std::size_t most);

/// Whether each row ended in an ordinary way.
bool all_finished(const Summary& summary);

/// One JSON object.
void write_json(std::ostream& out, const Summary& summary);

/// For a person: a line per row, and one on time.
void write_text(std::ostream& out, const Summary& summary);

}  // namespace generate
