// SPDX-License-Identifier: Apache-2.0
// A random batch: rows with histories, when they end, and logits in some layout of memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/arithmetic.hpp"
#include "oracle/chains/maker.hpp"
#include "support/engine.hpp"

namespace oracle_test {

using Stop = Criterion<EndOfSequence, MaxNewTokens, MaxLength>;

/// How large batches are.
struct Sizes {
  std::int64_t vocab = 0;  ///< 0: random, up to 3,000, mostly small
  std::int64_t most_rows = 6;
  std::int64_t most_steps = 4;
};

/// Rows that begin together, and the criterion that ends them.
struct Batch {
  Batch(Random& random, const Sizes& sizes);

  Shape shape() const {
    return {.rows = static_cast<std::int64_t>(rows.size()), .capacity = capacity, .vocab = vocab};
  }
  /// Leaves the rows order[0], order[1], ..., with their numbers; a row may be there twice.
  void select(const std::vector<std::size_t>& order);
  std::vector<Request> requests() const;
  Stop stop() const;
  /// False where a number of the criterion is out of range in this row.
  bool valid(std::size_t row) const;
  /// What the criterion and the budget say of a row whose newest token is its last one.
  Finish finish_of(std::size_t row) const;

  std::int64_t vocab;
  std::int64_t capacity;
  int steps;
  std::vector<oracle::Row> rows;
  Maker maker;  ///< of the stages' numbers, which it keeps alive

 private:
  List eos_;
  Number<std::int32_t> most_new_;
  Number<std::int32_t> most_total_;
};

/// Logits of one row: a random kind of distribution, with ties, removed tokens, NaN, infinities.
oracle::Scores random_logits(Random& random, std::int64_t vocab);

/// Logits of a batch in memory, and what the library must read there.
struct Logits {
  Logits(Random& random, std::int64_t rows, std::int64_t vocab);

  DType type;
  logitchain_test::LogitsMemory memory;
  std::vector<oracle::Scores> of_row;
};

}  // namespace oracle_test
