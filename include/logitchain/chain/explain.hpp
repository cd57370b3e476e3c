// SPDX-License-Identifier: Apache-2.0
// The plan of a chain for a person: its passes, what each computes and reads, and what looks wrong.
#pragma once

#include <string>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/chain/detail/parameter_text.hpp>
#include <logitchain/chain/plan.hpp>

namespace logitchain::inline v0 {

namespace detail {

inline std::string text_of_numbers(Numbers numbers) {
  std::string text;
  const auto name = [&](Numbers one, const char* word) {
    if (has(numbers, one)) text += (text.empty() ? "" : ", ") + std::string(word);
  };
  name(Numbers::maximum, "maximum");
  name(Numbers::total, "total mass");
  name(Numbers::entropy, "entropy");
  name(Numbers::deviation, "deviation");
  name(Numbers::kth, "score of a rank");
  return text;
}

inline Numbers without(Numbers numbers, Numbers others) {
  return static_cast<Numbers>(static_cast<unsigned>(numbers) & ~static_cast<unsigned>(others));
}

template <class ChainType>
std::string text_of_pass(const ChainType& chain, const Pass& pass, int number) {
  std::string maps;
  std::string end = "draw";
  bool may_collapse = false;
  const int last = pass.stage < 0 ? ChainType::SIZE : pass.stage;
  for_each_index_on_host<ChainType::SIZE>([&](auto i) {
    if (i >= pass.first_map && i < last && !ChainType::PLAN.dropped[i]) {
      maps += (maps.empty() ? "" : ", ") + text_of_stage(chain.template stage<i>());
      if (ChainType::TRAITS[i].kind == Kind::listed) maps += " (its tokens only)";
      may_collapse = may_collapse || ChainType::TRAITS[i].may_collapse;
    }
    if (i == pass.stage) end = text_of_stage(chain.template stage<i>());
  });
  std::string text =
      text_of("pass ", number, " over the ", pass.whole_row ? "whole row" : "survivors", ": ");
  if (!maps.empty()) text += maps + " | ";
  if (const Numbers fresh = without(pass.numbers, pass.shared); fresh != Numbers::none) {
    text += text_of_numbers(fresh) + " | ";
  }
  text += end;
  if (pass.shared != Numbers::none) {
    text += " (" + text_of_numbers(pass.shared) + " known from the pass before)";
  }
  if (pass.in_place) text += " (removed tokens keep their place: a later stage may revive them)";
  if (may_collapse) text += " (a temperature of 0, or one that overflows, acts as Greedy)";
  return text + "\n";
}

}  // namespace detail

/// The plan of a chain, one line a pass, then the criterion, then warnings: a ban or mask that
/// follows a filter can leave a row without any token.
template <class... Transforms, class... Rules>
std::string explain(const Chain<Transforms...>& chain, const Criterion<Rules...>& stop) {
  using ChainType = Chain<Transforms...>;
  std::string text;
  for (int i = 0; i < ChainType::PLAN.passes; ++i) {
    text += detail::text_of_pass(chain, ChainType::PLAN[i], i + 1);
  }
  detail::for_each_index_on_host<ChainType::SIZE>([&](auto i) {
    if constexpr (ChainType::PLAN.dropped[decltype(i)::value]) {
      text += "dropped: " + detail::text_of_stage(chain.template stage<i>()) +
              " (a later stage leaves the best token alone, whatever this one keeps)\n";
    }
  });
  text += "commit, then stop at: ";
  if constexpr (sizeof...(Rules) > 0) text += detail::text_of_composition(stop) + ", ";
  text += "the row's budget\n";
  int filter = -1;
  std::string filter_name;
  detail::for_each_index_on_host<ChainType::SIZE>([&](auto i) {
    constexpr StageTraits traits = ChainType::TRAITS[static_cast<std::size_t>(static_cast<int>(i))];
    const std::string name(detail::name_of_stage<typename ChainType::template Stage<i>>());
    if (traits.bans && filter >= 0) {
      text += "warning: " + name + " (position " + std::to_string(i) + ") bans tokens after " +
              filter_name + " (position " + std::to_string(filter) +
              ") has removed others; a row may be left with none. Put it in front\n";
    }
    if (traits.shrinks() && (traits.keeps_best || traits.kind == Kind::selection)) {
      filter = i;
      filter_name = name;
    }
  });
  return text;
}

}  // namespace logitchain::inline v0
