// SPDX-License-Identifier: Apache-2.0
// Which engines the calls of this folder are for.
#pragma once

#include <logitchain/core/span.hpp>

namespace logitchain::inline v0::detail {

/// An engine whose states lie in host memory.
template <class Engine>
concept RunsOnHost = (Engine::space == Space::host);

}  // namespace logitchain::inline v0::detail
