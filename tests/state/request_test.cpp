// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/core/span.hpp>
#include <logitchain/state/request.hpp>

namespace {

using namespace logitchain;

TEST(TokenIds, AreMadeFromAnyRangeOfIntegers) {
  const TokenIds wanted{1, 2, 3};
  const std::vector<std::int32_t> narrow{1, 2, 3};
  const std::vector<std::int64_t> wide{1, 2, 3};
  const std::vector<std::uint32_t> without_sign{1, 2, 3};
  const std::array<std::int16_t, 3> fixed{1, 2, 3};
  const int plain[] = {1, 2, 3};
  EXPECT_EQ(TokenIds(narrow), wanted);
  EXPECT_EQ(TokenIds(wide), wanted);
  EXPECT_EQ(TokenIds(without_sign), wanted);
  EXPECT_EQ(TokenIds(fixed), wanted);
  EXPECT_EQ(TokenIds(plain), wanted);
  EXPECT_EQ(TokenIds(std::span<const std::int32_t>(narrow)), wanted);
  EXPECT_EQ(TokenIds(host_span<const std::int64_t>(wide)), wanted);
  const Request request{.row = 4, .prompt = narrow, .generated = wide};
  EXPECT_EQ(request.prompt, request.generated);
  EXPECT_FALSE(request.seed.has_value());
  EXPECT_TRUE(TokenIds{}.empty());
}

TEST(TokenIds, AreNeverNarrowed) {
  const std::vector<std::uint64_t> huge{std::numeric_limits<std::uint64_t>::max(),
                                        std::uint64_t{1} << 32};
  const TokenIds ids = huge;
  EXPECT_EQ(ids[0], std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(ids[1], std::int64_t{1} << 32);
}

}  // namespace
