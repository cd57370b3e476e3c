// SPDX-License-Identifier: Apache-2.0
// Measures the contenders of a group side by side with Google Benchmark.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "replay.hpp"

namespace device_bench {

/// Replays of a batch, which one restart and one check go with, and batches of a repetition.
struct Pace {
  int batch = 32;
  int warm_batches = 2;
  int cold_batches = 1;
};

struct Entry {
  std::string name;
  Replay* replay;
  bool cold;
  double row_bytes;
  double step_bytes;
  double limit_seconds;  ///< of one read of the logits; 0: not known
};

class Measurements {
 public:
  Measurements(int repetitions, Pace pace);

  /// Interleaved in random order; what fails is kept as a fault.
  void run(const std::vector<Entry>& entries);
  /// In Google Benchmark's JSON, all groups in one file.
  void write_json(const std::string& file) const;
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  void measure(benchmark::State& state, const Entry& entry);

  Pace pace_;
  std::vector<benchmark::BenchmarkReporter::Run> runs_;
  std::vector<std::string> faults_;
};

}  // namespace device_bench
