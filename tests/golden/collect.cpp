// SPDX-License-Identifier: Apache-2.0
// Writes the C++ of the chains that golden files name: one source per chain, one per single stage.
//   collect STAGES_TXT FOLDER PATH...
// A source is named after its text, so one that is there already is left alone. The names of the
// sources that the files need go to standard output. What is wrong in a file is reported by the
// program that runs the cases.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "lines.hpp"
#include "stage_table.hpp"

namespace {

using namespace golden;

// Several sources are compiled as one, so what a source defines has the hash of its text in its
// name.
constexpr char PLACE_OF_HASH[] = "registered_";

std::string source_of(const std::vector<std::string>& names, const StageTable& table) {
  std::string sequence, arguments;
  for (std::size_t i = 0; i < names.size(); ++i) {
    sequence += (i ? " " : "") + names[i];
    arguments += std::string(i ? "," : "") + "\n      [&](const golden::Parameters& p) {\n" +
                 "        (void)p;\n        return " + table.at(names[i]).expression +
                 ";\n      }(golden::Parameters(job, " + std::to_string(i) + ", kept))";
  }
  return "// Made by tests/golden.sh.\n"
         "#include \"chain_run.hpp\"\n\n"
         "namespace lc = logitchain;\n\n"
         "static const golden::Registered registered_(\"" +
         sequence +
         "\", [](const golden::Job& job) {\n"
         "  golden::Kept kept;\n"
         "  return golden::run(job, lc::chain(" +
         arguments + "));\n});\n";
}

std::uint64_t fnv1a64(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return hash;
}

// Chains as lists of names, by sequence; single stages are chains of one.
std::map<std::string, std::vector<std::string>> chains_of(const std::vector<std::string>& paths,
                                                          const StageTable& table) {
  std::map<std::string, std::vector<std::string>> chains;
  for (const auto& file : jsonl_files(paths)) {
    for_each_line(
        file,
        [&](std::int64_t, const Json& line) {
          if (!line.contains("stages")) return;
          std::vector<std::string> names;
          try {
            for (const Stage& stage : stages_of(line)) names.push_back(stage.name);
          } catch (const Fault&) {
            return;
          }
          std::string sequence;
          for (const std::string& name : names) {
            if (!table.contains(name)) return;
            sequence += (sequence.empty() ? "" : " ") + name;
          }
          for (const std::string& name : names) chains[name] = {name};
          chains[sequence] = names;
        },
        [](std::int64_t, const std::string&) {});
  }
  return chains;
}

int collect(const std::vector<std::string>& arguments) {
  const StageTable table = read_stage_table(arguments[0]);
  const std::filesystem::path folder(arguments[1]);
  for (const auto& [sequence, names] : chains_of({arguments.begin() + 2, arguments.end()}, table)) {
    std::string text = source_of(names, table);
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(fnv1a64(text)));
    text.insert(text.find(PLACE_OF_HASH) + sizeof PLACE_OF_HASH - 1, hash);
    const std::string name = std::string("chain-") + hash + ".cpp";
    if (!std::filesystem::exists(folder / name)) {
      std::ofstream out(folder / name, std::ios::binary);
      out << text << std::flush;
      if (!out) throw Fault((folder / name).string() + ": cannot be written");
    }
    std::cout << name << '\n';
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) {
    std::cerr << "usage: collect STAGES_TXT FOLDER PATH...\n";
    return 2;
  }
  try {
    return collect({arguments + 1, arguments + count});
  } catch (const std::exception& error) {
    std::cerr << "golden: " << error.what() << '\n';
    return 2;
  }
}
