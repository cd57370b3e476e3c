// SPDX-License-Identifier: Apache-2.0
#include "fuzz/state_run.hpp"

#include <cmath>
#include <cstring>
#include <map>

namespace fuzz {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

std::string text_of(const lc::StepResult& result) {
  return "token " + std::to_string(result.token) + ", generated " +
         std::to_string(result.generated) + ", " + lc::name_of(result.status) + ", criterion " +
         std::to_string(result.criterion) + ", entry " + std::to_string(result.entry);
}

}  // namespace

lc::host_engine& engine() {
  static lc::host_engine one;
  return one;
}

lc::HostItems PlainItems::items() const {
  lc::HostItems made;
  if (maps_scores) made.logits_row = scores_row;
  if (maps_state) made.state_row = state_row;
  return made;
}

std::int64_t PlainItems::count(std::int64_t rows) const {
  if (maps_scores) return static_cast<std::int64_t>(scores_row.size());
  return maps_state ? static_cast<std::int64_t>(state_row.size()) : rows;
}

std::pair<std::int64_t, std::int64_t> PlainItems::of(std::int64_t item) const {
  const std::int64_t from = maps_scores ? scores_row[at(item)] : item;
  const std::int64_t to = maps_state ? state_row[at(item)] : item;
  if (from < 0 || to < 0) return {-1, -1};
  return {from, to};
}

bool PlainItems::right(std::int64_t rows) const {
  if (maps_scores && maps_state && scores_row.size() != state_row.size()) return false;
  std::vector<int> named(at(ROWS), 0);
  for (std::int64_t i = 0; i < count(rows); ++i) {
    if (maps_scores && (scores_row[at(i)] < -1 || scores_row[at(i)] >= rows)) return false;
    if (maps_state && (state_row[at(i)] < -1 || state_row[at(i)] >= ROWS)) return false;
    // Without a map the item is its own row of the state, skipped or not.
    if (!maps_state && i >= ROWS) return false;
    const auto [from, to] = of(i);
    if (to < 0) continue;
    if (from >= rows || to >= ROWS || ++named[at(to)] > 1) return false;
  }
  return true;
}

StateRun::StateRun(Bytes bytes)
    : bytes_(bytes),
      rules_([&] {
        Rules rules;
        rules.match_from_prompt = !bytes_.rarely(2);
        return rules;
      }()),
      stops_(lc::stop_strings(rules_.pieces, rules_.strings)),
      shape_{ROWS, CAPACITY, VOCAB, {}},
      state_([&] {
        for (const Biases& bans : rules_.bans) {
          tables_.push_back(lc::sequence_bias(bans, VOCAB));
          views_.push_back(tables_.back().view());
        }
        if (!bytes_.rarely(4)) shape_.seed = 5;
        return lc::StepState(engine(), shape_, lc::needs(chain(), stop()));
      }()),
      plain_(rules_, shape_.seed) {}

void StateRun::run() {
  compare("the beginning");
  // Some rows there are from the start, so that few bytes do much.
  const std::vector<lc::Request> first = {
      {.row = 0, .prompt = {0, 1}, .seed = 7},
      {.row = 2, .prompt = {}, .seed = 8, .budget = 9},
      {.row = 3, .prompt = {8}, .generated = {0, 1}, .seed = 9}};
  call(
      "admit", true,
      [&] {
        lc::admit(engine(), chain(), stop(), state_, lc::host_span<const lc::Request>(first));
      },
      [&] { plain_.admit(first); });
  while (!bytes_.spent()) operate();
}

void StateRun::operate() {
  // The least and the greatest byte, which fuzzers like best, are operations that lead on.
  switch (bytes_.below(16)) {
    case 0:
    case 1:
      return admit();
    case 2:
      return import();
    case 3:
      return release();
    case 4:
      return gather();
    case 5:
      return save();
    case 6:
      return load();
    case 7:
      return load_forged();
    case 8:
    case 9:
      return change_numbers();
    case 10:
      return apply_and_draw();
    case 11:
    case 12:
      return commit();
    case 13:
      return bytes_.rarely(4) ? move() : ask();
    default:
      return step();
  }
}

void StateRun::call(const char* name, bool right, const std::function<void()>& library,
                    const std::function<void()>& after) {
  std::vector<std::vector<unsigned char>> before;
  if (!right) before = image();
  bool refused = false;
  std::string reason;
  try {
    library();
  } catch (const lc::error& error) {
    refused = true;
    reason = error.what();
  }
  if (refused == right) {
    found(std::string(name) +
          (right ? " refuses what is right: " + reason : " takes what it should refuse"));
  }
  if (refused) {
    if (image() != before) found(std::string(name) + " was refused and changed something");
  } else {
    after();
  }
  compare(name);
}

