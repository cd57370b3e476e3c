// SPDX-License-Identifier: Apache-2.0
#include "judge.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "encoding.hpp"

namespace golden {
namespace {

constexpr float REMOVED = -std::numeric_limits<float>::infinity();

using Answer = std::optional<std::string>;

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

std::string at_token(const std::string& where, std::size_t token, const std::string& expected,
                     const std::string& got) {
  return where + ": token " + std::to_string(token) + ": expected " + expected + ", got " + got;
}

std::string label(const Case& given, std::size_t stage) {
  return "stage " + std::to_string(stage + 1) + " of " + std::to_string(given.stages.size()) +
         ", " + given.stages[stage].name;
}

// Tokens whose expected value is a NaN that the case's logits did not hold: -inf is expected there.
std::vector<std::size_t> departures(const Case& given) {
  std::vector<std::size_t> tokens;
  const Expected& expected = given.expected;
  const auto visit = [&](std::size_t token, float value) {
    if (std::isnan(value) && !std::isnan(given.input[token])) tokens.push_back(token);
  };
  if (expected.out) {
    for (std::size_t i = 0; i < expected.out->size(); ++i) visit(i, (*expected.out)[i]);
  } else {
    for (const auto& [id, value] : expected.samples) visit(static_cast<std::size_t>(id), value);
  }
  return tokens;
}

Answer mask_fault(const std::string& where, const Mask& expected, const Mask& excused,
                  const std::vector<float>& got) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool kept = got[i] != REMOVED;
    if (kept == (expected[i] != 0) || (!excused.empty() && excused[i])) continue;
    return at_token(where, i, expected[i] ? "kept" : "removed", shown(got[i]));
  }
  return {};
}

std::int64_t kept_in(const std::vector<float>& row) {
  return static_cast<std::int64_t>(row.size()) - std::count(row.begin(), row.end(), REMOVED);
}

Answer count_fault(const std::string& where, std::int64_t expected, std::int64_t got) {
  if (expected == got) return {};
  return where + ": expected " + std::to_string(expected) + " kept tokens, got " +
         std::to_string(got);
}

Answer stages_fault(const Case& given, const Scores& scores, const Mask& excused) {
  const Expected& expected = given.expected;
  const std::size_t stages = scores.after.size();
  const auto check_length = [&](std::size_t length) {
    if (length != 0 && length != stages) throw Fault("not one mask or count per stage");
  };
  check_length(expected.kept_after_stage.size());
  check_length(expected.kept_count_after_stage.size());
  for (std::size_t i = 0; i < expected.kept_after_stage.size(); ++i) {
    if (auto fault = mask_fault("after " + label(given, i), expected.kept_after_stage[i], excused,
                                scores.after[i])) {
      return fault;
    }
  }
  if (!excused.empty()) return {};
  for (std::size_t i = 0; i < expected.kept_count_after_stage.size(); ++i) {
    if (auto fault = count_fault("after " + label(given, i), expected.kept_count_after_stage[i],
                                 kept_in(scores.after[i]))) {
      return fault;
    }
  }
  return {};
}

Answer split_fault(const Case& given, const std::vector<float>& got) {
  if (!given.split_count) return {};
  std::int64_t kept = 0;
  for (std::size_t i = 0; i < got.size(); ++i) kept += given.excused[i] && got[i] != REMOVED;
  return count_fault("among the tokens that tie at the cut", *given.split_count, kept);
}

std::uint64_t hash_of_kept(const std::vector<float>& row) {
  Fnv1a64 hash;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] != REMOVED) hash.word(static_cast<std::uint32_t>(i));
  }
  return hash.value();
}

std::uint64_t hash_of_values(const std::vector<float>& row) {
  Fnv1a64 hash;
  for (const float value : row) hash.word(std::bit_cast<std::uint32_t>(value));
  return hash.value();
}

