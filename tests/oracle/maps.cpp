// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "oracle/arithmetic.hpp"
#include "oracle/filters.hpp"

namespace oracle {
namespace {

using Rewrite = std::function<float(std::int64_t token, float score)>;

/// Rewrites every score that was not removed.
void rewrite_all(Scores& scores, const Rewrite& rewrite) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] != REMOVED) scores[i] = rewrite(static_cast<std::int64_t>(i), scores[i]);
  }
}

/// Rewrites the scores of some tokens, each once; what lies outside of the row has no score.
void rewrite_some(Scores& scores, const std::set<std::int64_t>& tokens, const Rewrite& rewrite) {
  for (const std::int64_t token : tokens) {
    if (token < 0 || token >= static_cast<std::int64_t>(scores.size())) continue;
    float& score = scores[static_cast<std::size_t>(token)];
    if (score != REMOVED) score = rewrite(token, score);
  }
}

void ban(Scores& scores, const std::set<std::int64_t>& tokens) {
  rewrite_some(scores, tokens, [](std::int64_t, float) { return REMOVED; });
}

void leave_only(Scores& scores, const std::set<std::int64_t>& tokens) {
  for (float& score : scores) score = REMOVED;
  for (const std::int64_t token : tokens) scores[static_cast<std::size_t>(token)] = 0;
}

std::set<std::int64_t> set_of(const Ids& ids) { return {ids.begin(), ids.end()}; }

float penalised(float score, float penalty) {
  return score < 0 ? product(score, penalty) : quotient(score, penalty);
}

/// Tokens t for which (the last size - 1 tokens of the history, t) stands somewhere in `where`.
std::set<std::int64_t> repeats(const Row& row, const Ids& where, std::int64_t size) {
  std::set<std::int64_t> found;
  if (size == 0 || size > static_cast<std::int64_t>(where.size())) return found;
  const Ids history = row.history();
  const std::size_t prefix = static_cast<std::size_t>(size) - 1;
  const auto inside = [&](std::int64_t id) { return id >= 0 && id < row.vocab; };
  for (std::size_t at = 0; at + prefix < where.size(); ++at) {
    bool same = inside(where[at + prefix]);
    for (std::size_t i = 0; i < prefix; ++i) {
      same = same && where[at + i] == history[history.size() - prefix + i] && inside(where[at + i]);
    }
    if (same) found.insert(where[at + prefix]);
  }
  return found;
}

}  // namespace

void run(const Temperature& stage, const Row&, Scores& scores) {
  const float value = std::fabs(as_float(stage.value));
  if (value == 1) return;
  if (has_distribution(scores)) {
    if (value == 0 || !std::isfinite(quotient(maximum_of(scores), value))) {
      leave_best(scores);
      return;
    }
  } else if (value == 0) {
    return;
  }
  rewrite_all(scores, [&](std::int64_t, float score) { return quotient(score, value); });
}

void run(const RemoveInvalidValues&, const Row&, Scores& scores) {
  for (float& score : scores) {
    if (std::isnan(score)) score = 0;
    if (std::isinf(score)) score = score > 0 ? LARGEST : -LARGEST;
  }
}

void run(const OwnMap& stage, const Row&, Scores& scores) {
  rewrite_all(scores, [&](std::int64_t token, float score) {
    if (token % 7 == 0) return REMOVED;
    return token % 2 != 0 ? sum(score, as_float(stage.slope)) : score;
  });
}

void run(const RepetitionPenalty& stage, const Row& row, Scores& scores) {
  const float penalty = as_float(stage.penalty);
  if (penalty == 1) return;
  Ids history = row.history();
  const std::int64_t ignored = std::min(stage.prompt_ignore_length, row.total());
  history.erase(history.begin(), history.begin() + ignored);
  rewrite_some(scores, set_of(history),
               [&](std::int64_t, float score) { return penalised(score, penalty); });
}

void run(const PromptRepetitionPenalty& stage, const Row& row, Scores& scores) {
  if (stage.penalty == 1) return;
  const float inverse = as_float(1.0 / stage.penalty);
  rewrite_some(scores, set_of(row.prompt),
               [&](std::int64_t, float score) { return penalised(score, inverse); });
}

