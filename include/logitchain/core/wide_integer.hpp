// SPDX-License-Identifier: Apache-2.0
// 128-bit integers: the type, and the high half of a product.
#pragma once

#include <cstdint>

#include <logitchain/core/config.hpp>

namespace logitchain::inline v0 {

/// Unsigned, 128 bits, on host and device.
// NOLINTNEXTLINE(modernize-use-using): `using` takes no __extension__, which -Wpedantic wants
__extension__ typedef unsigned __int128 uint128;

/// The high 64 bits of a * b.
LOGITCHAIN_HD inline std::uint64_t mulhi(std::uint64_t a, std::uint64_t b) {
#if defined(__CUDA_ARCH__)
  return __umul64hi(a, b);
#else
  return static_cast<std::uint64_t>((static_cast<uint128>(a) * b) >> 64);
#endif
}

}  // namespace logitchain::inline v0
