// SPDX-License-Identifier: Apache-2.0
// The chain as recordings name it.
#pragma once

#include <nlohmann/json.hpp>

#include "options.hpp"

namespace generate {

/// `[{"name": ..., "params": {...}}, ...]`, the stages that the arguments ask for in their order.
nlohmann::ordered_json recorded_stages(const Options& options);

}  // namespace generate
