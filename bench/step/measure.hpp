// SPDX-License-Identifier: Apache-2.0
// Runs contenders through Google Benchmark, their repetitions in random order one after the other.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "contender.hpp"

namespace bench {

/// Who takes part in a case.
struct Entry {
  std::string who;  ///< "ours", "llama_cpp"
  std::unique_ptr<Contender> contender;
  bool wall = false;  ///< iterations are counted by wall time: several threads
};

/// Seconds of a step over the repetitions.
struct Times {
  double cpu = 0;     ///< median of the processor time
  double wall = 0;    ///< median of the wall time
  double spread = 0;  ///< distance of the quartiles of the processor time, as a part of its median
};

/// Collects what Google Benchmark measures.
class Measurements {
 public:
  /// @param seconds least duration of a repetition
  Measurements(int repetitions, double seconds);

  /// Measures all entries of a case, interleaved. What failed has no times, and a line in `faults`.
  std::map<std::string, Times> run(const std::string& name, const std::vector<Entry>& entries);

  const std::vector<std::string>& faults() const { return faults_; }

  /// Everything measured, in Google Benchmark's JSON.
  void write_json(const std::string& file) const;

 private:
  std::vector<benchmark::BenchmarkReporter::Run> runs_;
  std::vector<std::string> faults_;
};

}  // namespace bench
