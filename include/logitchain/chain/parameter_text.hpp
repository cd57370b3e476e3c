// SPDX-License-Identifier: Apache-2.0
// A stage with its numbers as text: "TopK{k = 20}". What `explain` and `fingerprint` are written
// with.
#pragma once

#include <charconv>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include <logitchain/chain/pack.hpp>
#include <logitchain/chain/stage.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/token_list.hpp>

namespace logitchain::inline v0::detail {

/// The fewest digits that read back equal.
template <class Number>
std::string shortest(Number number) {
  char digits[32];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof(digits), number);
  return std::string(digits, end.ptr);
}

/// Collects "name = value" of a stage's parameters. Numbers are written so that they read back
/// equal.
struct ParameterText {
  std::ostringstream out;
  int written = 0;

  std::ostream& next(std::string_view name) {
    return out << (written++ == 0 ? "" : ", ") << name << " = ";
  }
  template <class T>
  void number(std::string_view name, const Param<T>& param, Range) {
    std::ostream& to = next(name);
    if (param.in_memory()) {
      to << (param.stride == 0 ? "read each step" : "per row");
    } else {
      to << shortest(param.value);
    }
  }
  void token_id(std::string_view name, const Param<std::int32_t>& param) {
    number(name, param, COUNT_OR_OFF);
  }
  void tokens(std::string_view name, const TokenList& list) {
    std::ostream& to = next(name);
    if (list.space() == Space::device || list.size() > TokenList::INLINE) {
      to << list.size() << " ids";
      return;
    }
    to << '[';
    for (std::int64_t i = 0; i < list.size(); ++i) to << (i == 0 ? "" : ", ") << list[i];
    to << ']';
  }
  template <class Ref>
  void table(std::string_view name, const Ref& ref) {
    std::ostream& to = next(name);
    if (ref.is_array()) {
      to << "one of " << ref.count();
    } else {
      to << std::hex << ref.view(0).tag() << std::dec;
    }
  }
};

template <class Stage>
std::string text_of_stage(const Stage& stage) {
  ParameterText text;
  visit_parameters(stage, text);
  std::string name(name_of_stage<Stage>());
  if (text.written > 0) name += "{" + text.out.str() + "}";
  return name;
}

/// "A{..}, B{..}" of a composition's stages.
template <class Composed>
std::string text_of_composition(const Composed& composed) {
  std::string text;
  for_each_index_on_host<Composed::SIZE>([&](auto i) {
    if constexpr (i > 0) text += ", ";
    text += text_of_stage(composed.template stage<i>());
  });
  return text;
}

}  // namespace logitchain::inline v0::detail
