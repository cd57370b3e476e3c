// SPDX-License-Identifier: Apache-2.0
#include "oracle/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "oracle/arithmetic.hpp"
#include "oracle/filters.hpp"
#include "oracle/interval.hpp"
#include "oracle/philox.hpp"

namespace oracle {
namespace {

constexpr long double ULP = 0x1p-23L;  // a last place is at most this share of the number
constexpr long double UNIT = 0x1p44L;

enum class Fate { kept, removed, open };
using Fates = std::vector<Fate>;

Interval logarithm(Interval x) {
  return Interval{exact_logarithm(x.low), exact_logarithm(x.high)}.widened(LOGARITHM_ULPS * ULP);
}

/// What a row's numbers may be.
struct Bounds {
  std::vector<float> distance;
  std::vector<Interval> mass;
  Interval total{};
  Interval log_total{};
  Interval entropy{};

  explicit Bounds(const Scores& scores) {
    const float maximum = maximum_of(scores);
    Interval weighted{};
    for (const float score : scores) {
      distance.push_back(difference(score, maximum));
      const float d = distance.back();
      if (d < -80) {
        mass.push_back({});
        continue;
      }
      // The largest mass is exact: exp(0) is 1 in any implementation worth the name.
      const Interval exponential =
          d == 0 ? Interval::of(1)
                 : Interval::of(exact_exponential(d)).widened(EXPONENTIAL_ULPS * ULP);
      mass.push_back(whole(UNIT * exponential, d == 0 ? 0 : 0.5L));
      total = total + mass.back();
      weighted = weighted + whole(UNIT * (static_cast<long double>(-d) * exponential).to_float(),
                                  d == 0 ? 0 : 0.5L);
    }
    log_total = logarithm((1 / UNIT * total).to_float());
    const Interval mean = (weighted / total).to_double().to_float();
    entropy = (log_total + mean).to_float();
  }

 private:
  static Interval whole(Interval x, long double rounding) {
    const Interval rounded = x.widened(0, rounding);
    return {std::max(rounded.low, 0.0L), rounded.high};
  }
};

/// x < limit, where both may be anything within.
Fate kept_if_less(Interval x, Interval limit) {
  if (x.high < limit.low) return Fate::kept;
  return x.low >= limit.high ? Fate::removed : Fate::open;
}

Fates all(const Scores& scores, Fate fate) { return Fates(scores.size(), fate); }

/// Kept below the limit: nothing but the `least` best.
Fates cut_below(const Scores& scores, const Bounds& row, Interval limit, std::int64_t least) {
  Fates fates = all(scores, Fate::kept);
  const float rank = score_at_rank(scores, least);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!(scores[i] < rank) || row.distance[i] >= limit.high) continue;
    fates[i] = row.distance[i] < limit.low ? Fate::removed : Fate::open;
  }
  return fates;
}

/// The prefix of the best that has less than the share of the mass in front, `least` at least and
/// `most` at most.
Fates prefix(const Scores& scores, const Bounds& row, float share, std::int64_t least,
             std::int64_t most) {
  Fates fates = all(scores, Fate::removed);
  Interval before{};
  std::int64_t rank = 0;
  for (const std::size_t i : best_first(scores, scores)) {
    if (rank < most) {
      const bool free = share == 1 || rank < least;
      fates[i] =
          free ? Fate::kept : kept_if_less(before, static_cast<long double>(share) * row.total);
    }
    before = before + row.mass[i];
    ++rank;
  }
  return fates;
}

Fates fates_of(const MinP& stage, const Scores& scores) {
  const float p = as_float(stage.p);
  if (p == 0) return all(scores, Fate::kept);
  const Interval limit = p == 1 ? Interval{} : logarithm(Interval::of(p));
  return cut_below(scores, Bounds(scores), limit, stage.least);
}

Fates fates_of(const EpsilonCutoff& stage, const Scores& scores) {
  if (as_float(stage.epsilon) == 0) return all(scores, Fate::kept);
  const Bounds row(scores);
  const Interval limit = logarithm(Interval::of(as_float(stage.epsilon))) + row.log_total;
  return cut_below(scores, row, limit.to_float(), stage.least);
}

Fates fates_of(const EtaCutoff& stage, const Scores& scores) {
  if (as_float(stage.epsilon) == 0) return all(scores, Fate::kept);
  const Bounds row(scores);
  const Interval log_epsilon = logarithm(Interval::of(as_float(stage.epsilon)));
  const Interval scaled = (0.5L * log_epsilon - row.entropy).to_float();
  const Interval limit = smaller(log_epsilon, scaled) + row.log_total;
  return cut_below(scores, row, limit.to_float(), stage.least);
}

Fates fates_of(const TopP& stage, const Scores& scores) {
  return prefix(scores, Bounds(scores), as_float(stage.p), stage.least,
                static_cast<std::int64_t>(scores.size()));
}

Fates fates_of(const JointTopKTopP& stage, const Scores& scores) {
  return prefix(scores, Bounds(scores), as_float(stage.p), 1,
                stage.k == 0 ? static_cast<std::int64_t>(scores.size()) : stage.k);
}

/// |-log p - H| of a distance from the maximum.
Interval far_from_entropy(const Bounds& row, float distance) {
  if (distance == REMOVED) return Interval::of(LARGEST);  // it overflowed
  const Interval surprise = row.log_total - Interval::of(distance);
  return magnitude((surprise.to_float() - row.entropy).to_float());
}

