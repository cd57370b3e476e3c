// SPDX-License-Identifier: Apache-2.0
// EndOfSequence: ends a row that generated one of the end-of-sequence ids.
//
//   stop  <=>  the newest token is one of `eos`; the entry is its place in the list
//
// Reference: EosTokenCriteria of Transformers 5.16.1.
#pragma once

#include <cstdint>

#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/core/token_list.hpp>
#include <logitchain/core/types.hpp>

namespace logitchain::inline v0 {

/// Finishes a row that generated one of the EOS ids.
struct EndOfSequence {
  static constexpr const char* name = "EndOfSequence";

  TokenList eos{};  ///< ids in [0, vocab)

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.tokens("eos", eos);
  }

  LOGITCHAIN_HD Fired operator()(const RowView&, std::int32_t token) const {
    return {static_cast<std::int32_t>(eos.find(token)), 0};
  }
};

static_assert(Stopping<EndOfSequence>);

}  // namespace logitchain::inline v0
