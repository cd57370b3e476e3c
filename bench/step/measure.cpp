// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "numbers.hpp"

namespace bench {

namespace {

using Run = benchmark::BenchmarkReporter::Run;

/// Counter of the processor time of contenders that measure themselves.
constexpr const char* ELSEWHERE = "cpu_seconds_of_peer";

/// Batches of steps: what a restart costs is not timed, and stopping the clocks, about half a
/// microsecond, is paid once in a batch.
void run_here(benchmark::State& state, Contender& contender) {
  const bool prepares = contender.prepares();
  while (state.KeepRunningBatch(STEPS_OF_A_ROW)) {
    state.PauseTiming();
    contender.restart();
    state.ResumeTiming();
    for (int i = 0; i < STEPS_OF_A_ROW; ++i) {
      if (prepares) {
        state.PauseTiming();
        contender.prepare();
        state.ResumeTiming();
      }
      contender.step();
    }
  }
  if (const std::string fault = contender.fault(); !fault.empty())
    state.SkipWithError(fault.c_str());
}

void run_elsewhere(benchmark::State& state, Contender& contender) {
  double cpu = 0;
  int left = 0;
  for ([[maybe_unused]] const auto step : state) {
    if (left == 0) {
      contender.restart();
      left = STEPS_OF_A_ROW;
    }
    --left;
    contender.step();
    state.SetIterationTime(contender.clocks().wall);
    cpu += contender.clocks().cpu;
  }
  state.counters[ELSEWHERE] = benchmark::Counter(cpu, benchmark::Counter::kAvgIterations);
}

class Collector final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& report) override {
    runs.insert(runs.end(), report.begin(), report.end());
  }
  std::vector<Run> runs;
};

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

}  // namespace

Measurements::Measurements(int repetitions, double seconds) {
  std::array<std::string, 4> words{"step_bench",
                                   "--benchmark_repetitions=" + std::to_string(repetitions),
                                   "--benchmark_min_time=" + std::to_string(seconds),
                                   "--benchmark_enable_random_interleaving=true"};
  std::array<char*, 5> argv{};
  for (std::size_t i = 0; i < words.size(); ++i) argv[i] = words[i].data();
  int argc = static_cast<int>(words.size());
  benchmark::Initialize(&argc, argv.data());
}

std::map<std::string, Times> Measurements::run(const std::string& name,
                                               const std::vector<Entry>& entries) {
  benchmark::ClearRegisteredBenchmarks();
  for (const Entry& entry : entries) {
    Contender* const contender = entry.contender.get();
    auto* const registered = benchmark::RegisterBenchmark(
        (name + "/" + entry.who).c_str(), [contender](benchmark::State& state) {
          try {
            contender->measures_itself() ? run_elsewhere(state, *contender)
                                         : run_here(state, *contender);
          } catch (const std::exception& fault) {
            state.SkipWithError(fault.what());
          }
        });
    registered->Unit(benchmark::kMicrosecond);
    if (entry.contender->measures_itself()) registered->UseManualTime();
    if (entry.wall) registered->UseRealTime();
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);

  std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> samples;
  for (const Run& run : collector.runs) {
    runs_.push_back(run);
    const std::string& function = run.run_name.function_name;
    if (run.error_occurred) {
      faults_.push_back(function + ": " + run.error_message);
      continue;
    }
    if (run.run_type != Run::RT_Iteration) continue;
    const auto iterations = static_cast<double>(run.iterations);
    const auto elsewhere = run.counters.find(ELSEWHERE);
    auto& [cpu, wall] = samples[function.substr(name.size() + 1)];
    cpu.push_back(elsewhere != run.counters.end() ? elsewhere->second.value
                                                  : run.cpu_accumulated_time / iterations);
    wall.push_back(run.real_accumulated_time / iterations);
  }
  std::map<std::string, Times> times;
  for (const auto& [who, clocks] : samples) {
    const auto& [cpu, wall] = clocks;
    const double median = quantile(cpu, 0.5);
    times[who] = {median, quantile(wall, 0.5),
                  (quantile(cpu, 0.75) - quantile(cpu, 0.25)) / median};
  }
  return times;
}

void Measurements::write_json(const std::string& file) const {
  std::ofstream out(file);
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&out);
  reporter.SetErrorStream(&out);
  benchmark::BenchmarkReporter::Context context;
  if (reporter.ReportContext(context)) reporter.ReportRuns(runs_);
  reporter.Finalize();
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file);
}

}  // namespace bench
