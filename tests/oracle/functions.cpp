// SPDX-License-Identifier: Apache-2.0
#include "oracle/functions.hpp"

#include <algorithm>
#include <cmath>

#include <mpfr.h>

namespace oracle {
namespace {

/// One MPFR number of a precision.
class Number {
 public:
  explicit Number(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  // NOLINTNEXTLINE(google-explicit-constructor): stands for the number
  operator mpfr_ptr() { return value_; }

 private:
  mpfr_t value_;
};

// 24 bits are a float's; results of the two functions used here are never subnormal but for exp
// far below -80, which nothing asks for.
template <class Function>
float nearest_float(Function function, float x) {
  thread_local Number argument(24);
  thread_local Number result(24);
  mpfr_set_flt(argument, x, MPFR_RNDN);
  function(result, argument, MPFR_RNDN);
  return mpfr_get_flt(result, MPFR_RNDN);
}

template <class Function>
long double nearest_long(Function function, long double x) {
  thread_local Number argument(64);
  thread_local Number result(64);
  mpfr_set_ld(argument, x, MPFR_RNDN);
  function(result, argument, MPFR_RNDN);
  return mpfr_get_ld(result, MPFR_RNDN);
}

}  // namespace

Functions correctly_rounded() {
  return {[](float x) { return nearest_float(mpfr_exp, x); },
          [](float x) { return nearest_float(mpfr_log, x); }};
}

long double exact_exponential(long double x) { return nearest_long(mpfr_exp, x); }
long double exact_logarithm(long double x) { return nearest_long(mpfr_log, x); }

double error_in_ulps(float value, long double exact) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  const long double error = std::fabs(static_cast<long double>(value) - exact);
  return static_cast<double>(std::ldexp(error, 24 - std::max(exponent, -125)));
}

}  // namespace oracle
