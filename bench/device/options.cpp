// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <cmath>
#include <cstdlib>
#include <regex>
#include <stdexcept>

namespace device_bench {

namespace {

double number(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value) || value <= 0) {
    throw std::runtime_error(option + " takes a number above 0, not '" + text + "'");
  }
  return value;
}

}  // namespace

Options parse_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    const auto value = [&] {
      if (i + 1 == count) throw std::runtime_error(name + " takes a value");
      return std::string(arguments[++i]);
    };
    if (name == "--quick" || name == "--all") {
      const Extent asked = name == "--quick" ? Extent::quick : Extent::all;
      if (options.extent != Extent::usual && options.extent != asked) {
        throw std::runtime_error("--quick and --all exclude each other");
      }
      options.extent = asked;
    } else if (name == "--list") {
      options.list = true;
    } else if (name == "--flashinfer") {
      options.flashinfer = true;
    } else if (name == "--filter") {
      options.filter = value();
      try {
        const std::regex tried(options.filter);
      } catch (const std::regex_error& fault) {
        throw std::runtime_error("--filter: '" + options.filter + "' is no regular expression");
      }
    } else if (name == "--json") {
      options.json = value();
    } else if (name == "--bandwidth") {
      options.bandwidth = number(name, value());
    } else if (name == "--limit") {
      options.limit = number(name, value());
    } else if (name == "--repetitions") {
      const double asked = number(name, value());
      if (asked < 5 || asked > 1000 || asked != std::floor(asked)) {
        throw std::runtime_error("--repetitions: a whole number in [5, 1000] is needed");
      }
      options.repetitions = static_cast<int>(asked);
    } else {
      throw std::runtime_error("unknown argument '" + name + "'");
    }
  }
  if (options.repetitions == 0) options.repetitions = options.extent == Extent::quick ? 5 : 9;
  return options;
}

}  // namespace device_bench
