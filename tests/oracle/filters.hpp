// SPDX-License-Identifier: Apache-2.0
// What maps, cuts and selections do to a row of scores, one function per transform, each as its
// definition reads.
#pragma once

#include <cstdint>
#include <vector>

#include "oracle/functions.hpp"
#include "oracle/stage.hpp"

namespace oracle {

/// A row has a distribution where something is above -inf and nothing is NaN or +inf.
bool has_distribution(const Scores& scores);

/// The best score; the row has a distribution.
float maximum_of(const Scores& scores);

/// Leaves the best token, the lowest id of those that tie, with score 0.
void leave_best(Scores& scores);

/// Living tokens (above -inf), the best first; of equal keys the lower id first.
std::vector<std::size_t> best_first(const Scores& scores, const Scores& keys);

/// The score at a rank from 1 on, -inf past the last living token.
float score_at_rank(const Scores& scores, std::int64_t rank);

/// The float32 that a number given as double is in a formula.
inline float as_float(double number) { return static_cast<float>(number); }

// Maps: a function of the token, its score and the row.
void run(const Temperature& stage, const Row& row, Scores& scores);
void run(const RemoveInvalidValues& stage, const Row& row, Scores& scores);
void run(const OwnMap& stage, const Row& row, Scores& scores);
void run(const RepetitionPenalty& stage, const Row& row, Scores& scores);
void run(const PromptRepetitionPenalty& stage, const Row& row, Scores& scores);
void run(const FrequencyPenalty& stage, const Row& row, Scores& scores);
void run(const PresencePenalty& stage, const Row& row, Scores& scores);
void run(const NoRepeatNGram& stage, const Row& row, Scores& scores);
void run(const PromptNoRepeatNGram& stage, const Row& row, Scores& scores);
void run(const SequenceBias& stage, const Row& row, Scores& scores);
void run(const SuppressTokens& stage, const Row& row, Scores& scores);
void run(const BeginSuppressTokens& stage, const Row& row, Scores& scores);
void run(const MinLength& stage, const Row& row, Scores& scores);
void run(const MinNewTokens& stage, const Row& row, Scores& scores);
void run(const ExponentialDecayLengthPenalty& stage, const Row& row, Scores& scores);
void run(const ForcedBOS& stage, const Row& row, Scores& scores);
void run(const ForcedEOS& stage, const Row& row, Scores& scores);

// Filters that need neither exp nor log.
void run(const Greedy& stage, const Row& row, Scores& scores);
void run(const TopK& stage, const Row& row, Scores& scores);
void run(const TopNSigma& stage, const Row& row, Scores& scores);

/// Spread of the scores above -inf. Distances from the maximum are integers of 2^-30 of the power
/// of two that covers the largest; the rest is exact but for 64 bits of a last root and quotient.
float deviation_of(const Scores& scores);

// Filters by probability: exp and log as given.
void run(const MinP& stage, Scores& scores, const Functions& functions);
void run(const EpsilonCutoff& stage, Scores& scores, const Functions& functions);
void run(const EtaCutoff& stage, Scores& scores, const Functions& functions);
void run(const Renormalize& stage, Scores& scores, const Functions& functions);
void run(const TopP& stage, Scores& scores, const Functions& functions);
void run(const JointTopKTopP& stage, Scores& scores, const Functions& functions);
void run(const Typical& stage, Scores& scores, const Functions& functions);
void run(const TopH& stage, Scores& scores, const Functions& functions);

}  // namespace oracle
