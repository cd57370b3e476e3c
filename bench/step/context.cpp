// SPDX-License-Identifier: Apache-2.0
#include "context.hpp"

#include <logitchain/core/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

namespace bench {

namespace {

/// The first line of /proc/cpuinfo that begins with `key`, behind its colon.
std::string cpuinfo(std::string_view key) {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with(key) && colon != std::string::npos) {
      return line.substr(std::min(colon + 2, line.size()));
    }
  }
  return "unknown";
}

/// Of the processor's instruction sets those that matter to a sweep over a row.
std::string vector_sets() {
  std::istringstream in(cpuinfo("flags"));
  std::string found;
  for (std::string flag; in >> flag;) {
    for (const std::string_view known : {"sse4_2", "avx", "avx2", "fma", "f16c", "bmi2", "avx512f",
                                         "avx512bw", "avx512dq", "avx512vl", "avx512_bf16"}) {
      if (flag == known) found += (found.empty() ? "" : " ") + flag;
    }
  }
  return found.empty() ? "none known" : found;
}

std::string cache(const char* index) {
  std::ifstream in(std::string("/sys/devices/system/cpu/cpu0/cache/") + index + "/size");
  std::string size;
  return std::getline(in, size) ? size : "?";
}

}  // namespace

Context machine_context() {
  return {{"processor", cpuinfo("model name")},
          {"processor_family_model_stepping",
           cpuinfo("cpu family") + " " + cpuinfo("model\t") + " " + cpuinfo("stepping")},
          {"processor_has", vector_sets()},
          {"processors", std::to_string(std::thread::hardware_concurrency())},
          {"caches_l1d_l2_l3", cache("index0") + " " + cache("index2") + " " + cache("index3")},
          {"compiler", BENCH_COMPILER},
          {"flags", BENCH_FLAGS},
          {"logitchain_version", std::to_string(LOGITCHAIN_VERSION)}};
}

std::string load_now() {
  double load[3] = {};
  if (getloadavg(load, 3) != 3) return "unknown";
  char text[64];
  std::snprintf(text, sizeof text, "%.2f %.2f %.2f", load[0], load[1], load[2]);
  return text;
}

}  // namespace bench
