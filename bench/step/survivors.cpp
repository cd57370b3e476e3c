// SPDX-License-Identifier: Apache-2.0
#include "survivors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace bench {

std::string Difference::text() const {
  char text[160];
  if (apart == 0) {
    std::snprintf(text, sizeof text, "%zu kept by both, scores within %.1g", ours, score);
  } else {
    std::snprintf(
        text, sizeof text,
        "%zu and %zu kept, %zu by one side only with %.1g of the mass, scores within %.1g", ours,
        theirs, apart, mass, score);
  }
  return text;
}

Difference compare(std::vector<Survivor> ours, std::vector<Survivor> theirs) {
  const auto by_token = [](const Survivor& a, const Survivor& b) { return a.token < b.token; };
  std::sort(ours.begin(), ours.end(), by_token);
  std::sort(theirs.begin(), theirs.end(), by_token);
  float best = -INFINITY;
  for (const Survivor& kept : ours) best = std::max(best, kept.score);
  Difference result{ours.size(), theirs.size(), 0, 0, 0};
  double all = 0;
  double apart = 0;
  auto a = ours.begin();
  auto b = theirs.begin();
  while (a != ours.end() || b != theirs.end()) {
    const bool only_ours = b == theirs.end() || (a != ours.end() && a->token < b->token);
    const bool only_theirs = a == ours.end() || (b != theirs.end() && b->token < a->token);
    const double mass = std::exp(static_cast<double>(only_theirs ? b->score : a->score) - best);
    all += mass;
    if (only_ours || only_theirs) {
      apart += mass;
      ++result.apart;
    } else {
      const double distance = std::fabs(static_cast<double>(a->score) - b->score);
      result.score = std::max(result.score, distance);
    }
    if (!only_theirs) ++a;
    if (!only_ours) ++b;
  }
  result.mass = all > 0 ? apart / all : 1;
  return result;
}

}  // namespace bench
