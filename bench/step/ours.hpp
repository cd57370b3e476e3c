// SPDX-License-Identifier: Apache-2.0
// Our contender: the whole step of the host engine, as a user writes it.
#pragma once

#include <memory>

#include "case.hpp"
#include "contender.hpp"
#include "logits.hpp"

namespace bench {

/// How our step is run.
struct Setup {
  const Case& measured;
  const Input& input;                               ///< must outlive the contender
  logitchain::DType type = logitchain::DType::f32;  ///< of the logits
  int rows = 1;                                     ///< each with the same logits and its own seed
  int threads = 1;
};

std::unique_ptr<Contender> make_ours(const Setup& setup);

}  // namespace bench
