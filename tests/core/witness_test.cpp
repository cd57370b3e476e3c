// SPDX-License-Identifier: Apache-2.0
// The known answer holds in this build and notices an environment that changes results.
#include <logitchain/core/witness.hpp>

#include <cfenv>
#include <string>

#include <gtest/gtest.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace {

using namespace logitchain;

/// Restores the rounding mode.
struct Environment {
  std::fenv_t saved;
  Environment() { std::fegetenv(&saved); }
  ~Environment() { std::fesetenv(&saved); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
};

/// The fault as text, "" for none; not inlined, so that no operation moves across a mode change.
[[gnu::noinline]] std::string fault() {
  const char* text = arithmetic_fault();
  return text == nullptr ? "" : text;
}

TEST(Witness, ThisBuildComputesAsDefined) {
  EXPECT_EQ(fault(), "");
  EXPECT_TRUE(arithmetic_is_exact());
}

TEST(Witness, TheLibrarysTargetKeepsCompilersFromContracting) {
  EXPECT_FALSE(contracts_products());
}

TEST(Witness, AnotherRoundingModeIsNoticed) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::string seen;
    {
      const Environment environment;
      std::fesetround(mode);
      seen = fault();
    }
    EXPECT_NE(seen, "") << mode;
  }
  EXPECT_EQ(fault(), "");
}

#if defined(__SSE2__)
TEST(Witness, FlushingSubnormalsIsNoticed) {
  const unsigned saved = _mm_getcsr();
  _mm_setcsr(saved | 0x8000u);
  const std::string flushed = fault();
  _mm_setcsr(saved | 0x0040u);
  const std::string taken_as_zero = fault();
  _mm_setcsr(saved);
  EXPECT_EQ(flushed, "subnormal floats are flushed to zero");
  EXPECT_EQ(taken_as_zero, "subnormal floats are taken as zero");
}
#endif

}  // namespace
