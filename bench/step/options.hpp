// SPDX-License-Identifier: Apache-2.0
// The command line of step_bench. bench/run.sh writes it; its --help says what each option means.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bench {

struct Options {
  std::filesystem::path inputs = "bench-inputs";  ///< folder of logits and histories
  std::filesystem::path json;                     ///< empty: none
  std::filesystem::path markdown;                 ///< empty: none
  std::string filter;                             ///< regular expression over names of cases
  std::string python;                             ///< with torch and transformers; empty: none
  std::string script;                             ///< transformers_steps.py
  std::vector<std::string> without;               ///< what run.sh left out, to be printed
  bool llama_cpp = false;
  bool wall = false;  ///< the table shows wall time instead of processor time
  bool list = false;  ///< print the names of the cases, and no more
  int repetitions = 11;
  double seconds = 0.02;  ///< least duration of one repetition
};

/// @throws std::invalid_argument for an option that there is not, or a value that it cannot have
Options parse_options(int argc, char** argv);

}  // namespace bench
