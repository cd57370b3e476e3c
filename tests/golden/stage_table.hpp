// SPDX-License-Identifier: Apache-2.0
// The table of stages, stages.txt: which names there are, of which kind, and how each is written.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace golden {

/// What the table says of one name.
struct StageEntry {
  bool cut = false;        ///< leaves a row without a distribution as it is
  std::string expression;  ///< C++, of the stage from its parameters `p`
};

using StageTable = std::map<std::string, StageEntry>;

/// @throws Fault for a file that cannot be read, and for a line that is not `name | kind | stage`
StageTable read_stage_table(const std::filesystem::path& file);

/// "A, B, C": the names of the table, for messages.
std::string names_of(const StageTable& table);

}  // namespace golden
