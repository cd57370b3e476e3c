// SPDX-License-Identifier: Apache-2.0
// Measures one decode step on the CUDA engine, by replays of a graph, beside floors and a peer.
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "case.hpp"
#include "contender.hpp"
#include "logits.hpp"
#include "machine.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "replay.hpp"

namespace device_bench {

std::unique_ptr<Contender> make_contender(const Case& measured, const Setup& setup) {
  if (measured.who == "flashinfer") return make_flashinfer(measured.chain, setup);
  if (measured.who == "launch") return make_launch(setup);
  if (measured.who == "read") return make_read(setup);
  if (measured.chain == "greedy") return make_greedy(setup);
  if (measured.chain == "long") return make_long(setup);
  if (measured.chain == "temperature") return make_temperature(setup);
  if (measured.chain == "top_p") return make_top_p(setup);
  throw std::runtime_error("there is no chain '" + measured.chain + "'");
}

namespace {

/// A case that was chosen, warm, cold or both.
struct Chosen {
  Case measured;
  std::vector<bool> cold;
};

std::vector<Chosen> chosen_of(const Group& group, const Options& options) {
  std::vector<Chosen> all;
  const std::regex filter(options.filter);
  for (const Case& measured : cases_of(group, options.extent, options.flashinfer)) {
    Chosen one{measured, {}};
    for (const bool cold : {false, true}) {
      if (std::regex_search(name_of(group, measured, cold), filter)) one.cold.push_back(cold);
    }
    if (!one.cold.empty()) all.push_back(one);
  }
  return all;
}

class DeviceBench {
 public:
  explicit DeviceBench(const Options& options)
      : options_(options),
        machine_(this_machine(options.bandwidth)),
        flush_(options.extent == Extent::quick ? std::size_t{1} << 16 : 2 * machine_.cache_bytes),
        measurements_(options.repetitions,
                      options.extent == Extent::quick ? Pace{2, 1, 1} : Pace{}) {}

  int run() {
    const auto begun = std::chrono::steady_clock::now();
    int left_out = 0;
    for (const Group& group : groups_of(options_.extent)) {
      const std::vector<Chosen> chosen = chosen_of(group, options_);
      if (chosen.empty()) continue;
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun;
      if (options_.limit > 0 && passed.count() > options_.limit) {
        ++left_out;
        continue;
      }
      std::fprintf(stderr, "[%3.0f s] %s, vocabulary %lld, %lld items\n", passed.count(),
                   group.type(), static_cast<long long>(group.vocab),
                   static_cast<long long>(group.items));
      run_group(group, chosen);
      ++groups_;
    }
    if (groups_ == 0) throw std::runtime_error("--filter matches no case; --list shows them");
    tell_context(left_out);
    if (!options_.json.empty()) measurements_.write_json(options_.json);
    for (const std::string& fault : faults_) std::fprintf(stderr, "FAILED: %s\n", fault.c_str());
    for (const std::string& fault : measurements_.faults()) {
      std::fprintf(stderr, "FAILED: %s\n", fault.c_str());
    }
    return faults_.empty() && measurements_.faults().empty() ? 0 : 1;
  }

 private:
  struct Running {
    std::unique_ptr<Contender> contender;
    std::unique_ptr<Replay> replay;
  };

  void run_group(const Group& group, const std::vector<Chosen>& chosen) {
    const Logits logits(group);
    const Stream stream;
    std::vector<Running> running;
    std::vector<Entry> entries;
    const auto row = static_cast<double>(group.row_bytes());
    const double all = row * static_cast<double>(group.items);
    const double limit = machine_.bandwidth > 0 ? all / machine_.bandwidth : 0;
    for (const Chosen& one : chosen) {
      try {
        const Setup setup{group, one.measured.shape, logits.data(), stream.get(), logits.words()};
        Running made;
        made.contender = make_contender(one.measured, setup);
        made.replay = std::make_unique<Replay>(*made.contender, flush_, stream.get());
        for (const bool cold : one.cold) {
          entries.push_back(
              {name_of(group, one.measured, cold), made.replay.get(), cold, row, all, limit});
        }
        running.push_back(std::move(made));
      } catch (const std::exception& fault) {
        faults_.push_back(name_of(group, one.measured, one.cold.front()) + ": " + fault.what());
      }
    }
    if (!entries.empty()) measurements_.run(entries);
  }

  void tell_context(int left_out) {
    for (const auto& [key, value] : machine_.context) benchmark::AddCustomContext(key, value);
    benchmark::AddCustomContext("repetitions", std::to_string(options_.repetitions));
    if (options_.flashinfer) {
      benchmark::AddCustomContext("peer_flashinfer", flashinfer_built_with());
    }
    if (options_.extent == Extent::quick) benchmark::AddCustomContext("quick", "yes");
    if (left_out > 0) {
      benchmark::AddCustomContext(
          "left_out", std::to_string(left_out) + " groups of rows, by the limit of time");
    }
    std::string failed;
    for (const std::string& fault : faults_) failed += (failed.empty() ? "" : "; ") + fault;
    if (!failed.empty()) benchmark::AddCustomContext("failed", failed);
  }

  Options options_;
  Machine machine_;
  CacheFlush flush_;
  Measurements measurements_;
  std::vector<std::string> faults_;
  int groups_ = 0;
};

void list_cases(const Options& options) {
  for (const Group& group : groups_of(options.extent)) {
    for (const Chosen& one : chosen_of(group, options)) {
      for (const bool cold : one.cold) std::puts(name_of(group, one.measured, cold).c_str());
    }
  }
}

}  // namespace

}  // namespace device_bench

int main(int count, char** arguments) {
  using namespace device_bench;
  try {
    const Options options = parse_options(count, arguments);
    if (options.flashinfer && flashinfer_built_with().empty()) {
      throw std::runtime_error("--flashinfer: the program was built without it");
    }
    if (options.list) {
      list_cases(options);
      return 0;
    }
    return DeviceBench(options).run();
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "device_bench: %s\n", fault.what());
    return 2;
  }
}
