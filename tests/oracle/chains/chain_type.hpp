// SPDX-License-Identifier: Apache-2.0
// A chain type behind an interface, so that the tests themselves are compiled once.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "oracle/chains/batch.hpp"
#include "oracle/oracle.hpp"

namespace oracle_test {

/// A chain with its numbers, for the rows of one batch.
class Instance {
 public:
  virtual ~Instance() = default;

  /// A state whose rows are those of the batch.
  StepState begin(host_engine& engine, const Batch& batch) const {
    StepState begun = state(engine, batch);
    admit(engine, batch.stop(), begun, batch.requests());
    return begun;
  }
  /// A state that holds no row yet.
  virtual StepState state(host_engine& engine, const Batch& batch) const = 0;
  virtual void admit(host_engine& engine, const Stop& stop, StepState& state,
                     const std::vector<Request>& requests) const = 0;
  virtual void commit(host_engine& engine, const Stop& stop, StepState& state,
                      const HostTokenIds& tokens, const HostCommit& options) const = 0;
  virtual void apply(host_engine& engine, StepState& state, const host_logits& logits,
                     const host_scores& scores, const HostItems& items) const = 0;
  virtual void step(host_engine& engine, const Stop& stop, StepState& state,
                    const host_logits& logits, const HostStep& outputs) const = 0;

  /// The chain as the oracle sees it, for a row of the batch.
  oracle::Chain of_row(std::size_t row) const {
    oracle::Chain chain;
    for (const auto& stage : stages) chain.push_back(stage[row]);
    return chain;
  }
  bool valid(std::size_t row) const {
    for (const auto& stage : stages) {
      if (!oracle::valid(stage[row])) return false;
    }
    return true;
  }

  std::vector<std::vector<oracle::Stage>> stages;  ///< [stage][row]
};

struct ChainType {
  std::string name;
  std::unique_ptr<Instance> (*make)(Batch& batch);
};

/// Chains compiled in one translation unit.
inline constexpr std::size_t CHAINS_PER_PART = 8;
inline constexpr std::size_t PARTS = (CHAINS + CHAINS_PER_PART - 1) / CHAINS_PER_PART;

/// Appends the chains of one part; defined in `part.hpp`, instantiated once per part.
template <std::size_t Part>
void add_part(std::vector<ChainType>& all);

/// All chains, in the order of `ChainAt`.
const std::vector<ChainType>& chain_types();

}  // namespace oracle_test
