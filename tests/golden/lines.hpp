// SPDX-License-Identifier: Apache-2.0
// Golden files as lines of JSON, and the faults that a line can have.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace golden {

using Json = nlohmann::json;

/// What is wrong with a file, a line or a case, in words for the person who wrote it.
class Fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A stage of a case: its name and its parameters as the file gives them.
struct Stage {
  std::string name;
  Json params;
};

/// The .jsonl files that the arguments name: files as they are, folders by what lies in them, in
/// the order of names.
/// @throws Fault for a path that is not there and for a folder without such files
std::vector<std::filesystem::path> jsonl_files(const std::vector<std::string>& paths);

/// Calls `visit(number, line)` for every line that is not empty; lines count from 1. A line that is
/// no JSON object is given to `broken(number, reason)`.
/// @throws Fault if the file cannot be read
void for_each_line(const std::filesystem::path& file,
                   const std::function<void(std::int64_t, const Json&)>& visit,
                   const std::function<void(std::int64_t, const std::string&)>& broken);

/// @throws Fault if `stages` of a line is not a list of {name, params}
std::vector<Stage> stages_of(const Json& line);

/// The names in order, with a space between: what tells one type of chain from another.
std::string sequence_of(const std::vector<Stage>& stages);

}  // namespace golden
