// SPDX-License-Identifier: Apache-2.0
// The few chain types that edge rows, shapes, parts and bad data are tried with: each costs a
// minute of compilation. Stages that a test leaves out are off.
#pragma once

// Visitors of the host are shown the parameters of stages.
#pragma nv_diag_suppress 20011, 20014

#include <cstdint>
#include <string>
#include <vector>

#include <logitchain/logitchain.cuh>

#include "cuda/support/both_engines.cuh"
#include "support/engine.hpp"

namespace cuda_test {

using namespace logitchain;
using namespace logitchain_test;

/// A chain with a bound on its survivors, tables and lists in front of it. With its stages off it
/// is top-p alone, or a plain draw.
using Bounded =
    Chain<SuppressTokens, SequenceBias, RepetitionPenalty, Temperature, TopK, TopP, MinP>;
/// A selection by another order than that of the scores, and one that walks its survivors.
using Unbounded = Chain<Typical, TopH>;
using Rules = Criterion<EndOfSequence, MaxNewTokens, StopStrings>;

/// Tables of a vocabulary, that rows name by 0; -1 is none.
struct Tables {
  std::int64_t vocab;
  BiasTable bias;
  StopTable strings;
  std::vector<BiasTableView> bias_views;
  std::vector<StopTableView> string_views;
  Ids none;  ///< for many rows

  explicit Tables(std::int64_t size)
      : vocab(size),
        bias(sequence_bias({{{1 % size, 2 % size}, 3.5}, {{0}, -1.0}, {{2 % size}, 0.5}}, size)),
        strings(stop_strings(pieces(size), {"b c ", "nowhere"})),
        bias_views{bias.view()},
        string_views{strings.view()},
        none(256, -1) {}

  static std::vector<std::string> pieces(std::int64_t size) {
    std::vector<std::string> all;
    for (std::int64_t i = 0; i < size; ++i) {
      all.push_back(std::string(1, static_cast<char>('a' + i % 26)) + ' ');
    }
    return all;
  }
  /// Tables by an index per row.
  SequenceBias biased_by(const Ids& index) const {
    return {{host_span<const BiasTableView>(bias_views), per_row(index)}};
  }
  StopStrings stopped_by(const Ids& index) const {
    return {{host_span<const StopTableView>(string_views), per_row(index)}};
  }
  Rules no_rules() const { return criterion(EndOfSequence{}, MaxNewTokens{0}, stopped_by(none)); }
};

}  // namespace cuda_test
