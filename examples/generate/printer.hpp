// SPDX-License-Identifier: Apache-2.0
// Shows the texts of the rows while they grow.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace generate {

/// One row is shown as it comes. Several take turns by the line, each line with its row's number;
/// long lines are broken between words, so that all rows are seen to move.
class Printer {
 public:
  Printer(std::ostream& out, std::size_t rows) : out_(out), pending_(rows) {}
  void show(std::size_t row, std::string_view text);
  /// The row has ended.
  void finish(std::size_t row);

 private:
  void line(std::size_t row, std::string_view text);

  std::ostream& out_;
  std::vector<std::string> pending_;  // what the row's line holds so far
};

}  // namespace generate
