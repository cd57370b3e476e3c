// SPDX-License-Identifier: Apache-2.0
#include "lines.hpp"

#include <algorithm>
#include <fstream>

namespace golden {

std::vector<std::filesystem::path> jsonl_files(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (const std::string& given : paths) {
    const fs::path path(given);
    if (!fs::exists(path)) throw Fault(given + ": no such file or folder");
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    const std::size_t before = files.size();
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    }
    if (files.size() == before) throw Fault(given + ": the folder has no .jsonl files");
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

void for_each_line(const std::filesystem::path& file,
                   const std::function<void(std::int64_t, const Json&)>& visit,
                   const std::function<void(std::int64_t, const std::string&)>& broken) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Fault(file.string() + ": cannot be read");
  std::string text;
  for (std::int64_t number = 1; std::getline(in, text); ++number) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    Json line;
    try {
      line = Json::parse(text);
    } catch (const Json::exception& error) {
      broken(number, std::string("unreadable: ") + error.what());
      continue;
    }
    if (!line.is_object()) {
      broken(number, "unreadable: not a JSON object");
      continue;
    }
    visit(number, line);
  }
  if (in.bad()) throw Fault(file.string() + ": reading broke off");
}

std::vector<Stage> stages_of(const Json& line) {
  const auto list = line.find("stages");
  if (list == line.end() || !list->is_array() || list->empty()) {
    throw Fault("\"stages\" is not a list of {\"name\", \"params\"}");
  }
  std::vector<Stage> stages;
  for (const Json& stage : *list) {
    if (!stage.is_object() || !stage.contains("name") || !stage["name"].is_string()) {
      throw Fault("a stage has no \"name\"");
    }
    Json params = stage.value("params", Json::object());
    if (!params.is_object()) throw Fault("the \"params\" of a stage are not an object");
    stages.push_back({stage["name"].get<std::string>(), std::move(params)});
  }
  return stages;
}

std::string sequence_of(const std::vector<Stage>& stages) {
  std::string sequence;
  for (const Stage& stage : stages) sequence += (sequence.empty() ? "" : " ") + stage.name;
  return sequence;
}

}  // namespace golden
