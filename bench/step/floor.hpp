// SPDX-License-Identifier: Apache-2.0
// The floors: a plain maximum over the row, which any step has to find or something like it.
#pragma once

#include <memory>

#include "contender.hpp"
#include "logits.hpp"

namespace bench {

/// One vector of maxima: what a compiler makes of the plain loop. Each comparison waits for the one
/// before.
/// @param input must outlive the contender
std::unique_ptr<Contender> make_maximum(const Input& input);

/// Eight vectors of maxima side by side: as fast as this core reads the row from its cache.
/// @param input must outlive the contender
std::unique_ptr<Contender> make_read(const Input& input);

}  // namespace bench
