// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <algorithm>
#include <cstdio>

namespace bench {

namespace {

/// Digits enough to compare, blank where there is no figure.
std::string text_of(double value, int digits) {
  if (!(value > 0)) return "-";
  char text[32];
  if (value >= 100) digits = std::min(digits, 1);
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

struct Goal {
  const char* what;
  const char* name;        ///< of the case
  const char* who;         ///< whose time
  const char* other_name;  ///< over which case's
  const char* other;       ///< and whose time
  double bound;
  bool at_least;
};

constexpr const char* LONG = "long/typical/v151936/h0";
constexpr const char* LONG_4096 = "long/typical/v151936/h4096";
constexpr const char* GREEDY = "greedy/typical/v151936/h0";
constexpr const char* GENERATE = "transformers/typical/v151936/h0";
constexpr const char* GENERATE_4096 = "transformers/typical/v151936/h4096";
constexpr const char* TEMPERATURE_ONLY = "temperature/typical/v151936/h0";
constexpr const char* TOP_P_ONLY = "top_p/typical/v151936/h0";
constexpr const char* TYPICAL_ONLY = "typical/typical/v151936/h0";
constexpr const char* TWO_ROWS = "two_rows/long/typical/v151936/h0";

constexpr Goal GOALS[] = {
    {"llama.cpp / ours, long chain", LONG, "llama_cpp", LONG, "ours", 15, true},
    {"llama.cpp / ours, long chain, history 4096", LONG_4096, "llama_cpp", LONG_4096, "ours", 15,
     true},
    {"llama.cpp / ours, temperature", TEMPERATURE_ONLY, "llama_cpp", TEMPERATURE_ONLY, "ours", 10,
     true},
    {"llama.cpp / ours, top-p", TOP_P_ONLY, "llama_cpp", TOP_P_ONLY, "ours", 10, true},
    {"llama.cpp / ours, typical", TYPICAL_ONLY, "llama_cpp", TYPICAL_ONLY, "ours", 30, true},
    {"llama.cpp / ours, greedy", GREEDY, "llama_cpp", GREEDY, "ours", 8, true},
    {"Transformers / ours, its chain", GENERATE, "transformers", GENERATE, "ours", 100, true},
    {"Transformers / ours, its chain, history 4096", GENERATE_4096, "transformers", GENERATE_4096,
     "ours", 100, true},
    {"ours / maximum, greedy", GREEDY, "ours", GREEDY, "maximum", 4, false},
    {"ours / maximum, long chain", LONG, "ours", LONG, "maximum", 4, false},
    {"ours / maximum, Transformers' chain", GENERATE, "ours", GENERATE, "maximum", 4, false},
    {"flat / peaked, greedy", "greedy/flat/v151936/h0", "ours", "greedy/peaked/v151936/h0", "ours",
     1.5, false},
    {"flat / peaked, long chain", "long/flat/v151936/h0", "ours", "long/peaked/v151936/h0", "ours",
     1.5, false},
    {"flat / peaked, Transformers' chain", "transformers/flat/v151936/h0", "ours",
     "transformers/peaked/v151936/h0", "ours", 1.5, false},
    {"two rows: one thread / two", TWO_ROWS, "one_thread", TWO_ROWS, "two_threads", 1.8, true},
};

std::string wanted(const Goal& goal) {
  char text[32];
  std::snprintf(text, sizeof text, "%s %g", goal.at_least ? ">=" : "<=", goal.bound);
  return text;
}

const char* verdict(const Goal& goal, double reached) {
  if (!(reached > 0)) return "not measured";
  return (goal.at_least ? reached >= goal.bound : reached <= goal.bound) ? "" : "missed";
}

}  // namespace

double Report::seconds(const Result& result, const std::string& who) const {
  const auto found = result.times.find(who);
  if (found == result.times.end()) return 0;
  // The processor time of a caller says nothing of the threads that work for it.
  const bool threads = who == "one_thread" || who == "two_threads";
  return wall_ || threads ? found->second.wall : found->second.cpu;
}

double Report::seconds(const std::string& name, const std::string& who) const {
  for (const Result& result : results_) {
    if (result.name == name) return seconds(result, who);
  }
  return 0;
}

std::string Report::line(const Result& result) const {
  std::string text;
  const double ours = seconds(result, "ours");
  for (const auto& [who, times] : result.times) {
    const double time = seconds(result, who);
    text += (text.empty() ? "" : ", ") + who + " " + text_of(time * 1e3, 4) + " ms";
    if (ours > 0 && who != "ours") text += " (" + text_of(ratio(time, ours), 1) + " x)";
  }
  return text;
}

void Report::print_table() const {
  std::printf(
      "\nMedians in ms of %s. 'x' is the figure before it by ours, '/max' ours by the plain\n"
      "maximum, '/read' ours by the maximum that only waits for the cache. 'kept': = everybody "
      "keeps what ours\n"
      "keeps, ~ but for tokens at the edge of a mass, ! not so.\n\n",
      wall_ ? "wall time" : "processor time");
  std::printf("%-34s %8s %6s %8s %8s %8s %6s %8s %6s | %9s %7s | %9s %7s | %9s %7s | %s\n", "case",
              "ours", "+-%", "bf16", "f16", "maximum", "/max", "read", "/read", "llama.cpp", "x",
              "+filling", "x", "transf.", "x", "kept");
  for (const Result& result : results_) {
    if (!result.times.contains("ours")) continue;
    const double ours = seconds(result, "ours");
    std::printf("%-34s %8s %6s %8s %8s", result.name.c_str(), text_of(ours * 1e3, 4).c_str(),
                text_of(result.times.at("ours").spread * 50, 1).c_str(),
                text_of(seconds(result, "ours_bf16") * 1e3, 4).c_str(),
                text_of(seconds(result, "ours_f16") * 1e3, 4).c_str());
    for (const char* floor : {"maximum", "read"}) {
      const double time = seconds(result, floor);
      std::printf(" %8s %6s", text_of(time * 1e3, 4).c_str(),
                  text_of(ratio(ours, time), 2).c_str());
    }
    for (const char* peer : {"llama_cpp", "llama_cpp_filling", "transformers"}) {
      const double time = seconds(result, peer);
      std::printf(" | %9s %7s", text_of(time * 1e3, 3).c_str(),
                  text_of(ratio(time, ours), 1).c_str());
    }
    std::printf(" | %s\n", result.survivors.c_str());
  }
}

void Report::print_goals() const {
  std::printf("\n%-46s %8s %8s\n", "goal", "wanted", "reached");
  for (const Goal& goal : GOALS) {
    const double reached =
        ratio(seconds(goal.name, goal.who), seconds(goal.other_name, goal.other));
    std::printf("%-46s %8s %8s  %s\n", goal.what, wanted(goal).c_str(), text_of(reached, 2).c_str(),
                verdict(goal, reached));
  }
}

void Report::write_markdown(std::ostream& out, const Context& context) const {
  for (const auto& [key, value] : context) out << "- " << key << ": " << value << '\n';
  out << "- medians in ms of " << (wall_ ? "wall time" : "processor time")
      << "; wall time by processor time of our steps: " << text_of(contention(), 2) << "\n\n"
      << "| case | ours | +-% | bf16 | f16 | maximum | ours / maximum | llama.cpp | x | +filling x "
         "| Transformers | x | kept |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|:-:|\n";
  for (const Result& result : results_) {
    if (!result.times.contains("ours")) continue;
    const double ours = seconds(result, "ours");
    const auto ms = [&](const char* who) { return text_of(seconds(result, who) * 1e3, 4); };
    const auto times = [&](const char* who) {
      return text_of(ratio(seconds(result, who), ours), 1);
    };
    out << "| " << result.name << " | " << ms("ours") << " | "
        << text_of(result.times.at("ours").spread * 50, 1) << " | " << ms("ours_bf16") << " | "
        << ms("ours_f16") << " | " << ms("maximum") << " | "
        << text_of(ratio(ours, seconds(result, "maximum")), 2) << " | " << ms("llama_cpp") << " | "
        << times("llama_cpp") << " | " << times("llama_cpp_filling") << " | " << ms("transformers")
        << " | " << times("transformers") << " | " << result.survivors << " |\n";
  }
  out << "\n| goal | wanted | reached | |\n|---|--:|--:|---|\n";
  for (const Goal& goal : GOALS) {
    const double reached =
        ratio(seconds(goal.name, goal.who), seconds(goal.other_name, goal.other));
    out << "| " << goal.what << " | " << wanted(goal) << " | " << text_of(reached, 2) << " | "
        << verdict(goal, reached) << " |\n";
  }
}

double Report::contention() const {
  std::vector<double> all;
  for (const Result& result : results_) {
    const auto ours = result.times.find("ours");
    if (ours != result.times.end()) all.push_back(ratio(ours->second.wall, ours->second.cpu));
  }
  if (all.empty()) return 0;
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2),
                   all.end());
  return all[all.size() / 2];
}

}  // namespace bench
