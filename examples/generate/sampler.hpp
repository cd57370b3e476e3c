// SPDX-License-Identifier: Apache-2.0
// The library as the decode loop sees it, whichever chain was chosen.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <logitchain/core/types.hpp>
#include <logitchain/state/request.hpp>

#include "options.hpp"
#include "stop_rules.hpp"

namespace generate {

/// Logits of one step: item i takes row `logits_row[i]` of `logits` and row `state_row[i]` of the
/// state.
struct Items {
  const float* logits = nullptr;  ///< [rows, vocab]
  std::int32_t rows = 0;
  std::vector<std::int32_t> logits_row;
  std::vector<std::int32_t> state_row;
};

/// A chain with its criterion, engine and state.
class Sampler {
 public:
  virtual ~Sampler() = default;

  /// Begins rows.
  virtual void admit(const std::vector<logitchain::Request>& requests) = 0;
  /// One step; a token and a result per item.
  virtual void step(const Items& items, std::vector<std::int32_t>& tokens,
                    std::vector<logitchain::StepResult>& results) = 0;
  /// The scores that the next step will draw from, [items, vocab].
  virtual void apply(const Items& items, std::vector<float>& scores) = 0;

  virtual logitchain::Finish finish(std::int32_t row) const = 0;

  virtual std::string explain() const = 0;
  virtual std::string fingerprint() const = 0;
  /// The criterion's rules in their order.
  virtual const std::vector<Rule>& rules() const = 0;
};

/// What a sampler's state holds.
struct SamplerShape {
  std::int32_t rows;
  std::int32_t capacity;  ///< the most tokens that a row will hold, prompt included
  std::int32_t vocab;
};

/// The sampler that the arguments ask for, on the host's cores or on a CUDA device.
/// @throws logitchain::error for a number out of range, naming it, and where there is no device
std::unique_ptr<Sampler> make_host_sampler(const Options& options, StopRules rules,
                                           const SamplerShape& shape);
/// @copydoc make_host_sampler
std::unique_ptr<Sampler> make_cuda_sampler(const Options& options, StopRules rules,
                                           const SamplerShape& shape);

}  // namespace generate
