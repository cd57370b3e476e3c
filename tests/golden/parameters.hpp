// SPDX-License-Identifier: Apache-2.0
// The parameters of one stage of a case, as stages.txt asks for them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <logitchain/logitchain.hpp>

#include "chain_registry.hpp"

namespace golden {

/// What stages refer to and do not own; it lives as long as the run.
struct Kept {
  std::deque<std::vector<std::int64_t>> ids;
  std::deque<logitchain::BiasTable> tables;
};

/// One stage's parameters. Every getter throws `Fault`, naming stage and parameter, for one that is
/// missing or of another type; the form with a second argument answers that where it is missing.
class Parameters {
 public:
  Parameters(const Job& job, std::size_t stage, Kept& kept);

  double number(const char* name) const;
  std::int64_t integer(const char* name) const;
  std::int64_t integer(const char* name, std::int64_t otherwise) const;
  /// A list of ids, or one id.
  logitchain::TokenList tokens(const char* name) const;
  /// A length of the history, as a count of generated tokens; -1 where the prompt is longer.
  std::int64_t after_prompt(const char* name) const;
  /// `[[ids], bias]` pairs in order.
  const logitchain::BiasTable& biases(const char* name) const;
  /// Lists of ids, and the end of sequence ids (which may be missing).
  const logitchain::BiasTable& bad_words(const char* words, const char* eos) const;

 private:
  const Json* find(const char* name) const;
  const Json& get(const char* name) const;
  [[noreturn]] void fail(const char* name, const std::string& what) const;
  double number_of(const char* name, const Json& value) const;
  std::int64_t integer_of(const char* name, const Json& value) const;
  std::vector<std::int64_t> ids_of(const char* name, const Json& value) const;

  const Job& job_;
  const Stage& stage_;
  Kept& kept_;
};

}  // namespace golden
