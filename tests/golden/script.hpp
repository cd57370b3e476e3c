// SPDX-License-Identifier: Apache-2.0
// A forced script of tokens, and how a row that follows it ends.
#pragma once

#include <cstdint>
#include <vector>

#include <logitchain/core/types.hpp>

namespace golden {

/// Tokens of one row; the first `prompt` of them are its prompt.
struct Script {
  std::int64_t vocab = 0;
  std::vector<std::int32_t> tokens;
  std::int64_t prompt = 0;

  std::int64_t size() const { return static_cast<std::int64_t>(tokens.size()); }
  std::vector<std::int64_t> part(std::int64_t begin, std::int64_t end) const {
    return {tokens.begin() + begin, tokens.begin() + end};
  }
};

/// Whether a row ended, and why.
struct Ending {
  bool ended = false;
  logitchain::Finish finish;

  friend bool operator==(const Ending& a, const Ending& b) {
    return a.ended == b.ended && a.finish.criterion == b.finish.criterion &&
           a.finish.entry == b.finish.entry && a.finish.begin == b.finish.begin;
  }
};

/// A row that runs through a script: how many tokens it took, and how it ended.
struct Course {
  std::int64_t taken = 0;
  Ending ending;

  friend bool operator==(const Course&, const Course&) = default;
};

}  // namespace golden
