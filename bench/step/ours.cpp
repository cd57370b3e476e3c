// SPDX-License-Identifier: Apache-2.0
#include "ours.hpp"

namespace bench {

// One file of chains/ each: a chain is a type, and types compile side by side.
std::unique_ptr<Contender> ours_greedy(const Setup& setup);
std::unique_ptr<Contender> ours_temperature(const Setup& setup);
std::unique_ptr<Contender> ours_top_p(const Setup& setup);
std::unique_ptr<Contender> ours_typical(const Setup& setup);
std::unique_ptr<Contender> ours_long_chain(const Setup& setup);
std::unique_ptr<Contender> ours_transformers(const Setup& setup);

std::unique_ptr<Contender> make_ours(const Setup& setup) {
  switch (setup.measured.recipe) {
    case Recipe::greedy:
      return ours_greedy(setup);
    case Recipe::temperature:
      return ours_temperature(setup);
    case Recipe::top_p:
      return ours_top_p(setup);
    case Recipe::typical:
      return ours_typical(setup);
    case Recipe::long_chain:
      return ours_long_chain(setup);
    case Recipe::transformers:
      return ours_transformers(setup);
  }
  return nullptr;
}

}  // namespace bench
