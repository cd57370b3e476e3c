// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <fstream>
#include <stdexcept>

namespace device_bench {

namespace {

using Run = benchmark::BenchmarkReporter::Run;

class Collector final : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(std::vector<Run>& runs) : runs_(runs) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& report) override {
    runs_.insert(runs_.end(), report.begin(), report.end());
  }

 private:
  std::vector<Run>& runs_;
};

}  // namespace

Measurements::Measurements(int repetitions, Pace pace) : pace_(pace) {
  std::array<std::string, 3> words{"device_bench",
                                   "--benchmark_repetitions=" + std::to_string(repetitions),
                                   "--benchmark_enable_random_interleaving=true"};
  std::array<char*, 4> argv{};
  for (std::size_t i = 0; i < words.size(); ++i) argv[i] = words[i].data();
  int argc = static_cast<int>(words.size());
  benchmark::Initialize(&argc, argv.data());
}

void Measurements::measure(benchmark::State& state, const Entry& entry) {
  try {
    while (state.KeepRunningBatch(pace_.batch)) {
      state.SetIterationTime(entry.cold ? entry.replay->cold(pace_.batch)
                                        : entry.replay->warm(pace_.batch));
    }
    state.counters["row_bytes"] = entry.row_bytes;
    state.counters["step_bytes"] = entry.step_bytes;
    state.counters["graph_nodes"] = static_cast<double>(entry.replay->nodes());
    if (entry.limit_seconds > 0) state.counters["limit_us"] = entry.limit_seconds * 1e6;
  } catch (const std::exception& fault) {
    const std::string text = entry.name + ": " + fault.what();
    if (std::find(faults_.begin(), faults_.end(), text) == faults_.end()) faults_.push_back(text);
    state.SkipWithError(fault.what());
  }
}

void Measurements::run(const std::vector<Entry>& entries) {
  benchmark::ClearRegisteredBenchmarks();
  for (const Entry& entry : entries) {
    const int batches = entry.cold ? pace_.cold_batches : pace_.warm_batches;
    benchmark::RegisterBenchmark(entry.name.c_str(),
                                 [this, &entry](benchmark::State& state) { measure(state, entry); })
        ->Iterations(pace_.batch * batches)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
  Collector collector(runs_);
  benchmark::RunSpecifiedBenchmarks(&collector);
}

void Measurements::write_json(const std::string& file) const {
  std::ofstream out(file);
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&out);
  reporter.SetErrorStream(&out);
  const benchmark::BenchmarkReporter::Context context;
  if (reporter.ReportContext(context)) reporter.ReportRuns(runs_);
  reporter.Finalize();
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file);
}

}  // namespace device_bench
