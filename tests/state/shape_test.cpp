// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include <logitchain/state/shape.hpp>

#include "support/state_doubles.hpp"

namespace {

using namespace logitchain;
using logitchain_test::text_of_error;

TEST(Shape, AcceptsTheEndsOfItsRanges) {
  EXPECT_NO_THROW(check_shape({.rows = 1, .capacity = 1, .vocab = 1}));
  EXPECT_NO_THROW(
      check_shape({.rows = 2147483647, .capacity = 2147483647, .vocab = (1 << 20) - 1}));
}

TEST(Shape, RefusesWhatLiesOutsideByName) {
  const auto text = [](Shape shape) { return text_of_error([&] { check_shape(shape); }); };
  EXPECT_EQ(text({.rows = 0, .capacity = 1, .vocab = 1}),
            "StepState: rows is 0; it must be in [1, 2147483647]");
  EXPECT_EQ(text({.rows = -1, .capacity = 1, .vocab = 1}),
            "StepState: rows is -1; it must be in [1, 2147483647]");
  EXPECT_EQ(text({.rows = std::int64_t{1} << 40, .capacity = 1, .vocab = 1}),
            "StepState: rows is 1099511627776; it must be in [1, 2147483647]");
  EXPECT_EQ(text({.rows = 1, .capacity = std::int64_t{1} << 31, .vocab = 1}),
            "StepState: capacity is 2147483648; it must be in [1, 2147483647]");
  EXPECT_EQ(text({.rows = 1, .capacity = 1, .vocab = 1 << 20}),
            "StepState: vocab is 1048576; it must be in [1, 1048575]: the masses of a larger "
            "vocabulary do not fit 64 bits");
  EXPECT_EQ(text({.rows = 1, .capacity = 1, .vocab = 0}).substr(0, 25),
            "StepState: vocab is 0; it");
}

}  // namespace
