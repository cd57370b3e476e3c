// SPDX-License-Identifier: Apache-2.0
// MaxLength: ends a row by the length of prompt and generated tokens together.
//
//   stop  <=>  total >= length
//
// Reference: MaxLengthCriteria of Transformers 5.16.1; the total is of the row's own tokens,
// without padding.
#pragma once

#include <cstdint>

#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/row_view.hpp>

namespace logitchain::inline v0 {

/// Finishes a row once prompt and generated tokens reach a length.
struct MaxLength {
  static constexpr const char* name = "MaxLength";

  Param<std::int32_t> length = 0;  ///< tokens of prompt and generated together; 0 is off

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.number("length", length, COUNT);
  }

  LOGITCHAIN_HD bool operator()(const RowView& row, std::int32_t) const {
    const std::int64_t most = length.at(row.row());
    return most != 0 && row.total() >= most;
  }
};

static_assert(Stopping<MaxLength>);

}  // namespace logitchain::inline v0
