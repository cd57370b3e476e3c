// SPDX-License-Identifier: Apache-2.0
#include "printer.hpp"

namespace generate {

constexpr std::size_t LINE_BYTES = 80;

void Printer::show(std::size_t row, std::string_view text) {
  std::string& pending = pending_[row];
  if (pending_.size() == 1) {
    out_ << text << std::flush;
    if (!text.empty()) pending = text.back();
    return;
  }
  pending += text;
  for (std::size_t end = 0; (end = pending.find('\n')) != std::string::npos;) {
    line(row, pending.substr(0, end));
    pending.erase(0, end + 1);
  }
  while (pending.size() > LINE_BYTES) {
    const std::size_t space = pending.rfind(' ', LINE_BYTES);
    if (space == std::string::npos || space == 0) break;
    line(row, pending.substr(0, space));
    pending.erase(0, space + 1);
  }
}

void Printer::finish(std::size_t row) {
  if (pending_.size() > 1 && !pending_[row].empty()) line(row, pending_[row]);
  if (pending_.size() == 1 && pending_[row] != "\n") out_ << '\n';
  pending_[row].clear();
  out_ << std::flush;
}

void Printer::line(std::size_t row, std::string_view text) {
  out_ << '[' << row << "] " << text << '\n' << std::flush;
}

}  // namespace generate
