// SPDX-License-Identifier: Apache-2.0
// Rows and stages as the oracle sees them: plain data, one struct per transform. Numbers are as the
// user gave them; where a rule says float32, the oracle rounds.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace oracle {

using Ids = std::vector<std::int64_t>;
using Scores = std::vector<float>;

/// One row: its own tokens, without padding.
struct Row {
  Ids prompt{};
  Ids generated{};
  std::uint64_t seed = 0;
  std::int64_t budget = 0;  ///< tokens that it may generate in all
  std::int64_t vocab = 0;

  std::int64_t total() const { return static_cast<std::int64_t>(prompt.size() + generated.size()); }
  Ids history() const {
    Ids all = prompt;
    all.insert(all.end(), generated.begin(), generated.end());
    return all;
  }
};

struct Temperature {
  double value;
};
struct RemoveInvalidValues {};
/// A map of the test's own: z + slope where the token is odd, -inf where it is a multiple of 7.
struct OwnMap {
  double slope;
};

struct RepetitionPenalty {
  double penalty;
  std::int64_t prompt_ignore_length;
};
struct PromptRepetitionPenalty {
  double penalty;
};
struct FrequencyPenalty {
  double penalty;
};
struct PresencePenalty {
  double penalty;
};
struct NoRepeatNGram {
  std::int64_t size;
};
struct PromptNoRepeatNGram {
  std::int64_t size;
};
struct SequenceBias {
  std::vector<std::pair<Ids, double>> entries;
};
struct SuppressTokens {
  Ids tokens;
};
struct BeginSuppressTokens {
  Ids tokens;
  std::int64_t offset;
};
struct MinLength {
  std::int64_t length;
  Ids eos;
};
struct MinNewTokens {
  std::int64_t count;
  Ids eos;
};
struct ExponentialDecayLengthPenalty {
  std::int64_t start;
  double factor;
  Ids eos;
};

struct ForcedBOS {
  std::int64_t token;
};
struct ForcedEOS {
  Ids eos;
  std::int64_t max_length;
};

struct MinP {
  double p;
  std::int64_t least;
};
struct EpsilonCutoff {
  double epsilon;
  std::int64_t least;
};
struct EtaCutoff {
  double epsilon;
  std::int64_t least;
};
struct Renormalize {};
struct TopNSigma {
  double n;
};
struct Greedy {};

struct TopK {
  std::int64_t k;
  std::int64_t least;
  bool lowest_id;
};
struct TopP {
  double p;
  std::int64_t least;
};
struct JointTopKTopP {
  std::int64_t k;
  double p;
};
struct Typical {
  double mass;
  std::int64_t least;
};
struct TopH {
  double fraction;
  std::int64_t candidates;
};

using Stage =
    std::variant<Temperature, RemoveInvalidValues, OwnMap, RepetitionPenalty,
                 PromptRepetitionPenalty, FrequencyPenalty, PresencePenalty, NoRepeatNGram,
                 PromptNoRepeatNGram, SequenceBias, SuppressTokens, BeginSuppressTokens, MinLength,
                 MinNewTokens, ExponentialDecayLengthPenalty, ForcedBOS, ForcedEOS, MinP,
                 EpsilonCutoff, EtaCutoff, Renormalize, TopNSigma, Greedy, TopK, TopP,
                 JointTopKTopP, Typical, TopH>;

/// False where a number lies outside of its range.
bool valid(const Stage& stage);

/// The stage's numbers, for failure messages.
std::string text(const Stage& stage);

}  // namespace oracle
