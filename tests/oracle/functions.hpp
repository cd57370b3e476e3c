// SPDX-License-Identifier: Apache-2.0
// exp and log: given from outside, or by MPFR. The oracle has none of its own.
#pragma once

namespace oracle {

/// The two functions that leave the rationals, float32 to float32. Everything else is exact or is
/// rounded once by IEEE's rules.
struct Functions {
  float (*exponential)(float);  ///< of [-80, 0]
  float (*logarithm)(float);    ///< of positive floats
};

/// The float32 nearest to the true value, by MPFR.
Functions correctly_rounded();

/// exp(x) and log(x) with 64 bits, by MPFR.
long double exact_exponential(long double x);
long double exact_logarithm(long double x);

/// |value - exact| in units of the last place of `exact` as a float32, at least 2^-149.
double error_in_ulps(float value, long double exact);

}  // namespace oracle
