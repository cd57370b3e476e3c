// SPDX-License-Identifier: Apache-2.0
// The program's arguments.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace generate {

/// The order of the steps: that of Transformers' `generate`, of vLLM, or of llama.cpp.
enum class Order { transformers, vllm, llama_cpp };

/// The order as it is spelled in the arguments.
const char* name_of(Order order);

/// Where the library runs.
enum class Engine { host, cuda };

/// The engine as it is spelled in the arguments.
const char* name_of(Engine engine);

/// The numbers of the steps, one for all rows. The defaults are those that `--help` tells.
struct Sampling {
  double temperature = 0.7;
  std::int64_t top_k = 50;
  double top_p = 0.95;
  double min_p = 0;
  double typical = 1;
  double repetition_penalty = 1.1;
  double frequency_penalty = 0;
  double presence_penalty = 0;
};

/// The program's arguments, checked as far as they can be without a model.
struct Options {
  std::string model;
  std::vector<std::string> prompts;
  bool chat = false;
  std::int64_t max_new_tokens = 64;
  std::vector<std::string> stops;
  Order order = Order::transformers;
  Engine engine = Engine::host;
  std::uint64_t seed = 0;
  Sampling sampling;
  int threads = 1;
  bool json = false;
  bool explain = false;
  std::string record;  ///< path of the recording, empty for none
};

/// Reads the arguments. Where the program has nothing more to do (help, or a wrong argument, of
/// which it tells on standard error), `exit_status` is at least 0.
struct Parsed {
  Options options;
  int exit_status = -1;
};
Parsed parse(int argc, char** argv);

}  // namespace generate
