// SPDX-License-Identifier: Apache-2.0
#include "summary.hpp"

#include <algorithm>
#include <cstdio>

#include "row_text.hpp"

namespace generate {
namespace {

using Json = nlohmann::ordered_json;

std::string with_digits(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string in_words(const Ending& ending) {
  if (ending.reason.empty()) return "refused: " + ending.status;
  std::string words = ending.reason;
  if (ending.entry >= 0) {
    words += ' ' + std::to_string(ending.entry) + ' ' + quoted(ending.entry_text, 40);
  }
  if (ending.begin >= 0) words += " at byte " + std::to_string(ending.begin);
  return words;
}

Json json_of(const RowSummary& row, std::size_t number) {
  const Ending& ending = row.ending;
  Json finish{{"status", ending.status}, {"words", in_words(ending)}};
  finish["reason"] = ending.reason.empty() ? Json() : Json(ending.reason);
  finish["entry"] = ending.entry < 0 ? Json() : Json(ending.entry);
  finish["entry_text"] = ending.entry < 0 ? Json() : Json(as_utf8(ending.entry_text));
  finish["begin"] = ending.begin < 0 ? Json() : Json(ending.begin);
  Json json;
  json["row"] = number;
  json["prompt"] = as_utf8(row.prompt);
  json["prompt_tokens"] = row.prompt_tokens;
  json["seed"] = row.seed;
  json["text"] = row.text;
  json["tokens"] = row.tokens;
  json["finish"] = std::move(finish);
  json["steps"] = row.times.steps;
  json["library_ms_per_step"] = row.times.library_ms_per_step();
  json["model_ms_per_step"] = row.times.model_ms_per_step();
  return json;
}

}  // namespace

std::string quoted(const std::string& text, std::size_t most) {
  std::string part = text;
  if (part.size() > most) {
    part.resize(most);
    part.resize(most - incomplete_tail(part));
    part += "...";
  }
  return Json(as_utf8(part)).dump();
}

bool all_finished(const Summary& summary) {
  return std::all_of(summary.rows.begin(), summary.rows.end(),
                     [](const RowSummary& row) { return !row.ending.reason.empty(); });
}

void write_json(std::ostream& out, const Summary& summary) {
  Json json;
  json["model"] = summary.model;
  json["engine"] = summary.engine;
  json["threads"] = summary.threads;
  json["order"] = summary.order;
  json["chain"] = summary.chain;
  json["plan"] = summary.plan;
  json["fingerprint"] = summary.fingerprint;
  json["rows"] = Json::array();
  for (std::size_t i = 0; i < summary.rows.size(); ++i) {
    json["rows"].push_back(json_of(summary.rows[i], i));
  }
  json["timings"] = {{"prompts_ms", summary.prompt_ms},
                     {"steps", summary.times.steps},
                     {"library_ms_per_step", summary.times.library_ms_per_step()},
                     {"model_ms_per_step", summary.times.model_ms_per_step()}};
  out << json.dump(2) << '\n';
}

void write_text(std::ostream& out, const Summary& summary) {
  const auto times = [](const Times& taken) {
    return "library " + with_digits(taken.library_ms_per_step(), 2) + " ms, model " +
           with_digits(taken.model_ms_per_step(), 2) + " ms";
  };
  std::int64_t prompt_tokens = 0;
  std::size_t tokens = 0;
  for (std::size_t i = 0; i < summary.rows.size(); ++i) {
    const RowSummary& row = summary.rows[i];
    prompt_tokens += row.prompt_tokens;
    tokens += row.tokens.size();
    out << "row " << i << ": " << in_words(row.ending) << "; " << row.tokens.size()
        << " tokens after " << quoted(row.prompt, 32) << "; per step: " << times(row.times) << '\n';
  }
  out << "all: " << prompt_tokens << " prompt tokens in " << with_digits(summary.prompt_ms, 0)
      << " ms; " << tokens << " tokens in " << summary.times.steps
      << " steps of all rows still running; per step: " << times(summary.times);
  const double both = summary.times.library_ms + summary.times.model_ms;
  if (both > 0) {
    out << "; the library's share " << with_digits(100 * summary.times.library_ms / both, 1)
        << " %";
  }
  out << '\n';
}

}  // namespace generate
