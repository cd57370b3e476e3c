// SPDX-License-Identifier: Apache-2.0
#include "oracle/filters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "oracle/arithmetic.hpp"
#include "oracle/oracle.hpp"

namespace oracle {
namespace {

using Whole = __uint128_t;

/// The numbers of a row that has a distribution.
struct Measures {
  float maximum;
  std::vector<std::uint64_t> mass;
  std::uint64_t total = 0;
  float log_total;
  float entropy;

  Measures(const Scores& scores, const Functions& functions)
      : maximum(maximum_of(scores)), mass(masses(scores, functions)) {
    std::uint64_t weighted = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      total += mass[i];
      const float distance = difference(scores[i], maximum);
      if (distance < -80) continue;  // there both terms are 0
      weighted += units(product(functions.exponential(distance), -distance));
    }
    log_total = functions.logarithm(from_units(total));
    const double mean = static_cast<double>(weighted) / static_cast<double>(total);
    entropy = sum(log_total, static_cast<float>(mean));
  }
};

/// True where less than the share of the total stands before: before < ceil(share * total). With
/// share = significand / 2^shift, in integers: before * 2^shift < significand * total.
bool within(std::uint64_t before, float share, std::uint64_t total) {
  int exponent = 0;
  const float fraction = std::frexp(share, &exponent);                       // in [0.5, 1) unless 0
  const Whole limit = static_cast<Whole>(std::ldexp(fraction, 24)) * total;  // < 2^88
  const int shift = 24 - exponent;
  if (before == 0) return limit > 0;
  if (shift >= 88) return false;  // the limit is then below one unit
  return before < (limit >> shift) + ((limit & ((Whole{1} << shift) - 1)) != 0 ? 1 : 0);
}

/// Removes all but the first `count` of an order.
void keep_first(Scores& scores, const std::vector<std::size_t>& order, std::size_t count) {
  Scores kept(scores.size(), REMOVED);
  for (std::size_t i = 0; i < std::min(count, order.size()); ++i) kept[order[i]] = scores[order[i]];
  scores = kept;
}

/// `count`, and what ties in its key with the last of them.
std::size_t with_ties(const Scores& keys, const std::vector<std::size_t>& order,
                      std::size_t count) {
  count = std::min(count, order.size());
  while (count > 0 && count < order.size() && keys[order[count]] == keys[order[count - 1]]) ++count;
  return count;
}

/// How many tokens of an order have less than the share of the mass in front of them.
std::size_t count_within(const std::vector<std::size_t>& order, const Measures& row, float share) {
  std::uint64_t before = 0;
  std::size_t count = 0;
  while (count < order.size() && within(before, share, row.total))
    before += row.mass[order[count++]];
  return count;
}

/// Removes what is below the limit as a distance from the maximum, and not among the `least` best.
void cut_below(Scores& scores, float limit, std::int64_t least) {
  const float maximum = maximum_of(scores);
  const float rank = score_at_rank(scores, least);
  for (float& score : scores) {
    if (difference(score, maximum) < limit && score < rank) score = REMOVED;
  }
}

}  // namespace

bool has_distribution(const Scores& scores) {
  bool something = false;
  for (const float score : scores) {
    if (std::isnan(score) || score == -REMOVED) return false;
    something = something || score != REMOVED;
  }
  return something;
}

float maximum_of(const Scores& scores) { return *std::max_element(scores.begin(), scores.end()); }

void leave_best(Scores& scores) {
  const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
  std::fill(scores.begin(), scores.end(), REMOVED);
  scores[static_cast<std::size_t>(best)] = 0;
}

std::vector<std::size_t> best_first(const Scores& scores, const Scores& keys) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] != REMOVED) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] > keys[b]; });
  return order;
}

float score_at_rank(const Scores& scores, std::int64_t rank) {
  const auto order = best_first(scores, scores);
  if (rank > static_cast<std::int64_t>(order.size())) return REMOVED;
  return scores[order[static_cast<std::size_t>(rank) - 1]];
}

std::vector<std::uint64_t> masses(const Scores& scores, const Functions& functions) {
  const float maximum = maximum_of(scores);
  std::vector<std::uint64_t> found;
  for (const float score : scores) {
    const float distance = difference(score, maximum);
    found.push_back(distance < -80 ? 0 : units(functions.exponential(distance)));
  }
  return found;
}

void run(const Greedy&, const Row&, Scores& scores) {
  if (has_distribution(scores)) leave_best(scores);
}

void run(const TopK& stage, const Row&, Scores& scores) {
  if (stage.k == 0 || !has_distribution(scores)) return;
  const auto order = best_first(scores, scores);
  const std::size_t count = static_cast<std::size_t>(std::max(stage.k, stage.least));
  keep_first(scores, order, stage.lowest_id ? count : with_ties(scores, order, count));
}

