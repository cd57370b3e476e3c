// SPDX-License-Identifier: Apache-2.0
#include "oracle/chains/chain_type.hpp"

#include <utility>

namespace oracle_test {

const std::vector<ChainType>& chain_types() {
  static const std::vector<ChainType> types = [] {
    std::vector<ChainType> all;
    [&]<std::size_t... Part>(std::index_sequence<Part...>) {
      (add_part<Part>(all), ...);
    }(std::make_index_sequence<PARTS>{});
    return all;
  }();
  return types;
}

}  // namespace oracle_test
