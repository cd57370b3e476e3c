// SPDX-License-Identifier: Apache-2.0
// Measures the decode step: ours, a plain maximum and the peers on the same logits, case by case.
#include <cinttypes>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../peers/llama_cpp.hpp"
#include "../peers/transformers.hpp"
#include "case.hpp"
#include "context.hpp"
#include "floor.hpp"
#include "logits.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "ours.hpp"
#include "report.hpp"
#include "survivors.hpp"

namespace bench {

namespace {

/// The run: cases one after the other, what was left out, what was wrong.
class StepBench {
 public:
  explicit StepBench(const Options& options)
      : options_(options),
        measurements_(options.repetitions, options.seconds),
        report_(options.wall) {}

  int run() {
    start_peers();
    tell_context();
    for (const Case& measured : all_cases()) {
      if (chosen(measured.name())) run_case(measured);
    }
    run_two_rows();
    report_.print_table();
    report_.print_goals();
    tell_rest();
    if (!options_.markdown.empty()) write_markdown();
    if (!options_.json.empty()) measurements_.write_json(options_.json.string());
    return wrong_.empty() && measurements_.faults().empty() ? 0 : 1;
  }

 private:
  bool chosen(const std::string& name) {
    if (options_.filter.empty() || std::regex_search(name, std::regex(options_.filter)))
      return true;
    ++unchosen_;
    return false;
  }

  void start_peers() {
    skipped_ = options_.without;
    if (options_.llama_cpp && llama_cpp_built_with().empty()) {
      skipped_.emplace_back("llama.cpp: not built in");
    }
    if (options_.python.empty()) return;
    try {
      python_ = std::make_unique<TransformersProcess>(options_.python, options_.script);
    } catch (const std::exception& fault) {
      skipped_.push_back(std::string("transformers: ") + fault.what());
    }
  }

  void tell(const std::string& key, const std::string& value) {
    benchmark::AddCustomContext(key, value);
    told_.emplace_back(key, value);
    std::printf("%-32s %s\n", key.c_str(), value.c_str());
  }

  void tell_context() {
    for (const auto& [key, value] : machine_context()) tell(key, value);
    tell("load_at_the_beginning", load_now());
    tell("repetitions", std::to_string(options_.repetitions) + " of at least " +
                            std::to_string(options_.seconds) + " s, interleaved");
    if (options_.llama_cpp && !llama_cpp_built_with().empty()) {
      tell("peer_llama_cpp", llama_cpp_built_with());
    }
    if (python_) tell("peer_transformers", python_->versions());
    std::printf("\n");
    std::fflush(stdout);
  }

  void run_case(const Case& measured) {
    const std::string name = measured.name();
    const Input input = read_input(options_.inputs, measured);
    std::vector<Entry> entries;
    entries.push_back({"ours", make_ours({measured, input})});
    entries.push_back({"ours_bf16", make_ours({measured, input, logitchain::DType::bf16})});
    entries.push_back({"ours_f16", make_ours({measured, input, logitchain::DType::f16})});
    entries.push_back({"maximum", make_maximum(input)});
    entries.push_back({"read", make_read(input)});
    if (options_.llama_cpp && !llama_cpp_built_with().empty()) {
      entries.push_back({"llama_cpp", make_llama_cpp(measured, input, false)});
      entries.push_back({"llama_cpp_filling", make_llama_cpp(measured, input, true)});
    }
    if (python_) {
      if (const std::string reason = transformers_cannot(measured); reason.empty()) {
        entries.push_back({"transformers", make_transformers(*python_, measured, input)});
      } else {
        left_out_.insert("transformers: cases of " + std::string(name_of(measured.recipe)) + ", " +
                         reason);
      }
    }
    std::printf("%s (input %016" PRIx64 ")\n", name.c_str(), input.digest);
    std::fflush(stdout);
    Result result{name, {}, check_survivors(name, entries)};
    result.times = measurements_.run("step/" + name, entries);
    std::printf("  %s\n", report_.line(result).c_str());
    std::fflush(stdout);
    report_.add(std::move(result));
  }

  /// Compares the peers' survivors with ours, and says what it found.
  std::string check_survivors(const std::string& name, const std::vector<Entry>& entries) {
    const std::vector<Survivor> ours = entries[0].contender->survivors();
    std::string mark;
    for (const Entry& entry : entries) {
      if (entry.who != "llama_cpp" && entry.who != "transformers") continue;
      const Difference found = compare(ours, entry.contender->survivors());
      std::printf("  survivors, %s: %s%s\n", entry.who.c_str(), found.text().c_str(),
                  found.agrees() ? "" : "  WRONG");
      if (!found.agrees()) {
        wrong_.push_back(name + ", " + entry.who + ": " + found.text());
        mark = "!";
      } else if (mark != "!" && (mark.empty() || found.apart > 0)) {
        mark = found.apart > 0 ? "~" : "=";
      }
    }
    return mark;
  }

  /// Rows in parallel: the same two rows by one thread and by two.
  void run_two_rows() {
    const Case measured{Recipe::long_chain, Spread::typical, 151936, 0};
    const std::string name = "two_rows/" + measured.name();
    if (!chosen(name)) return;
    const Input input = read_input(options_.inputs, measured);
    std::vector<Entry> entries;
    entries.push_back(
        {"one_thread", make_ours({measured, input, logitchain::DType::f32, 2, 1}), true});
    entries.push_back(
        {"two_threads", make_ours({measured, input, logitchain::DType::f32, 2, 2}), true});
    std::printf("%s, wall time\n", name.c_str());
    Result result{name, measurements_.run("step/" + name, entries), ""};
    std::printf("  %s\n", report_.line(result).c_str());
    report_.add(std::move(result));
  }

  void write_markdown() {
    told_.emplace_back("load_at_the_end", load_now());
    std::ofstream out(options_.markdown);
    report_.write_markdown(out, told_);
    out.close();
    if (!out) throw std::runtime_error("cannot write " + options_.markdown.string());
  }

  void tell_rest() const {
    std::printf(
        "\nload at the end: %s; our steps took %.2f times their processor time by the wall clock\n",
        load_now().c_str(), report_.contention());
    for (const std::string& text : skipped_) std::printf("skipped: %s\n", text.c_str());
    for (const std::string& text : left_out_) std::printf("skipped: %s\n", text.c_str());
    if (unchosen_ > 0) std::printf("skipped: %d cases that --filter does not match\n", unchosen_);
    for (const std::string& text : measurements_.faults())
      std::printf("FAILED: %s\n", text.c_str());
    for (const std::string& text : wrong_) std::printf("OTHER SURVIVORS: %s\n", text.c_str());
  }

  Options options_;
  Context told_;
  Measurements measurements_;
  Report report_;
  std::unique_ptr<TransformersProcess> python_;
  std::vector<std::string> skipped_;
  std::set<std::string> left_out_;
  std::vector<std::string> wrong_;
  int unchosen_ = 0;
};

}  // namespace

}  // namespace bench

int main(int argc, char** argv) {
  try {
    const bench::Options options = bench::parse_options(argc, argv);
    if (options.list) {
      for (const bench::Case& measured : bench::all_cases()) std::puts(measured.name().c_str());
      std::puts("two_rows/long/typical/v151936/h0");
      return 0;
    }
    return bench::StepBench(options).run();
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "step_bench: %s\n", fault.what());
    return 2;
  }
}