float deviation_of(const Scores& scores) {
  const double maximum = static_cast<double>(maximum_of(scores));
  std::vector<double> distances;
  for (const float score : scores) {
    if (score != REMOVED) distances.push_back(maximum - static_cast<double>(score));
  }
  int exponent = 0;
  (void)std::frexp(*std::max_element(distances.begin(), distances.end()), &exponent);
  Whole sum_of_steps = 0;
  Whole squares = 0;
  for (const double distance : distances) {
    const double steps = std::nearbyint(std::ldexp(distance, 30 - exponent));
    sum_of_steps += static_cast<Whole>(steps);
    squares += static_cast<Whole>(steps) * static_cast<Whole>(steps);
  }
  const Whole spread = squares * distances.size() - sum_of_steps * sum_of_steps;
  const long double deviation =
      std::sqrt(static_cast<long double>(spread)) / static_cast<long double>(distances.size());
  return static_cast<float>(std::ldexp(deviation, exponent - 30));
}

void run(const TopNSigma& stage, const Row&, Scores& scores) {
  if (stage.n == 0 || !has_distribution(scores)) return;
  const float limit =
      difference(maximum_of(scores), product(as_float(stage.n), deviation_of(scores)));
  for (float& score : scores) {
    if (score < limit) score = REMOVED;
  }
}

void run(const MinP& stage, Scores& scores, const Functions& functions) {
  if (stage.p == 0) return;
  const float p = as_float(stage.p);
  cut_below(scores, p == 0 ? REMOVED : functions.logarithm(p), stage.least);
}

void run(const EpsilonCutoff& stage, Scores& scores, const Functions& functions) {
  if (stage.epsilon == 0) return;
  const float log_epsilon = functions.logarithm(as_float(stage.epsilon));
  cut_below(scores, sum(log_epsilon, Measures(scores, functions).log_total), stage.least);
}

void run(const EtaCutoff& stage, Scores& scores, const Functions& functions) {
  if (stage.epsilon == 0) return;
  const Measures row(scores, functions);
  const float log_epsilon = functions.logarithm(as_float(stage.epsilon));
  const float log_eta = std::min(log_epsilon, difference(product(0.5f, log_epsilon), row.entropy));
  cut_below(scores, sum(log_eta, row.log_total), stage.least);
}

void run(const Renormalize&, Scores& scores, const Functions& functions) {
  const Measures row(scores, functions);
  for (float& score : scores) {
    if (score == REMOVED) continue;
    score = difference(difference(score, row.maximum), row.log_total);
    if (score == 0) score = 0;  // never -0: it would tell which zero was the maximum
  }
}

void run(const TopP& stage, Scores& scores, const Functions& functions) {
  const float share = as_float(stage.p);
  if (share == 1) return;
  const auto order = best_first(scores, scores);
  const std::size_t count = count_within(order, Measures(scores, functions), share);
  keep_first(scores, order, std::max(count, static_cast<std::size_t>(stage.least)));
}

void run(const JointTopKTopP& stage, Scores& scores, const Functions& functions) {
  const float share = as_float(stage.p);
  const auto order = best_first(scores, scores);
  std::size_t count = order.size();
  if (stage.k != 0) count = std::min(count, static_cast<std::size_t>(stage.k));
  if (share != 1) {
    count = std::min(count, count_within(order, Measures(scores, functions), share));
  }
  keep_first(scores, order, std::max(count, std::size_t{1}));
}

void run(const Typical& stage, Scores& scores, const Functions& functions) {
  const float share = as_float(stage.mass);
  if (share == 1) return;
  const Measures row(scores, functions);
  Scores keys;
  for (const float score : scores) {
    const float log_p = difference(difference(score, row.maximum), row.log_total);
    keys.push_back(-std::fabs(difference(-log_p, row.entropy)));
  }
  const auto order = best_first(scores, keys);
  const std::size_t count =
      std::max(count_within(order, row, share), static_cast<std::size_t>(stage.least));
  keep_first(scores, order, with_ties(keys, order, count));
}

void run(const TopH& stage, Scores& scores, const Functions& functions) {
  if (stage.fraction == 0) return;
  const float maximum = maximum_of(scores);
  const auto order = best_first(scores, scores);
  const std::size_t size = std::min(order.size(), static_cast<std::size_t>(stage.candidates));
  std::vector<std::uint64_t> mass, weighted;  // running sums
  for (std::size_t i = 0; i < size; ++i) {
    const float distance = std::max(difference(scores[order[i]], maximum), -80.0f);
    const float exponential = functions.exponential(distance);
    mass.push_back(units(exponential) + (i > 0 ? mass.back() : 0));
    weighted.push_back(units(product(exponential, -distance)) + (i > 0 ? weighted.back() : 0));
  }
  const double log_all = static_cast<double>(functions.logarithm(from_units(mass.back())));
  const auto entropy = [&](std::size_t i) {
    return std::fma(log_all, static_cast<double>(mass[i]), static_cast<double>(weighted[i]));
  };
  const double budget = product(static_cast<double>(as_float(stage.fraction)), entropy(size - 1));
  std::size_t count = 1;
  while (count < size && mass[count] > mass[count - 1] && entropy(count) <= budget) ++count;
  keep_first(scores, order, count);
}

}  // namespace oracle