void run(const FrequencyPenalty& stage, const Row& row, Scores& scores) {
  if (stage.penalty == 0) return;
  std::map<std::int64_t, int> counts;
  for (const std::int64_t token : row.generated) ++counts[token];
  rewrite_some(scores, set_of(row.generated), [&](std::int64_t token, float score) {
    return difference(score, product(as_float(stage.penalty), static_cast<float>(counts[token])));
  });
}

void run(const PresencePenalty& stage, const Row& row, Scores& scores) {
  if (stage.penalty == 0) return;
  rewrite_some(scores, set_of(row.generated), [&](std::int64_t, float score) {
    return difference(score, as_float(stage.penalty));
  });
}

void run(const NoRepeatNGram& stage, const Row& row, Scores& scores) {
  ban(scores, repeats(row, row.history(), stage.size));
}

void run(const PromptNoRepeatNGram& stage, const Row& row, Scores& scores) {
  ban(scores, repeats(row, row.prompt, stage.size));
}

void run(const SequenceBias& stage, const Row& row, Scores& scores) {
  // As a dict keeps them: a sequence given twice has its first place and its last value.
  std::vector<std::pair<Ids, float>> entries;
  for (const auto& [ids, bias] : stage.entries) {
    const auto same = [&ids = ids](const auto& entry) { return entry.first == ids; };
    const auto found = std::find_if(entries.begin(), entries.end(), same);
    if (found == entries.end()) {
      entries.emplace_back(ids, as_float(bias));
    } else {
      found->second = as_float(bias);
    }
  }
  std::stable_partition(entries.begin(), entries.end(),
                        [](const auto& entry) { return entry.first.size() == 1; });
  const Ids history = row.history();
  std::map<std::int64_t, std::pair<float, bool>> sums;  // the sum; whether something in it bans
  for (const auto& [ids, bias] : entries) {
    const std::size_t before = ids.size() - 1;
    if (before > 0 && ids.size() > history.size()) continue;
    if (!std::equal(ids.begin(), ids.end() - 1,
                    history.end() - static_cast<std::ptrdiff_t>(before)))
      continue;
    auto& [so_far, bans] = sums[ids.back()];
    so_far = sum(so_far, bias);
    bans = bans || bias == REMOVED;
  }
  for (const auto& entry : sums) {
    rewrite_some(scores, {entry.first}, [&](std::int64_t, float score) {
      return entry.second.second ? REMOVED : sum(score, entry.second.first);
    });
  }
}

void run(const SuppressTokens& stage, const Row&, Scores& scores) {
  ban(scores, set_of(stage.tokens));
}

void run(const BeginSuppressTokens& stage, const Row& row, Scores& scores) {
  if (static_cast<std::int64_t>(row.generated.size()) == stage.offset) {
    ban(scores, set_of(stage.tokens));
  }
}

void run(const MinLength& stage, const Row& row, Scores& scores) {
  if (row.total() < stage.length) ban(scores, set_of(stage.eos));
}

void run(const MinNewTokens& stage, const Row& row, Scores& scores) {
  if (static_cast<std::int64_t>(row.generated.size()) < stage.count) ban(scores, set_of(stage.eos));
}

void run(const ExponentialDecayLengthPenalty& stage, const Row& row, Scores& scores) {
  const std::int64_t past = static_cast<std::int64_t>(row.generated.size()) - stage.start;
  if (past <= 0 || stage.factor == 1) return;
  double power = 1;
  double square = stage.factor;
  for (std::int64_t left = past; left > 0; left /= 2) {
    if (left % 2 == 1) power = product(power, square);
    square = product(square, square);
  }
  const float growth = std::min(as_float(power - 1), LARGEST);
  rewrite_some(scores, set_of(stage.eos), [&](std::int64_t, float score) {
    const float grown = sum(score, product(std::fabs(score), growth));
    return std::isfinite(score) ? std::clamp(grown, -LARGEST, LARGEST) : grown;
  });
}

void run(const ForcedBOS& stage, const Row& row, Scores& scores) {
  if (row.total() == 1 && stage.token >= 0) leave_only(scores, {stage.token});
}

void run(const ForcedEOS& stage, const Row& row, Scores& scores) {
  const std::int64_t own_end = static_cast<std::int64_t>(row.prompt.size()) + row.budget;
  const std::int64_t end = stage.max_length != 0 ? stage.max_length : own_end;
  if (!stage.eos.empty() && row.total() == end - 1) leave_only(scores, set_of(stage.eos));
}

}  // namespace oracle
