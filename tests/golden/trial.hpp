// SPDX-License-Identifier: Apache-2.0
// Runs one case: fused, stage by stage, with its draw; and says what is wrong.
#pragma once

#include <optional>
#include <string>

#include "case.hpp"
#include "stage_table.hpp"

namespace golden {

/// What came of a case.
struct Verdict {
  bool fused = false;                ///< its whole list of stages ran as one chain
  std::optional<std::string> fault;  ///< nothing: it passed
};

Verdict try_case(const Case& given, const StageTable& table);

}  // namespace golden
