// SPDX-License-Identifier: Apache-2.0
// Runs one stage on a small row by what its members say: no plan, no passes, sorting allowed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <logitchain/core/kind.hpp>
#include <logitchain/core/logarithm.hpp>
#include <logitchain/core/mass.hpp>
#include <logitchain/core/types.hpp>

namespace bodies {

using Scores = std::vector<float>;
using Ids = std::vector<std::int32_t>;

inline constexpr float INF = std::numeric_limits<float>::infinity();
inline constexpr float NOT_A_NUMBER = std::numeric_limits<float>::quiet_NaN();
inline constexpr float LARGEST = std::numeric_limits<float>::max();

/// Ids with a score above -inf, rising.
inline Ids kept(const Scores& scores) {
  Ids ids;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] != logitchain::FILTER) ids.push_back(static_cast<std::int32_t>(i));
  }
  return ids;
}

/// Ids that a listed map or a forcing stage names, in its order, without those it skips.
template <class Bound>
Ids listed(const Bound& bound) {
  Ids ids;
  for (std::int64_t i = 0; i < bound.size(); ++i) {
    if (bound.token(i) != -1) ids.push_back(static_cast<std::int32_t>(bound.token(i)));
  }
  return ids;
}

/// Scores after a bound listed map: -inf stays.
template <class Bound>
Scores apply_listed(const Bound& bound, Scores scores) {
  for (std::int64_t i = 0; i < bound.size(); ++i) {
    if (bound.token(i) == -1) continue;
    float& score = scores.at(static_cast<std::size_t>(bound.token(i)));
    if (score != logitchain::FILTER) score = bound(i, score);
  }
  return scores;
}

/// Scores after a bound map or cut: -inf stays.
template <class Bound>
Scores apply_dense(const Bound& bound, Scores scores) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] != logitchain::FILTER) scores[i] = bound(static_cast<std::int32_t>(i), scores[i]);
  }
  return scores;
}

/// The numbers of a row, by their definitions. @param rank of `kth`
inline logitchain::RowNumbers numbers_of(const Scores& scores, std::int64_t rank = 1) {
  using namespace logitchain;
  RowNumbers numbers;
  const auto best = std::max_element(scores.begin(), scores.end());
  numbers.maximum = *best;
  numbers.best = static_cast<std::int32_t>(best - scores.begin());
  Scores sorted = scores;
  std::sort(sorted.rbegin(), sorted.rend());
  numbers.kth = rank <= static_cast<std::int64_t>(sorted.size())
                    ? sorted[static_cast<std::size_t>(rank - 1)]
                    : FILTER;
  double distance = 0;
  for (const float score : scores) {
    const float d = score - numbers.maximum;
    numbers.total += mass(d);
    if (mass(d) != 0) distance -= static_cast<double>(d) * static_cast<double>(mass(d));
  }
  numbers.log_total = logarithm(unfixed44(numbers.total));
  numbers.entropy =
      numbers.log_total + static_cast<float>(distance / static_cast<double>(numbers.total));
  return numbers;
}

struct Ranked {
  const Scores& scores;
  const Ids& order;
  float score(std::int64_t i) const {
    return scores[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
  }
};

/// Ids that a bound selection leaves, rising: the row in the order of its key, and what `spend`
/// allows.
template <class Bound>
Ids select(const Bound& bound, const Scores& scores) {
  using namespace logitchain;
  const auto key = [&](std::int32_t id) { return bound.key(scores[static_cast<std::size_t>(id)]); };
  Ids order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return key(a) > key(b); });
  const Spend spend = bound.spend();
  const float maximum = *std::max_element(scores.begin(), scores.end());
  std::size_t end = 0;
  for (std::uint64_t before = 0; end < order.size(); ++end) {
    const bool within = end < spend.count && before < spend.mass;
    if (!within && end >= spend.at_least) break;
    before += mass(scores[static_cast<std::size_t>(order[end])] - maximum);
  }
  if constexpr (requires { bound.length(Ranked{scores, order}, 1); }) {
    end = static_cast<std::size_t>(
        bound.length(Ranked{scores, order}, static_cast<std::int64_t>(end)));
  }
  while (spend.whole_ties && end > 0 && end < order.size() &&
         key(order[end]) == key(order[end - 1])) {
    ++end;
  }
  order.resize(end);
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace bodies