/// A token stays where the tokens strictly nearer weigh less than the share, or are fewer than
/// `least`; those that tie with it do not matter. Equal scores are equally near for certain; of
/// others only those whose intervals are apart are.
Fates fates_of(const Typical& stage, const Scores& scores) {
  const float share = as_float(stage.mass);
  if (share == 1) return all(scores, Fate::kept);
  const Bounds row(scores);
  struct Group {
    float score;
    Interval far{};  ///< its distance from the entropy
    Interval mass{};
    std::int64_t size = 0;
  };
  std::vector<Group> groups;
  for (const std::size_t i : best_first(scores, scores)) {
    if (groups.empty() || groups.back().score != scores[i]) {
      groups.push_back({scores[i], far_from_entropy(row, row.distance[i])});
    }
    groups.back().mass = groups.back().mass + row.mass[i];
    ++groups.back().size;
  }
  Fates fates = all(scores, Fate::removed);
  for (const Group& group : groups) {
    Interval before{};
    std::int64_t least_before = 0, most_before = 0;
    for (const Group& other : groups) {
      if (&other == &group || other.far.low > group.far.high) continue;
      const bool nearer = other.far.high < group.far.low;
      before = before + Interval{nearer ? other.mass.low : 0, other.mass.high};
      most_before += other.size;
      least_before += nearer ? other.size : 0;
    }
    Fate fate = kept_if_less(before, static_cast<long double>(share) * row.total);
    if (most_before < stage.least) fate = Fate::kept;
    if (fate == Fate::removed && least_before < stage.least) fate = Fate::open;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (scores[i] == group.score) fates[i] = fate;
    }
  }
  return fates;
}

Fates fates_of(const TopH& stage, const Scores& scores) {
  if (as_float(stage.fraction) == 0) return all(scores, Fate::kept);
  auto order = best_first(scores, scores);
  if (stage.candidates < static_cast<std::int64_t>(order.size())) {
    order.resize(static_cast<std::size_t>(stage.candidates));
  }
  Scores best;
  for (const std::size_t i : order) best.push_back(scores[i]);
  const Bounds row(best);
  std::vector<Interval> entropy;
  Interval mass{}, weighted{};
  for (std::size_t i = 0; i < best.size(); ++i) {
    const float d = row.distance[i];
    const Interval term =
        d < -80 ? Interval{}
                : UNIT * (static_cast<long double>(-d) * Interval::of(exact_exponential(d)))
                             .widened(EXPONENTIAL_ULPS * ULP)
                             .to_float();
    mass = mass + row.mass[i];
    weighted = weighted + (d == 0 ? Interval{} : term.widened(0, 0.5L));
    // The logarithm is that of a sum of at least one whole mass: below 0 by no more than its error.
    const Interval product{row.log_total.low * (row.log_total.low < 0 ? mass.high : mass.low),
                           row.log_total.high * mass.high};
    entropy.push_back((product.to_double() + weighted.to_double()).to_double());
  }
  const Interval budget =
      (static_cast<long double>(as_float(stage.fraction)) * entropy.back()).to_double();
  Fates fates = all(scores, Fate::removed);
  Fate so_far = Fate::kept;
  for (std::size_t i = 0; i < best.size() && so_far != Fate::removed; ++i) {
    if (i > 0) {
      const bool certain = entropy[i].high <= budget.low && row.mass[i].low >= 1;
      const bool over = entropy[i].low > budget.high || row.mass[i].high < 0.5L;
      so_far = over ? Fate::removed : certain ? so_far : Fate::open;
    }
    fates[order[i]] = so_far;
  }
  return fates;
}

/// Scores behind Renormalize, and how far an implementation's may be from them.
float renormalise(Scores& scores) {
  const Bounds row(scores);
  float tolerance = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] == REMOVED) continue;
    if (row.distance[i] == REMOVED) {  // the distance overflowed
      scores[i] = REMOVED;
      continue;
    }
    const Interval found = (Interval::of(row.distance[i]) - row.log_total).to_float();
    scores[i] = static_cast<float>((found.low + found.high) / 2);
    const long double spread = std::max(found.high - scores[i], scores[i] - found.low);
    tolerance = std::max(tolerance, static_cast<float>(spread * (1 + 0x1p-20L)));
  }
  return tolerance;
}

std::int64_t token_of(const Scores& scores, const Row& row) {
  const Bounds bounds(scores);
  const std::uint64_t position = row.generated.size();
  const long double share =
      std::ldexp(static_cast<long double>(random_of(row.seed, position)), -64);
  const Interval target = share * bounds.total;
  Interval cumulative{};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    cumulative = cumulative + bounds.mass[i];
    if (cumulative.low > target.high) return static_cast<std::int64_t>(i);
    if (cumulative.high > target.low) return -1;
  }
  return -1;
}

}  // namespace

Judgement judged(const Chain& chain, const Row& row, Scores scores) {
  Judgement judgement;
  for (const Stage& stage : chain) {
    if (judgement.tolerance != 0) judgement.decided = false;  // scores are no longer exact
    std::visit(
        [&](const auto& one) {
          if constexpr (requires { run(one, row, scores); }) {
            run(one, row, scores);
          } else if (has_distribution(scores)) {
            if constexpr (requires { fates_of(one, scores); }) {
              const Fates fates = fates_of(one, scores);
              for (std::size_t i = 0; i < scores.size(); ++i) {
                if (scores[i] == REMOVED) continue;
                if (fates[i] == Fate::open) judgement.decided = false;
                if (fates[i] == Fate::removed) scores[i] = REMOVED;
              }
            } else {
              judgement.tolerance = renormalise(scores);
            }
          }
        },
        stage);
    if (!judgement.decided) return judgement;
  }
  const bool drawable = has_distribution(scores);
  judgement.token = drawable && judgement.tolerance == 0 ? token_of(scores, row) : -1;
  judgement.token_decided = !drawable || judgement.token >= 0;
  judgement.scores = std::move(scores);
  return judgement;
}

}  // namespace oracle
