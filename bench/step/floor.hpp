// SPDX-License-Identifier: Apache-2.0
// The floor: a plain vectorised maximum over the row, which any step has to read.
#pragma once

#include <memory>

#include "contender.hpp"
#include "logits.hpp"

namespace bench {

/// @param input must outlive the contender
std::unique_ptr<Contender> make_floor(const Input& input);

}  // namespace bench
