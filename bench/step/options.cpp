// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <stdexcept>
#include <string_view>

namespace bench {

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) throw std::invalid_argument(std::string(name) + " takes a value");
      return argv[++i];
    };
    const auto number = [&] {
      const std::string text = value();
      try {
        return std::stod(text);
      } catch (const std::exception&) {
        throw std::invalid_argument(std::string(name) + " is '" + text + "'; it must be a number");
      }
    };
    if (name == "--inputs") {
      options.inputs = value();
    } else if (name == "--json") {
      options.json = value();
    } else if (name == "--markdown") {
      options.markdown = value();
    } else if (name == "--filter") {
      options.filter = value();
    } else if (name == "--python") {
      options.python = value();
    } else if (name == "--script") {
      options.script = value();
    } else if (name == "--without") {
      options.without.push_back(value());
    } else if (name == "--llama-cpp") {
      options.llama_cpp = true;
    } else if (name == "--wall") {
      options.wall = true;
    } else if (name == "--list") {
      options.list = true;
    } else if (name == "--repetitions") {
      options.repetitions = static_cast<int>(number());
    } else if (name == "--seconds") {
      options.seconds = number();
    } else {
      throw std::invalid_argument("unknown option " + std::string(name));
    }
  }
  if (options.repetitions < 11) {
    throw std::invalid_argument("--repetitions is " + std::to_string(options.repetitions) +
                                "; it must be at least 11");
  }
  if (!(options.seconds > 0)) throw std::invalid_argument("--seconds must be above 0");
  return options;
}

}  // namespace bench
