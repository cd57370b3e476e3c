// SPDX-License-Identifier: Apache-2.0
#include "vocabularies.hpp"

#include <fstream>

#include "encoding.hpp"

namespace golden {
namespace {

Pieces read_pieces(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Fault(file.string() + ": cannot be read");
  Pieces pieces;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line == "-") line.clear();
    try {
      const auto bytes = bytes_of_hex(line);
      pieces.emplace_back(bytes.begin(), bytes.end());
    } catch (const Fault& fault) {
      throw Fault(file.string() + ":" + std::to_string(pieces.size() + 1) + ": " + fault.what());
    }
  }
  return pieces;
}

}  // namespace

const Pieces* Vocabularies::find(const std::string& tokenizer,
                                 const std::filesystem::path& beside) {
  std::vector<std::filesystem::path> folders = folders_;
  folders.push_back(beside.parent_path());
  for (const auto& folder : folders) {
    const auto file = folder / ("vocab-" + tokenizer + ".hex");
    if (const auto found = read_.find(file); found != read_.end()) return &found->second;
    if (std::filesystem::exists(file)) return &(read_[file] = read_pieces(file));
  }
  return nullptr;
}

}  // namespace golden
