// SPDX-License-Identifier: Apache-2.0
// The consumer's table of stop strings.
#pragma once

#include <logitchain/logitchain.hpp>

/// Stops at "!?" in the text of the tokens "a", "b", "!", "?", "c!".
logitchain::StopTable stops_of_consumer();