Answer final_mask_fault(const Case& given, const std::vector<float>& got,
                        const std::vector<std::size_t>& departed) {
  const Expected& expected = given.expected;
  const std::string where = "mask after " + label(given, given.stages.size() - 1);
  if (expected.kept) {
    Mask mask = *expected.kept;
    for (const std::size_t token : departed) mask[token] = 0;
    if (auto fault = mask_fault(where, mask, given.excused, got)) return fault;
  } else if (!given.excused.empty()) {
    throw Fault("tokens are excused from a mask that is not given");
  }
  if (auto fault = split_fault(given, got)) return fault;
  if (!given.excused.empty()) return {};
  if (expected.kept_count) {
    const auto count = *expected.kept_count - static_cast<std::int64_t>(departed.size());
    if (auto fault = count_fault(where, count, kept_in(got))) return fault;
  }
  if (expected.kept_hash && departed.empty() && hash_of_kept(got) != *expected.kept_hash) {
    return where + ": other tokens are kept than kept_fnv1a64 says (the count is right)";
  }
  return {};
}

bool close(float got, float expected, const Tolerance& tolerance) {
  if (same_bits(got, expected)) return true;
  if (tolerance.exact() || !std::isfinite(got) || !std::isfinite(expected)) return false;
  const double size = std::fabs(static_cast<double>(expected));
  const float above = std::nextafter(std::fabs(expected), std::numeric_limits<float>::infinity());
  const double ulp = static_cast<double>(above) - size;
  return std::fabs(static_cast<double>(got) - static_cast<double>(expected)) <=
         tolerance.abs + tolerance.rel * size + tolerance.ulp * ulp;
}

Answer values_fault(const Case& given, const std::vector<float>& got) {
  const Expected& expected = given.expected;
  const std::string where = "value after " + label(given, given.stages.size() - 1);
  const auto check = [&](std::size_t token, float value) -> Answer {
    if (got[token] == REMOVED || value == REMOVED) return {};
    if (std::isnan(value) && !std::isnan(given.input[token])) return {};
    if (close(got[token], value, given.tolerance)) return {};
    return at_token(where, token, shown(value), shown(got[token]));
  };
  for (std::size_t i = 0; i < got.size(); ++i) {
    Answer fault;
    if (expected.out) {
      fault = check(i, (*expected.out)[i]);
    } else if (expected.values_unchanged) {
      fault = check(i, given.input[i]);
    } else if (expected.log_sum_exp) {
      const double value = static_cast<double>(given.input[i]) - *expected.log_sum_exp;
      fault = check(i, static_cast<float>(value));
    }
    if (fault) return fault;
  }
  for (const auto& [id, value] : expected.samples) {
    if (auto fault = check(static_cast<std::size_t>(id), value)) return fault;
  }
  if (expected.out_hash && given.tolerance.exact() && given.excused.empty() &&
      hash_of_values(got) != *expected.out_hash) {
    return where + ": the values are not those of out_fnv1a64";
  }
  return {};
}

}  // namespace

bool without_distribution(const std::vector<float>& row) {
  bool left = false;
  for (const float score : row) {
    if (std::isnan(score) || score == std::numeric_limits<float>::infinity()) return true;
    left = left || score != REMOVED;
  }
  return !left;
}

std::int64_t first_difference(const std::vector<float>& a, const std::vector<float>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same_bits(a[i], b[i])) return static_cast<std::int64_t>(i);
  }
  return -1;
}

std::optional<std::string> fault_of(const Case& given, const Scores& scores,
                                    const StageTable& table) {
  const std::vector<float>& staged = scores.after.back();
  if (const auto at = first_difference(staged, scores.fused); at >= 0) {
    const auto token = static_cast<std::size_t>(at);
    return at_token("the fused chain against its stages one by one", token, shown(staged[token]),
                    shown(scores.fused[token]));
  }
  bool undefined = given.category == Category::nonfinite;
  for (std::size_t i = 0; i < scores.after.size(); ++i) {
    const std::vector<float>& before = i == 0 ? given.input : scores.after[i - 1];
    if (!table.at(given.stages[i].name).cut || !without_distribution(before)) continue;
    undefined = true;
    if (const auto at = first_difference(before, scores.after[i]); at >= 0) {
      const auto token = static_cast<std::size_t>(at);
      return at_token(label(given, i) + " on a row without a distribution", token,
                      "it unchanged, " + shown(before[token]), shown(scores.after[i][token]));
    }
  }
  if (undefined) return {};
  const auto departed = departures(given);
  Mask excused = given.excused;
  if (!departed.empty()) excused.resize(given.input.size());
  for (const std::size_t token : departed) excused[token] = 1;
  if (auto fault = stages_fault(given, scores, excused)) return fault;
  if (auto fault = final_mask_fault(given, scores.fused, departed)) return fault;
  return values_fault(given, scores.fused);
}

}  // namespace golden
