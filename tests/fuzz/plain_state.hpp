// SPDX-License-Identifier: Apache-2.0
// A state as its description has it: each row is two lists of tokens, and everything else follows
// from them by going through all of them again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <logitchain/core/philox.hpp>
#include <logitchain/core/types.hpp>
#include <logitchain/state/request.hpp>

#include "fuzz/plain_tables.hpp"

namespace fuzz {

namespace lc = logitchain;

inline constexpr std::int64_t ROWS = 4;
inline constexpr std::int64_t CAPACITY = 12;
inline constexpr std::int64_t VOCAB = 11;

/// What the chain and the criterion of the target do, in plain data.
struct Rules {
  std::vector<std::string> pieces = {"a", "b", "ab", "", "ba", "c", "bb", "abc", "cab", "x", "y"};
  std::vector<std::string> strings = {"abba", "cc", "xab", "bb"};
  bool match_from_prompt = true;
  Ids eos = {9, 10};
  std::vector<Biases> bans;  ///< the tables that rows choose from
  // One per row, read anew at each call.
  std::vector<float> penalties = std::vector<float>(ROWS, 1.0f);
  std::vector<std::int32_t> tables = std::vector<std::int32_t>(ROWS, 0);
  std::vector<float> temperatures = std::vector<float>(ROWS, 1.0f);
  std::vector<std::int32_t> counts = std::vector<std::int32_t>(ROWS, 0);

  Rules();
  bool names_a_table(std::int64_t row) const {
    const std::int32_t index = tables[static_cast<std::size_t>(row)];
    return index >= -1 && index < static_cast<std::int32_t>(bans.size());
  }
};

struct PlainRow {
  Ids prompt{};
  Ids generated{};
  std::int64_t budget = 0;
  std::uint64_t seed = 0;
  std::uint64_t admission = 0;
  lc::Status status = lc::Status::released;
  lc::Finish finish{};
  std::int32_t table = -1;  ///< the bans that its automaton walks

  bool active() const { return status == lc::Status::ok; }
  Ids history() const {
    Ids all = prompt;
    all.insert(all.end(), generated.begin(), generated.end());
    return all;
  }
};

/// What a call brings for one row of scores: one token with a score, or none, and perhaps a NaN.
struct PlainScores {
  std::int64_t token = -1;
  std::int64_t not_a_number = -1;
};

class PlainState {
 public:
  PlainState(const Rules& rules, std::optional<std::uint64_t> seed)
      : rows(static_cast<std::size_t>(ROWS)), rules_(rules), seed_(seed) {}

  std::vector<PlainRow> rows;
  std::uint64_t admissions = 0;

  PlainRow& row(std::int64_t i) { return rows[static_cast<std::size_t>(i)]; }
  const PlainRow& row(std::int64_t i) const { return rows[static_cast<std::size_t>(i)]; }

  /// False where the requests must be refused.
  bool may_admit(const std::vector<lc::Request>& requests) const;
  void admit(const std::vector<lc::Request>& requests);

  /// The token that a step draws for a row, -1 where it ends otherwise; nothing is committed yet.
  std::int64_t transform(std::int64_t row, const PlainScores& scores);
  /// The same for `draw` alone.
  std::int64_t draw(std::int64_t row, const PlainScores& scores);
  /// Ends the row if the chain's numbers are wrong for it.
  bool chain_is_right(std::int64_t row);
  bool stop_is_right(std::int64_t row);
  /// One token of an active row.
  void commit(std::int64_t row, std::int64_t token);

 private:
  void end(std::int64_t i, lc::Status status) { row(i).status = status; }

  const Rules& rules_;
  std::optional<std::uint64_t> seed_;
};

}  // namespace fuzz