std::vector<std::vector<unsigned char>> StateRun::image() const {
  std::vector<std::vector<unsigned char>> rows(at(ROWS));
  const lc::StateView& view = state_.view();
  for (std::int64_t row = 0; row < ROWS; ++row) {
    const auto add = [&](const void* from, std::size_t count) {
      const auto* const first = static_cast<const unsigned char*>(from);
      rows[at(row)].insert(rows[at(row)].end(), first, first + count);
    };
    const lc::RowRecord& record = view.records[row];
    add(&record, sizeof record);
    if (record.status == lc::Status::released) continue;
    add(view.tokens_of(row), 4 * at(state_.total(row)));
    add(view.seen_of(row), sizeof(lc::SeenToken) * at(record.seen_size));
    add(view.seen_bits_of(row), 4 * at((VOCAB + 31) / 32));
    add(view.transform_slots_of(row), sizeof(lc::AutomatonSlot) * at(view.slot_count));
  }
  return rows;
}

void StateRun::compare(const char* name) const {
  for (std::int64_t i = 0; i < ROWS; ++i) {
    const PlainRow& plain = plain_.row(i);
    const auto differ = [&](const std::string& what) {
      found("after " + std::string(name) + " row " + std::to_string(i) + " differs in its " + what +
            " (" + lc::name_of(state_.status(i)) + ", should be " + lc::name_of(plain.status) +
            ")");
    };
    if (state_.status(i) != plain.status) differ("status");
    if (state_.active(i) != plain.active()) differ("activity");
    if (plain.status == lc::Status::released) continue;
    const auto history = state_.history(i);
    if (Ids(history.begin(), history.end()) != plain.history()) differ("history");
    if (state_.prompt_history(i).size() != static_cast<std::int64_t>(plain.prompt.size())) {
      differ("prompt");
    }
    if (state_.budget(i) != plain.budget) differ("budget");
    if (state_.seed(i) != plain.seed) differ("seed");
    if (state_.admission(i) != plain.admission) differ("admission");
    const lc::Finish finish = state_.finish(i);
    if (finish.criterion != plain.finish.criterion || finish.entry != plain.finish.entry ||
        finish.begin != plain.finish.begin) {
      differ("finish: " + std::to_string(finish.criterion) + ", " + std::to_string(finish.entry) +
             ", " + std::to_string(finish.begin));
    }
    const lc::StateView& view = state_.view();
    std::map<std::int64_t, std::int32_t> place;  // of a token in the list
    const Ids all = plain.history();
    std::vector<lc::SeenToken> wanted;
    for (std::size_t t = 0; t < all.size(); ++t) {
      if (all[t] >= VOCAB) continue;
      const auto known = place.emplace(all[t], static_cast<std::int32_t>(wanted.size()));
      if (known.second) wanted.push_back({static_cast<std::int32_t>(all[t]), 0, 0});
      lc::SeenToken& entry = wanted[at(known.first->second)];
      entry.last_position = static_cast<std::int32_t>(t);
      if (t < plain.prompt.size()) {
        entry.counts |= lc::SeenToken::IN_PROMPT;
      } else {
        ++entry.counts;
      }
    }
    if (view.records[i].seen_size != static_cast<std::int32_t>(wanted.size()) ||
        (!wanted.empty() &&
         std::memcmp(view.seen_of(i), wanted.data(), sizeof(lc::SeenToken) * wanted.size()) != 0)) {
      differ("list of distinct tokens");
    }
    for (std::int64_t token = 0; token < VOCAB; ++token) {
      const bool bit = (view.seen_bits_of(i)[token / 32] >> (token % 32)) & 1u;
      if (bit != (place.count(token) > 0)) differ("bitmap");
    }
    if (view.records[i].last_token != (plain.generated.empty() ? -1 : plain.generated.back())) {
      differ("newest token");
    }
    if (view.records[i].reserved != 0) differ("reserved number");
  }
}

lc::StepResult StateRun::result_of(std::int64_t row, std::int64_t token) const {
  const PlainRow& plain = plain_.row(row);
  lc::StepResult result;
  result.token = static_cast<std::int32_t>(token);
  result.generated = static_cast<std::int32_t>(plain.generated.size());
  result.status = plain.status;
  result.criterion = plain.finish.criterion;
  result.entry = plain.finish.entry;
  return result;
}

void StateRun::compare_results(const char* name, const std::vector<lc::StepResult>& results,
                               const std::vector<lc::StepResult>& wanted) const {
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (text_of(results[i]) != text_of(wanted[i])) {
      found(std::string(name) + " tells of item " + std::to_string(i) + ": " + text_of(results[i]) +
            "; it should: " + text_of(wanted[i]));
    }
  }
}

}  // namespace fuzz
