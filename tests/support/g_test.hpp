// SPDX-License-Identifier: Apache-2.0
// The G-test: how likely counts are, if a distribution is the one that it should be.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace logitchain_test {

/// Share of the chi-squared distribution with `freedom` degrees above `x`: the regularised upper
/// incomplete gamma function Q(freedom / 2, x / 2), by its series below the mode and by its
/// continued fraction (Lentz) above.
inline double chi_squared_above(double x, double freedom) {
  const double a = 0.5 * freedom;
  const double z = 0.5 * x;
  if (z <= 0) return 1;
  const double front = std::exp(a * std::log(z) - z - std::lgamma(a));
  if (z < a + 1) {
    double term = 1 / a;
    double sum = term;
    for (double n = a + 1; term > sum * 1e-17; ++n) {
      term *= z / n;
      sum += term;
    }
    return 1 - front * sum;
  }
  constexpr double TINY = std::numeric_limits<double>::min();
  double b = z + 1 - a;
  double c = 1 / TINY;
  double d = 1 / b;
  double fraction = d;
  for (int n = 1; n < 100'000; ++n) {
    const double step = n * (a - n);
    b += 2;
    d = 1 / (step * d + b);
    c = b + step / c;
    const double factor = c * d;
    fraction *= factor;
    if (std::fabs(factor - 1) < 1e-16) break;
  }
  return front * fraction;
}

/// A G-test's outcome.
struct GTest {
  double g = 0;
  double freedom = 0;
  double p = 1;  ///< chance of counts this far off or further
};

/// Compares counts with probabilities. Cells expected less often than `least` times are put
/// together: below some dozens the tail of the chi-squared distribution is no longer that of G. A
/// count where the probability is 0 makes p 0.
inline GTest g_test(const std::vector<std::int64_t>& counts,
                    const std::vector<double>& probabilities, double least = 100) {
  double draws = 0;
  for (const std::int64_t count : counts) draws += static_cast<double>(count);
  GTest test;
  double cells = 0;
  double rare = 0;
  double rare_expected = 0;
  const auto add_cell = [&](double count, double expected) {
    if (count > 0) test.g += 2 * count * std::log(count / expected);
    ++cells;
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double count = static_cast<double>(counts[i]);
    const double expected = draws * probabilities[i];
    if (probabilities[i] == 0 && counts[i] > 0) return {INFINITY, 0, 0};
    if (expected >= least) {
      add_cell(count, expected);
    } else {
      rare += count;
      rare_expected += expected;
    }
  }
  // What is rare even together tells nothing that the others do not.
  if (rare_expected >= least) add_cell(rare, rare_expected);
  test.freedom = cells - 1;
  if (test.freedom > 0) test.p = chi_squared_above(test.g, test.freedom);
  return test;
}

}  // namespace logitchain_test
