// SPDX-License-Identifier: Apache-2.0
// The filters as their definitions read: everything is sorted, sums go from the best token on. The
// library's masses and logarithms are used, so that results are equal and not only near.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <logitchain/core/exponential.hpp>
#include <logitchain/core/logarithm.hpp>
#include <logitchain/core/mass.hpp>
#include <logitchain/core/types.hpp>

namespace logitchain_test::reference {

using Scores = std::vector<float>;

/// Numbers of a row, summed one by one.
struct Distribution {
  float maximum = logitchain::FILTER;
  std::uint64_t total = 0;
  float log_total = 0;
  float entropy = 0;

  explicit Distribution(const Scores& scores) {
    for (const float score : scores) maximum = std::max(maximum, score);
    std::uint64_t weighted = 0;
    for (const float score : scores) {
      const float distance = std::max(score - maximum, -80.0f);
      total += logitchain::mass(distance);
      weighted += logitchain::fixed44(
          logitchain::mul(logitchain::exponential_nonpositive(distance), -distance));
    }
    log_total = logitchain::logarithm(logitchain::unfixed44(total));
    const double mean = static_cast<double>(weighted) / static_cast<double>(total);
    entropy = log_total + static_cast<float>(mean);
  }
  std::uint64_t mass(float score) const { return logitchain::mass(score - maximum); }
};

/// Tokens by falling key; of equal keys the lower id first.
inline std::vector<std::size_t> best_first(const Scores& keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] > keys[b]; });
  return order;
}

/// The scores with all but the first `count` of an order removed.
inline Scores prefix(const Scores& scores, const std::vector<std::size_t>& order,
                     std::size_t count) {
  Scores result(scores.size(), logitchain::FILTER);
  for (std::size_t i = 0; i < count && i < order.size(); ++i) result[order[i]] = scores[order[i]];
  return result;
}

/// `count`, and what ties with the last of them.
inline std::size_t with_ties(const Scores& keys, const std::vector<std::size_t>& order,
                             std::size_t count) {
  count = std::min(count, order.size());
  while (count > 0 && count < order.size() && keys[order[count]] == keys[order[count - 1]]) ++count;
  return count;
}

/// How many tokens of an order have less than `limit` mass in front of them.
inline std::size_t count_of_mass(const Scores& scores, const std::vector<std::size_t>& order,
                                 std::uint64_t limit) {
  const Distribution row(scores);
  std::uint64_t before = 0;
  std::size_t count = 0;
  while (count < order.size() && before < limit) before += row.mass(scores[order[count++]]);
  return count;
}

inline double as_given(double number) { return static_cast<double>(static_cast<float>(number)); }

inline Scores top_k(const Scores& scores, std::int64_t k, std::int64_t least, bool all_ties) {
  if (k == 0) return scores;
  const auto order = best_first(scores);
  const std::size_t count = static_cast<std::size_t>(std::max(k, least));
  return prefix(scores, order, all_ties ? with_ties(scores, order, count) : count);
}

inline Scores top_p(const Scores& scores, double p, std::int64_t least) {
  if (as_given(p) == 1) return scores;
  const auto order = best_first(scores);
  const std::uint64_t limit = logitchain::scaled_ceil(as_given(p), Distribution(scores).total);
  return prefix(scores, order,
                std::max(count_of_mass(scores, order, limit), static_cast<std::size_t>(least)));
}

inline Scores joint_top_k_top_p(const Scores& scores, std::int64_t k, double p) {
  const auto order = best_first(scores);
  std::size_t count = scores.size();
  if (k != 0) count = std::min(count, static_cast<std::size_t>(k));
  if (as_given(p) != 1) {
    const std::uint64_t limit = logitchain::scaled_ceil(as_given(p), Distribution(scores).total);
    count = std::min(count, count_of_mass(scores, order, limit));
  }
  return prefix(scores, order, std::max(count, std::size_t{1}));
}

inline Scores typical(const Scores& scores, double share, std::int64_t least) {
  if (as_given(share) == 1) return scores;
  const Distribution row(scores);
  Scores nearness;
  for (const float score : scores) {
    const float surprise = -((score - row.maximum) - row.log_total);
    nearness.push_back(-std::abs(surprise - row.entropy));
  }
  const auto order = best_first(nearness);
  const std::uint64_t limit = logitchain::scaled_ceil(as_given(share), row.total);
  const std::size_t count =
      std::max(count_of_mass(scores, order, limit), static_cast<std::size_t>(least));
  return prefix(scores, order, with_ties(nearness, order, count));
}

/// Keeps what is at most `limit` (negative) below the maximum, the `least` best, and their ties.
inline Scores cut_below(const Scores& scores, float limit, std::int64_t least) {
  const Distribution row(scores);
  const auto order = best_first(scores);
  const std::size_t rank = std::min(static_cast<std::size_t>(least), order.size()) - 1;
  const float kth =
      static_cast<std::size_t>(least) > order.size() ? logitchain::FILTER : scores[order[rank]];
  Scores result = scores;
  for (float& score : result) {
    if (!(score - row.maximum >= limit) && !(score >= kth)) score = logitchain::FILTER;
  }
  return result;
}

inline Scores min_p(const Scores& scores, double p, std::int64_t least) {
  return p == 0 ? scores : cut_below(scores, logitchain::logarithm(static_cast<float>(p)), least);
}

inline Scores epsilon_cutoff(const Scores& scores, double epsilon, std::int64_t least) {
  if (epsilon == 0) return scores;
  const float log_epsilon = logitchain::logarithm(static_cast<float>(epsilon));
  return cut_below(scores, log_epsilon + Distribution(scores).log_total, least);
}

inline Scores eta_cutoff(const Scores& scores, double epsilon, std::int64_t least) {
  if (epsilon == 0) return scores;
  const Distribution row(scores);
  const float log_epsilon = logitchain::logarithm(static_cast<float>(epsilon));
  const float half = logitchain::mul(0.5f, log_epsilon);
  const float log_eta = std::min(log_epsilon, half - row.entropy);
  return cut_below(scores, log_eta + row.log_total, least);
}

/// The entropy of a candidate, times the mass of all: mass * (log Z + distance from the maximum).
inline Scores top_h(const Scores& scores, double fraction, std::int64_t candidates) {
  if (fraction == 0) return scores;
  const Distribution row(scores);
  const auto order = best_first(scores);
  const std::size_t size = std::min(order.size(), static_cast<std::size_t>(candidates));
  std::uint64_t mass = 0;
  std::uint64_t weighted = 0;
  const auto take = [&](std::size_t i) {
    const float distance = std::max(scores[order[i]] - row.maximum, -80.0f);
    const float exponential = logitchain::exponential_nonpositive(distance);
    const std::uint64_t own = logitchain::fixed44(exponential);
    mass += own;
    weighted += logitchain::fixed44(logitchain::mul(exponential, -distance));
    return own;
  };
  for (std::size_t i = 0; i < size; ++i) take(i);
  const double log_all = static_cast<double>(logitchain::logarithm(logitchain::unfixed44(mass)));
  const auto entropy = [&] {
    return logitchain::fused(log_all, static_cast<double>(mass), static_cast<double>(weighted));
  };
  const double budget = logitchain::mul(as_given(fraction), entropy());
  mass = weighted = 0;
  std::size_t count = 0;
  while (count < size) {
    const std::uint64_t own = take(count);
    if (count > 0 && (own == 0 || entropy() > budget)) break;
    ++count;
  }
  return prefix(scores, order, count);
}

}  // namespace logitchain_test::reference
