// SPDX-License-Identifier: Apache-2.0
#include "stopping.hpp"

#include <algorithm>
#include <sstream>

#include "scripts.hpp"

namespace golden {
namespace {

namespace lc = logitchain;

using Answer = std::optional<std::string>;

Script script_of(const Json& line, std::int64_t vocab) {
  Script script;
  script.vocab = vocab;
  script.tokens = line.at("tokens").get<std::vector<std::int32_t>>();
  script.prompt = line.at("prompt_len").get<std::int64_t>();
  if (script.prompt < 0 || script.prompt > script.size()) {
    throw Fault("\"prompt_len\" is not in [0, the number of tokens]");
  }
  return script;
}

std::string flags_of(const Json& line, const char* name, const Script& script) {
  const std::string flags = line.at(name);
  if (flags.size() != script.tokens.size()) {
    throw Fault(std::string("\"") + name + "\" has not one character per token");
  }
  return flags;
}

std::string at_token(const std::string& what, std::int64_t token, bool expected) {
  return what + ": token " + std::to_string(token) + ": expected " +
         (expected ? "a stop, got none" : "no stop, got one");
}

// Real rows: one token at a time, three, and all at once end where the first stop is.
template <class Stop>
Answer course_fault(const std::string& what, const Script& script, const Stop& stop,
                    const std::string& flags, const std::vector<Ending>& each) {
  const auto first = flags.find('1', static_cast<std::size_t>(script.prompt));
  Course expected{script.size() - script.prompt, {}};
  if (first != std::string::npos) {
    expected = {static_cast<std::int64_t>(first) + 1 - script.prompt, each[first]};
  }
  for (const std::int64_t count : {std::int64_t{1}, std::int64_t{3}, script.size()}) {
    const Course got = run_script(script, stop, count);
    if (got == expected) continue;
    std::ostringstream text;
    text << what << ": committed " << count << " at a time: expected " << expected.taken
         << " tokens taken and criterion " << expected.ending.finish.criterion << ", got "
         << got.taken << " and " << got.ending.finish.criterion;
    return text.str();
  }
  return {};
}

// The criteria of a line, joined by +; a part that is not named is off.
struct Rules {
  std::vector<std::int64_t> eos;
  std::int64_t max_length = 0;
  std::int64_t max_new_tokens = 0;
  bool no_new_tokens = false;  // MaxNewTokens of 0: here that is the row's budget
};

Rules rules_of(const Json& line) {
  Rules rules;
  const Json& params = line.at("params");
  std::istringstream names(line.at("criteria").get<std::string>());
  for (std::string name; std::getline(names, name, '+');) {
    if (name == "Eos") {
      const Json& eos = params.at("eos_token_id");
      rules.eos = eos.is_array() ? eos.get<std::vector<std::int64_t>>()
                                 : std::vector<std::int64_t>{eos.get<std::int64_t>()};
    } else if (name == "MaxLength") {
      // 0 is off in the library. No sequence is empty, so 1 says what 0 says in the reference.
      rules.max_length = std::max(params.at("max_length").get<std::int64_t>(), std::int64_t{1});
    } else if (name == "MaxNewTokens") {
      rules.max_new_tokens = params.at("max_new_tokens").get<std::int64_t>();
      rules.no_new_tokens = rules.max_new_tokens == 0;
    } else {
      throw Fault("unknown criterion " + name + "; known are Eos, MaxLength, MaxNewTokens");
    }
  }
  return rules;
}

auto criterion_of(const Rules& rules) {
  return lc::criterion(lc::EndOfSequence{rules.eos}, lc::MaxLength{rules.max_length},
                       lc::MaxNewTokens{rules.max_new_tokens});
}

// A row that may generate nothing ends when it begins, whatever it resumes with.
bool ends_without_budget(const Script& script, std::int64_t generated) {
  lc::host_engine engine({.threads = 1});
  const auto chain = lc::chain();
  const auto stop = lc::criterion();
  lc::StepState state(engine, {.rows = 1, .capacity = script.size() + 2, .vocab = script.vocab},
                      lc::needs(chain, stop));
  std::vector<lc::Request> requests{
      {.row = 0,
       .prompt = script.part(0, script.prompt),
       .generated = script.part(script.prompt, script.prompt + generated),
       .seed = 0,
       .budget = 0}};
  lc::admit(engine, chain, stop, state, requests);
  return !state.active(0) && state.finish(0).criterion == lc::BUDGET_SPENT;
}

Answer reason_fault(const Rules& rules, const Script& script, std::int64_t token,
                    const lc::Finish& finish) {
  if (finish.criterion != 0) return {};
  const auto entry = static_cast<std::size_t>(finish.entry);
  if (finish.entry >= 0 && entry < rules.eos.size() &&
      rules.eos[entry] == script.tokens[static_cast<std::size_t>(token)]) {
    return {};
  }
  return "token " + std::to_string(token) + ": Eos names entry " + std::to_string(finish.entry) +
         ", which is another id";
}

// The first match of a plain search that ends inside of the newest token: by its end, then by its
// number.
struct Match {
  std::int32_t entry = -1;
  std::int64_t begin = 0;  // bytes behind `origin`
};

Match search(const std::vector<std::string>& strings, const std::string& text, std::size_t before,
             std::size_t earliest, std::size_t origin) {
  for (std::size_t end = before + 1; end <= text.size(); ++end) {
    for (std::size_t i = 0; i < strings.size(); ++i) {
      const std::size_t length = strings[i].size();
      if (end < earliest + length || text.compare(end - length, length, strings[i]) != 0) continue;
      return {static_cast<std::int32_t>(i),
              static_cast<std::int64_t>(end - length) - static_cast<std::int64_t>(origin)};
    }
  }
  return {};
}

Answer matches_fault(const Json& line, const Pieces& pieces, const Script& script,
                     const std::string& flags, bool from_prompt) {
  const std::string what = from_prompt ? "done" : "done_generated_only";
  const auto strings = line.at("stop_strings").get<std::vector<std::string>>();
  const lc::StopTable table = lc::stop_strings(pieces, strings);
  const auto stop = lc::criterion(lc::StopStrings{table, from_prompt});
  const std::vector<Ending> each = ask_each(script, stop);
  std::string text;
  std::size_t prompt_bytes = 0;
  for (std::int64_t i = 0; i < script.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::size_t before = text.size();
    if (i <= script.prompt) prompt_bytes = before;
    text += pieces.at(static_cast<std::size_t>(script.tokens[at]));
    if (flags[at] == '.') continue;
    const bool expected = flags[at] == '1';
    const Match match = search(strings, text, before, from_prompt ? 0 : prompt_bytes, prompt_bytes);
    if (each[at].ended != expected) {
      return at_token(what, i, expected) +
             (match.entry >= 0 ? "; the bytes have a match" : "; the bytes have no match");
    }
    if (!expected) continue;
    const lc::Finish& finish = each[at].finish;
    if (finish.entry != match.entry || finish.begin != match.begin) {
      std::ostringstream fault;
      fault << what << ": token " << i << ": expected string " << match.entry << " from byte "
            << match.begin << ", got " << finish.entry << " from byte " << finish.begin;
      return fault.str();
    }
  }
  return course_fault(what, script, stop, flags, each);
}

}  // namespace

Answer simple_stop_fault(const Json& line) {
  const Script script = script_of(line, line.at("vocab").get<std::int64_t>());
  const std::string flags = flags_of(line, "done", script);
  const Rules rules = rules_of(line);
  // A token of the prompt is asked about as the last of a shorter sequence; it is not generated.
  Rules in_prompt = rules;
  in_prompt.max_new_tokens = 0;
  const auto before = ask_each(script, criterion_of(in_prompt));
  const auto behind = ask_each(script, criterion_of(rules));
  for (std::int64_t i = 0; i < script.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Ending& ending = i < script.prompt ? before[at] : behind[at];
    bool stops = ending.ended;
    if (rules.no_new_tokens && i + 1 >= script.prompt) {
      stops = stops || ends_without_budget(script, i + 1 - script.prompt);
    }
    if (stops != (flags[at] == '1')) return at_token("done", i, flags[at] == '1');
    if (!ending.ended) continue;
    if (auto fault = reason_fault(rules, script, i, ending.finish)) return fault;
  }
  if (rules.no_new_tokens) return {};
  return course_fault("done", script, criterion_of(rules), flags, behind);
}

Answer stop_string_fault(const Json& line, const Pieces& pieces) {
  const Script script = script_of(line, static_cast<std::int64_t>(pieces.size()));
  const std::string done = flags_of(line, "done", script);
  if (auto fault = matches_fault(line, pieces, script, done, true)) return fault;
  if (!line.contains("done_generated_only")) return {};
  const std::string generated = flags_of(line, "done_generated_only", script);
  return matches_fault(line, pieces, script, generated, false);
}

}  // namespace golden
