// SPDX-License-Identifier: Apache-2.0
// vocab-<tokenizer>.hex files: the bytes of each token, read once.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace golden {

/// Element i is the bytes of token i; an id that does not exist has none.
using Pieces = std::vector<std::string>;

/// Looks for vocabularies in the folders given first, then beside the file that names one.
class Vocabularies {
 public:
  explicit Vocabularies(std::vector<std::filesystem::path> folders)
      : folders_(std::move(folders)) {}

  /// Null where no folder has the file.
  /// @throws Fault naming file and line for what is not hex
  const Pieces* find(const std::string& tokenizer, const std::filesystem::path& beside);

 private:
  std::vector<std::filesystem::path> folders_;
  std::map<std::filesystem::path, Pieces> read_;
};

}  // namespace golden
