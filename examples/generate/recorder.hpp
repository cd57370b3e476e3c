// SPDX-License-Identifier: Apache-2.0
// Writes steps in the format of the golden files, one JSON object a line.
#pragma once

#include <cstdint>
#include <fstream>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

namespace generate {

/// One step of one row.
struct RecordedStep {
  std::string id;
  std::span<const std::int32_t> prompt;
  std::span<const std::int32_t> generated;  ///< before the step
  std::span<const float> logits;            ///< [vocab]
  std::span<const float> scores;            ///< [vocab] after the chain
  std::uint64_t seed = 0;
  std::int64_t position = 0;
  std::int32_t token = -1;  ///< drawn, -1 if the draw was refused
};

/// A file of recorded steps. `tests/golden.sh` replays it: the scores bit for bit, and from `draw`
/// ({seed, position, token}) the token.
class Recorder {
 public:
  /// @throws std::runtime_error if the file cannot be written
  Recorder(const std::string& path, nlohmann::ordered_json stages);
  /// @throws std::runtime_error if the disk is full
  void write(const RecordedStep& step);

 private:
  std::string path_;
  nlohmann::ordered_json stages_;
  std::ofstream out_;
};

}  // namespace generate
