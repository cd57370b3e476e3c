// SPDX-License-Identifier: Apache-2.0
// The host's checks of a stage's numbers, lists and tables; and the row's, which every engine runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <logitchain/core/config.hpp>
#include <logitchain/core/error.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/token_list.hpp>
#include <logitchain/core/types.hpp>

namespace logitchain::inline v0::detail {

/// Refuses batch-wide numbers outside of their range, empty per-row arrays and negative ids. Runs
/// when a stage enters a chain or criterion, before any state is known.
struct RefuseNumbers {
  std::string_view stage;

  template <class T>
  void number(std::string_view name, const Param<T>& param, Range range) {
    if (param.in_memory()) {
      if (param.count < 1)
        refuse(stage, text_of("the size of per_row ", name), param.count, ">= 1");
    } else if (!range.contains(static_cast<double>(param.value))) {
      refuse(stage, name, param.value, range.text());
    }
  }
  void token_id(std::string_view name, const Param<std::int32_t>& param) {
    number(name, param, COUNT_OR_OFF);
  }
  void tokens(std::string_view name, const TokenList& list) {
    if (list.space() == Space::device) return;
    for (std::int64_t i = 0; i < list.size(); ++i) {
      if (list[i] < 0) refuse(stage, text_of(name, "[", i, "]"), list[i], ">= 0");
    }
  }
  template <class Ref>
  void table(std::string_view name, const Ref& ref) {
    if (ref.count() < 1) refuse_call(stage, ": ", name, " names no table; give it one");
  }
};

/// Where a view's storage lies; a view of one's own that does not say lies on the host.
template <class View>
constexpr Space space_of(const View& view) {
  if constexpr (requires { view.space(); }) {
    return view.space();
  } else {
    return Space::host;
  }
}

/// Refuses what does not fit a state: per-row arrays too short or in another space, ids outside of
/// the vocabulary, tables of a larger vocabulary.
struct RefuseForState {
  std::string_view stage;
  Space space;
  std::int64_t rows;
  std::int64_t vocab;
  bool with_lists;  ///< ids and tables too: their cost grows with their size

  template <class T>
  void number(std::string_view name, const Param<T>& param, Range) {
    if (!param.in_memory()) return;
    if (param.space != space) {
      refuse_call(stage, ": per-row ", name, " lies in ",
                  param.space == Space::host ? "host" : "device", " memory; this engine reads ",
                  space == Space::host ? "host" : "device", " memory");
    }
    const std::int64_t wanted = param.stride == 0 ? 1 : rows;
    if (param.count < wanted) {
      refuse(stage, text_of("the size of per_row ", name), param.count,
             text_of("at least ", wanted, ", the state's rows"));
    }
  }
  void token_id(std::string_view name, const Param<std::int32_t>& param) {
    number(name, param, COUNT_OR_OFF);
    if (!param.in_memory() && param.value >= vocab) {
      refuse(stage, name, param.value, text_of("-1 or in [0, ", vocab, ")"));
    }
  }
  void tokens(std::string_view name, const TokenList& list) {
    if (list.is_view() && list.space() != space) {
      refuse_call(stage, ": the list ", name, " lies in the other memory space");
    }
    if (!with_lists || list.space() == Space::device) return;
    for (std::int64_t i = 0; i < list.size(); ++i) {
      if (list[i] < 0 || list[i] >= vocab) {
        refuse(stage, text_of(name, "[", i, "]"), list[i], text_of("in [0, ", vocab, ")"));
      }
    }
  }
  template <class Ref>
  void table(std::string_view name, const Ref& ref) {
    number("table index", ref.index(), FINITE);
    const bool reachable = !ref.is_array() || ref.space() == Space::host;
    const Space storage = reachable && ref.count() > 0 ? space_of(ref.view(0)) : space;
    if ((ref.is_array() && ref.space() != space) || storage != space) {
      refuse_call(
          stage, ": ", name, " lies in the other memory space; this engine reads ",
          space == Space::host ? "host memory" : "device memory, where `upload` puts tables");
    }
    if (!with_lists || ref.space() == Space::device) return;
    for (std::int64_t i = 0; i < ref.count(); ++i) {
      if (ref.view(i).vocab() > vocab) {
        refuse(stage, text_of("the vocabulary of ", name), ref.view(i).vocab(),
               text_of("at most ", vocab, ", the state's"));
      }
    }
  }
};

/// Looks at one row's numbers: what lies in memory cannot be refused beforehand.
struct RowCheck {
  std::int64_t row;
  Status status = Status::ok;

  template <class T>
  LOGITCHAIN_HD void number(const char*, const Param<T>& param, Range range) {
    if (param.in_memory() && !range.contains(static_cast<double>(param.at(row)))) {
      status = Status::invalid_parameter;
    }
  }
  LOGITCHAIN_HD void token_id(const char* name, const Param<std::int32_t>& param) {
    number(name, param, COUNT_OR_OFF);
  }
  LOGITCHAIN_HD void tokens(const char*, const TokenList&) {}
  template <class Ref>
  LOGITCHAIN_HD void table(const char*, const Ref& ref) {
    if (!ref.valid(row)) status = Status::invalid_table;
  }
};

}  // namespace logitchain::inline v0::detail
