// SPDX-License-Identifier: Apache-2.0
// ForcedBOS: makes one token certain as the second of the whole sequence.
//
//   where the row's total is 1: z'(token) = 0, -inf elsewhere
//
// Reference: ForcedBOSTokenLogitsProcessor of Transformers 5.16.1, made for decoders that begin
// with one start token.
#pragma once

#include <cstdint>

#include <logitchain/core/concepts.hpp>
#include <logitchain/core/config.hpp>
#include <logitchain/core/kind.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/row_view.hpp>

namespace logitchain::inline v0 {

/// Forces one token where the history is one token long.
struct ForcedBOS {
  static constexpr const char* name = "ForcedBOS";
  static constexpr Kind kind = Kind::force;

  Param<std::int32_t> token = -1;  ///< an id in [0, vocab), or -1: off

  template <class Visitor>
  LOGITCHAIN_HD void parameters(Visitor& visit) const {
    visit.token_id("token", token);
  }

  LOGITCHAIN_HD bool active(const RowView& row) const {
    return row.total() == 1 && token.at(row.row()) >= 0;
  }

  struct Bound {
    std::int64_t id;
    LOGITCHAIN_HD std::int64_t size() const { return 1; }
    LOGITCHAIN_HD std::int64_t token(std::int64_t) const { return id; }
  };
  LOGITCHAIN_HD Bound bind(const RowView& row) const { return {token.at(row.row())}; }
};

static_assert(LogitsTransform<ForcedBOS>);

}  // namespace logitchain::inline v0
