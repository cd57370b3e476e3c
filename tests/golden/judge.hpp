// SPDX-License-Identifier: Apache-2.0
// Compares what the library gave with what a case expects.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case.hpp"
#include "stage_table.hpp"

namespace golden {

/// A case's rows of scores: of the fused chain, and behind each of its stages run alone.
struct Scores {
  std::vector<float> fused;
  std::vector<std::vector<float>> after;
};

/// True for a row that no token can be drawn from: it holds NaN or +inf, or nothing is left.
bool without_distribution(const std::vector<float>& row);

/// The first token at which two rows differ in their bits, two NaNs being equal; -1 if none.
std::int64_t first_difference(const std::vector<float>& a, const std::vector<float>& b);

/// What is wrong, in words: stage, token, expected and got. Nothing: the case is as it should be.
///
/// Fused and single stages must agree in every bit. A cut leaves a row without a distribution as it
/// is; such a case, and one of the category `nonfinite`, is judged by that rule and not by the
/// mask. Otherwise the masks, behind each stage and at the end, then the values of kept tokens.
/// Where the reference makes a NaN that its input did not hold, -inf is expected.
std::optional<std::string> fault_of(const Case& given, const Scores& scores,
                                    const StageTable& table);

}  // namespace golden
