// SPDX-License-Identifier: Apache-2.0
#include "stage_table.hpp"

#include <fstream>

#include "lines.hpp"

namespace golden {
namespace {

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace

StageTable read_stage_table(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw Fault(file.string() + ": cannot be read");
  StageTable table;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#') continue;
    const auto first = line.find('|');
    const auto second = first == std::string::npos ? first : line.find('|', first + 1);
    if (second == std::string::npos) {
      throw Fault(file.string() + ":" + std::to_string(number) + ": not `name | kind | stage`");
    }
    const std::string kind = trimmed(line.substr(first + 1, second - first - 1));
    if (kind != "cut" && kind != "map") {
      throw Fault(file.string() + ":" + std::to_string(number) + ": kind is " + kind +
                  "; it must be cut or map");
    }
    table[trimmed(line.substr(0, first))] = {kind == "cut", trimmed(line.substr(second + 1))};
  }
  return table;
}

std::string names_of(const StageTable& table) {
  std::string names;
  for (const auto& [name, entry] : table) names += (names.empty() ? "" : ", ") + name;
  return names;
}

}  // namespace golden
