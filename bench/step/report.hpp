// SPDX-License-Identifier: Apache-2.0
// What is printed: a line per case while it runs, and at the end the table and the goals.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "case.hpp"
#include "context.hpp"
#include "measure.hpp"

namespace bench {

/// What was measured for a case, by contender.
struct Result {
  std::string name;
  std::map<std::string, Times> times;
  std::string survivors;  ///< "=" equal, "~" but for mass at an edge, "!" different, "" unknown
};

class Report {
 public:
  /// @param wall whether the tables show wall time instead of processor time
  explicit Report(bool wall) : wall_(wall) {}

  void add(Result result) { results_.push_back(std::move(result)); }
  /// "ours 0.0213 ms, llama_cpp 1.31 ms (61.5 x)"
  std::string line(const Result& result) const;
  void print_table() const;
  /// The ratios that the project wants, where they were measured.
  void print_goals() const;
  /// The table and the goals in Markdown, behind what `context` says of the machine.
  void write_markdown(std::ostream& out, const Context& context) const;
  /// Median over the cases of wall time by processor time in our steps: 1 on a machine of its own.
  double contention() const;

 private:
  double seconds(const std::string& name, const std::string& who) const;
  double seconds(const Result& result, const std::string& who) const;

  bool wall_;
  std::vector<Result> results_;
};

}  // namespace bench
