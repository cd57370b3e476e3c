// SPDX-License-Identifier: Apache-2.0
// A stage with its numbers as text: "TopK{k = 20}". What `explain` and `fingerprint` are written
// with.
#pragma once

#include <charconv>
#include <cstdint>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>

#include <logitchain/chain/pack.hpp>
#include <logitchain/chain/stage.hpp>
#include <logitchain/chain/visit_on_host.hpp>
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

/// FNV-1a over 64-bit numbers: tells lists and tables apart that are too long to be written.
class Digest {
 public:
  void take(std::int64_t number) {
    for (int byte = 0; byte < 8; ++byte, number >>= 8) {
      hash_ = (hash_ ^ static_cast<std::uint64_t>(number & 0xff)) * 0x100000001b3u;
    }
  }
  std::string text() const {
    char digits[17];
    const std::to_chars_result end = std::to_chars(digits, digits + sizeof(digits), hash_, 16);
    return std::string(digits, end.ptr);
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// Collects "name = value" of a stage's parameters. Numbers are written so that they read back
/// equal.
struct ParameterText {
  std::ostringstream out;
  int written = 0;

  ParameterText() { out.imbue(std::locale::classic()); }

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
    if (list.space() == Space::device) {
      to << list.size() << " ids";
    } else if (list.size() > TokenList::INLINE) {
      Digest digest;
      for (std::int64_t i = 0; i < list.size(); ++i) digest.take(list[i]);
      to << list.size() << " ids " << digest.text();
    } else {
      to << '[';
      for (std::int64_t i = 0; i < list.size(); ++i) to << (i == 0 ? "" : ", ") << list[i];
      to << ']';
    }
  }
  template <class Ref>
  void table(std::string_view name, const Ref& ref) {
    std::ostream& to = next(name);
    if (ref.is_array()) to << "one of " << ref.count();
    if (ref.is_array() && ref.space() == Space::device) return;
    Digest digest;
    for (std::int64_t i = 0; i < ref.count(); ++i) digest.take(ref.view(i).tag());
    to << (ref.is_array() ? " " : "") << digest.text();
  }
};

template <class Stage>
std::string text_of_stage(const Stage& stage) {
  ParameterText text;
  visit_on_host(stage, text);
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
