// SPDX-License-Identifier: Apache-2.0
#include "case.hpp"

#include "numbers.hpp"

namespace bench {

std::string_view name_of(Recipe recipe) {
  switch (recipe) {
    case Recipe::greedy:
      return "greedy";
    case Recipe::temperature:
      return "temperature";
    case Recipe::top_p:
      return "top_p";
    case Recipe::typical:
      return "typical";
    case Recipe::long_chain:
      return "long";
    case Recipe::transformers:
      return "transformers";
  }
  return "?";
}

std::string_view name_of(Spread spread) {
  switch (spread) {
    case Spread::flat:
      return "flat";
    case Spread::typical:
      return "typical";
    case Spread::peaked:
      return "peaked";
  }
  return "?";
}

std::string Case::name() const {
  std::string text(name_of(recipe));
  text += '/';
  text += name_of(spread);
  return text + "/v" + std::to_string(vocab) + "/h" + std::to_string(history);
}

std::vector<Stage> stages_of(Recipe recipe) {
  const Stage temperature{"temperature", TEMPERATURE};
  switch (recipe) {
    case Recipe::greedy:
      return {};
    case Recipe::temperature:
      return {temperature};
    case Recipe::top_p:
      return {temperature, {"top_p", TOP_P}};
    case Recipe::typical:
      return {{"typical", TYPICAL}, temperature};
    case Recipe::long_chain:
      return {{"repetition", REPETITION},
              {"frequency", FREQUENCY},
              {"presence", PRESENCE},
              {"top_k", TOP_K},
              {"top_p", NARROW_TOP_P},
              {"min_p", MIN_P},
              temperature};
    case Recipe::transformers:
      return {{"repetition", REPETITION},
              temperature,
              {"top_k", TOP_K},
              {"top_p", NARROW_TOP_P},
              {"min_p", MIN_P}};
  }
  return {};
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const std::int64_t vocab : {151936, 32000, 128256, 262144}) {
    for (const Recipe recipe : {Recipe::greedy, Recipe::temperature, Recipe::long_chain,
                                Recipe::top_p, Recipe::typical, Recipe::transformers}) {
      const bool penalties = recipe == Recipe::long_chain || recipe == Recipe::transformers;
      for (const Spread spread : {Spread::flat, Spread::typical, Spread::peaked}) {
        cases.push_back({recipe, spread, vocab, 0});
        if (penalties) cases.push_back({recipe, spread, vocab, 4096});
      }
    }
  }
  return cases;
}

}  // namespace bench
