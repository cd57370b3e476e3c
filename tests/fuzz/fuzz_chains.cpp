// SPDX-License-Identifier: Apache-2.0
// Chains against the oracle: the bytes choose the chain, its numbers, histories, the layout and
// kind of logits and the items of each step; kept sets, bits of scores, tokens and statuses must be
// those of the oracle.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/bytes.hpp"
#include "oracle/chains/chain_type.hpp"
#include "oracle/chains/comparison.hpp"

namespace {

using namespace oracle_test;

template <std::size_t... Part>
std::vector<ChainType> chains_of(std::index_sequence<Part...>) {
  std::vector<ChainType> all;
  (add_part<Part>(all), ...);
  return all;
}

/// Some parts of the oracle's table, as CMakeLists.txt chooses them: each transform is in one.
const std::vector<ChainType>& chains() {
  static const std::vector<ChainType> all = chains_of(std::index_sequence<FUZZ_PARTS>{});
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const ChainType& type = chains()[bytes.byte() % chains().size()];
  // What the bytes do not reach is made of numbers that change with this one alone.
  const std::uint64_t otherwise = bytes.byte();
  // Rows of more than one block of the engine cost more, and are met less often.
  const std::int64_t vocab = bytes.rarely(8) ? bytes.one_of<std::int64_t>({513, 1024, 1300, 2100})
                                             : bytes.between(1, 90) * (bytes.rarely(4) ? 5 : 1);
  Tally tally;
  const std::string difference =
      compare(type, Random(otherwise, bytes.rest()),
              {.vocab = vocab, .most_rows = 3, .most_steps = 3}, Mode::bit_for_bit, tally);
  if (!difference.empty()) fuzz::found(difference);
  return 0;
}
