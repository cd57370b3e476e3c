// SPDX-License-Identifier: Apache-2.0
// What is measured: a chain over a vocabulary, a kind of logits, and a length of history.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// A chain of stages, in the order in which they are applied; each ends with a draw.
enum class Recipe {
  greedy,        ///< the best token
  temperature,   ///< temperature 0.7
  top_p,         ///< temperature 0.7, top-p 0.9
  typical,       ///< typical 0.9, temperature 0.7
  long_chain,    ///< llama.cpp's order: three penalties, top-k, top-p, min-p, temperature
  transformers,  ///< generate()'s order: repetition penalty, temperature, top-k, top-p, min-p
};

/// How the logits are spread; logits.hpp has the definitions.
enum class Spread { flat, typical, peaked };

/// A stage as the peers are told of it.
struct Stage {
  std::string_view name;
  double value;
};

struct Case {
  Recipe recipe;
  Spread spread;
  std::int64_t vocab;
  std::int64_t history;  ///< tokens generated before the first step

  /// "long/typical/v151936/h4096"
  std::string name() const;
};

std::string_view name_of(Recipe recipe);
std::string_view name_of(Spread spread);

/// The stages of a recipe without its draw; none for greedy.
std::vector<Stage> stages_of(Recipe recipe);

/// Every case: recipes, spreads, vocabularies and, for recipes with penalties, histories.
std::vector<Case> all_cases();

}  // namespace bench
