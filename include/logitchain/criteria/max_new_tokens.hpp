// SPDX-License-Identifier: Apache-2.0
// MaxNewTokens: ends a row by the number of tokens it has generated.
//
//   stop  <=>  generated >= count
//
// Reference: MaxLengthCriteria of Transformers 5.16.1 of prompt length + count, as Transformers'
// generate makes it.
#pragma once

#include <cstdint>

#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/row_view.hpp>

namespace logitchain::inline v0 {

/// Finishes a row once it has generated a number of tokens.
struct MaxNewTokens {
  static constexpr const char* name = "MaxNewTokens";

  Param<std::int32_t> count = 0;  ///< generated tokens; 0 is off

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("count", count, COUNT);
  }

  LOGITCHAIN_HD bool operator()(const RowView& row, std::int32_t) const {
    const std::int64_t most = count.at(row.row());
    return most != 0 && row.generated() >= most;
  }
};

static_assert(Stopping<MaxNewTokens>);

}  // namespace logitchain::inline v0
