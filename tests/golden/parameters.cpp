// SPDX-License-Identifier: Apache-2.0
#include "parameters.hpp"

#include <limits>
#include <utility>

namespace golden {

namespace lc = logitchain;

Parameters::Parameters(const Job& job, std::size_t stage, Kept& kept)
    : job_(job), stage_(job.stages->at(stage)), kept_(kept) {
  // The library takes the prompt's length from the row; a file that means another one cannot be
  // run.
  const auto length = static_cast<std::int64_t>(job.prompt->size());
  if (find("prompt_length") && integer("prompt_length") != length) {
    fail("prompt_length", "is not the length of the case's prompt, " + std::to_string(length));
  }
}

const Json* Parameters::find(const char* name) const {
  const auto found = stage_.params.find(name);
  return found == stage_.params.end() || found->is_null() ? nullptr : &*found;
}

void Parameters::fail(const char* name, const std::string& what) const {
  throw Fault(stage_.name + ": the parameter \"" + name + "\" " + what);
}

const Json& Parameters::get(const char* name) const {
  const Json* const found = find(name);
  if (!found) fail(name, "is missing");
  return *found;
}

double Parameters::number_of(const char* name, const Json& value) const {
  if (value.is_number()) return value.get<double>();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (value == "inf") return infinity;
  if (value == "-inf") return -infinity;
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  fail(name, "is not a number");
}

std::int64_t Parameters::integer_of(const char* name, const Json& value) const {
  if (!value.is_number_integer()) fail(name, "is not an integer");
  if (value.is_number_unsigned() &&
      std::cmp_greater(value.get<std::uint64_t>(), std::numeric_limits<std::int64_t>::max())) {
    fail(name, "is beyond 64 bits");
  }
  return value.get<std::int64_t>();
}

std::vector<std::int64_t> Parameters::ids_of(const char* name, const Json& value) const {
  std::vector<std::int64_t> ids;
  if (!value.is_array()) {
    ids.push_back(integer_of(name, value));
    return ids;
  }
  for (const Json& id : value) ids.push_back(integer_of(name, id));
  return ids;
}

double Parameters::number(const char* name) const { return number_of(name, get(name)); }

std::int64_t Parameters::integer(const char* name) const { return integer_of(name, get(name)); }

std::int64_t Parameters::integer(const char* name, std::int64_t otherwise) const {
  const Json* const found = find(name);
  return found ? integer_of(name, *found) : otherwise;
}

lc::TokenList Parameters::tokens(const char* name) const {
  return kept_.ids.emplace_back(ids_of(name, get(name)));
}

std::int64_t Parameters::after_prompt(const char* name) const {
  const std::int64_t count = integer(name) - static_cast<std::int64_t>(job_.prompt->size());
  return count < 0 ? -1 : count;
}

const lc::BiasTable& Parameters::biases(const char* name) const {
  const Json& list = get(name);
  if (!list.is_array()) fail(name, "is not a list of [[ids], bias]");
  std::vector<std::pair<std::vector<std::int64_t>, double>> entries;
  for (const Json& pair : list) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_array()) {
      fail(name, "is not a list of [[ids], bias]");
    }
    entries.emplace_back(ids_of(name, pair[0]), number_of(name, pair[1]));
  }
  return kept_.tables.emplace_back(lc::sequence_bias(entries, job_.vocab));
}

const lc::BiasTable& Parameters::bad_words(const char* words, const char* eos) const {
  const Json& list = get(words);
  if (!list.is_array()) fail(words, "is not a list of lists");
  std::vector<std::vector<std::int64_t>> ids;
  for (const Json& word : list) {
    if (!word.is_array()) fail(words, "is not a list of lists");
    ids.push_back(ids_of(words, word));
  }
  std::vector<std::int64_t> ends;
  if (const Json* const given = find(eos)) ends = ids_of(eos, *given);
  return kept_.tables.emplace_back(lc::bad_words(ids, ends, job_.vocab));
}

}  // namespace golden
