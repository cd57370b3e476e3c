// SPDX-License-Identifier: Apache-2.0
// Runs every case of golden files and counts.
//   replay [--stages FILE] [--vocab DIR]... PATH...
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "case.hpp"
#include "lines.hpp"
#include "stage_table.hpp"
#include "stopping.hpp"
#include "trial.hpp"
#include "vocabularies.hpp"

namespace {

using namespace golden;

class Replay {
 public:
  Replay(StageTable table, std::vector<std::filesystem::path> folders)
      : table_(std::move(table)), vocabularies_(std::move(folders)) {}

  void run_file(const std::filesystem::path& file) {
    const std::int64_t passed = passed_, failed = failed_, skipped = skipped_;
    for_each_line(
        file, [&](std::int64_t number, const Json& line) { run_line(file, number, line); },
        [&](std::int64_t number, const std::string& reason) { fail(file, number, {}, reason); });
    std::cout << file.filename().string() << ": " << passed_ - passed << " passed, "
              << failed_ - failed << " failed";
    if (skipped_ > skipped) std::cout << ", " << skipped_ - skipped << " skipped";
    std::cout << std::endl;
  }

  // The closing lines; true if something ran and nothing failed.
  bool report() const {
    for (const auto& [tokenizer, count] : missing_) {
      std::cout << "skipped: " << count << " cases, no vocab-" << tokenizer
                << ".hex beside them or in a --vocab folder\n";
    }
    std::cout << "types of chains: " << sequences_.size()
              << "; cases with one stage: " << fused_ - composed_
              << ", with two or more: " << composed_ << '\n';
    std::cout << "chains run fused: " << fused_ << '\n';
    std::cout << passed_ << " passed, " << failed_ << " failed" << std::endl;
    return passed_ > 0 && failed_ == 0;
  }

 private:
  void run_line(const std::filesystem::path& file, std::int64_t number, const Json& line) {
    const std::string id = line.contains("id") && line["id"].is_string() ? line["id"] : Json("");
    try {
      const std::optional<std::string> fault = judge(file, line);
      if (!ran_) return;
      if (fault) return fail(file, number, id, *fault);
      ++passed_;
    } catch (const Json::exception& error) {
      fail(file, number, id, std::string("not in the golden format: ") + error.what());
    } catch (const std::exception& error) {
      fail(file, number, id, error.what());
    }
  }

  std::optional<std::string> judge(const std::filesystem::path& file, const Json& line) {
    ran_ = true;
    if (line.contains("stages")) return judge_chain(read_case(line));
    if (line.contains("criteria")) return simple_stop_fault(line);
    const bool strings = line.contains("stop_strings");
    if (!strings && !line.contains("stop_string")) {
      throw Fault("neither \"stages\" nor \"criteria\" nor \"stop_strings\" nor \"stop_string\"");
    }
    const std::string tokenizer = line.at("tokenizer");
    const Pieces* const pieces = vocabularies_.find(tokenizer, file);
    if (!pieces) {
      ran_ = false;
      ++skipped_;
      ++missing_[tokenizer];
      return {};
    }
    return strings ? stop_string_fault(line, *pieces) : stop_table_fault(line, *pieces);
  }

  std::optional<std::string> judge_chain(const Case& given) {
    Verdict verdict = try_case(given, table_);
    if (verdict.fused) {
      ++fused_;
      composed_ += given.stages.size() > 1;
      sequences_.insert(sequence_of(given.stages));
    }
    return verdict.fault;
  }

  void fail(const std::filesystem::path& file, std::int64_t number, const std::string& id,
            const std::string& reason) {
    ++failed_;
    std::cout << "FAILED " << file.string() << ':' << number << ' ' << id << ": " << reason
              << std::endl;
  }

  StageTable table_;
  Vocabularies vocabularies_;
  std::set<std::string> sequences_;
  std::map<std::string, std::int64_t> missing_;
  bool ran_ = true;
  std::int64_t passed_ = 0, failed_ = 0, skipped_ = 0, fused_ = 0, composed_ = 0;
};

int replay(const std::vector<std::string>& arguments) {
  std::vector<std::filesystem::path> folders;
  std::vector<std::string> paths;
  std::string stages;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool option = arguments[i] == "--vocab" || arguments[i] == "--stages";
    if (!option) {
      paths.push_back(arguments[i]);
    } else if (i + 1 == arguments.size()) {
      throw Fault(arguments[i] + " needs a value");
    } else if (arguments[i] == "--vocab") {
      folders.emplace_back(arguments[++i]);
    } else {
      stages = arguments[++i];
    }
  }
  Replay runs(read_stage_table(stages), folders);
  for (const auto& file : jsonl_files(paths)) runs.run_file(file);
  return runs.report() ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return replay({arguments + 1, arguments + count});
  } catch (const std::exception& error) {
    std::cerr << "golden: " << error.what() << '\n';
    return 2;
  }
}
