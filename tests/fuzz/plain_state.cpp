// SPDX-License-Identifier: Apache-2.0
#include "fuzz/plain_state.hpp"

#include <cmath>
#include <cstddef>

#include <logitchain/state/admission.hpp>

namespace fuzz {

namespace {
constexpr std::int64_t MOST = 2147483647;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
}  // namespace

Rules::Rules() {
  const double ban = -HUGE_VAL;
  bans = {{{{3}, ban}, {{1, 2}, ban}, {{0, 1, 0}, ban}}, {{{5, 5}, ban}, {{4}, ban}}};
}

bool PlainState::may_admit(const std::vector<lc::Request>& requests) const {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const lc::Request& request = requests[i];
    if (request.row < 0 || request.row >= ROWS) return false;
    for (const lc::TokenIds* const ids : {&request.prompt, &request.generated}) {
      for (const std::int64_t id : *ids) {
        if (id < 0 || id > MOST) return false;
      }
    }
    if (request.prompt.size() + request.generated.size() > CAPACITY) return false;
    if (request.budget &&
        (*request.budget < 0 || *request.budget > CAPACITY - request.prompt.size())) {
      return false;
    }
    if (!request.seed && !seed_) return false;
    if (row(request.row).active() || !rules_.names_a_table(request.row)) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (requests[j].row == request.row) return false;
    }
  }
  return true;
}

void PlainState::admit(const std::vector<lc::Request>& requests) {
  for (const lc::Request& request : requests) {
    PlainRow& begun = row(request.row);
    begun = PlainRow{};
    begun.prompt.assign(request.prompt.begin(), request.prompt.end());
    begun.generated.assign(request.generated.begin(), request.generated.end());
    begun.budget = request.budget.value_or(CAPACITY - request.prompt.size());
    begun.admission = admissions++;
    begun.seed =
        request.seed ? *request.seed : lc::draw_number(*seed_, begun.admission, lc::PURPOSE_SEED);
    begun.table = rules_.tables[at(request.row)];
    begun.status = lc::Status::ok;
    if (static_cast<std::int64_t>(begun.generated.size()) >= begun.budget) {
      begun.status = lc::Status::finished;
      begun.finish = {lc::BUDGET_SPENT, -1, 0};
    }
  }
}

bool PlainState::chain_is_right(std::int64_t i) {
  const float penalty = rules_.penalties[at(i)];
  const float temperature = rules_.temperatures[at(i)];
  if (!(penalty > 0 && std::isfinite(penalty))) {
    end(i, lc::Status::invalid_parameter);
  } else if (!rules_.names_a_table(i) ||
             (rules_.tables[at(i)] >= 0 && rules_.tables[at(i)] != row(i).table)) {
    end(i, lc::Status::invalid_table);
  } else if (!(temperature >= 0 && std::isfinite(temperature))) {
    end(i, lc::Status::invalid_parameter);
  }
  return row(i).active();
}

bool PlainState::stop_is_right(std::int64_t i) {
  if (rules_.counts[at(i)] < 0) end(i, lc::Status::invalid_parameter);
  return row(i).active();
}

std::int64_t PlainState::draw(std::int64_t i, const PlainScores& scores) {
  if (scores.not_a_number >= 0 || scores.token < 0) {
    end(i, lc::Status::undefined_distribution);
    return -1;
  }
  return scores.token;
}

std::int64_t PlainState::transform(std::int64_t i, const PlainScores& scores) {
  if (!chain_is_right(i)) return -1;
  PlainScores left = scores;
  if (rules_.tables[at(i)] >= 0) {
    for (const auto& [token, bias] :
         biases_of(rules_.bans[at(rules_.tables[at(i)])], row(i).history())) {
      if (token == left.token) left.token = -1;
      if (token == left.not_a_number) left.not_a_number = -1;
    }
  }
  return draw(i, left);
}

void PlainState::commit(std::int64_t i, std::int64_t token) {
  PlainRow& own = row(i);
  own.generated.push_back(token);
  own.table = rules_.tables[at(i)];
  const auto generated = static_cast<std::int64_t>(own.generated.size());
  const auto finish = [&](std::int16_t criterion, std::int32_t entry, std::int64_t begin) {
    own.status = lc::Status::finished;
    own.finish = {criterion, entry, begin};
  };
  const Stop stop =
      stop_of(rules_.pieces, rules_.strings, rules_.match_from_prompt, own.prompt, own.generated);
  if (stop.entry >= 0) return finish(0, stop.entry, stop.begin);
  for (std::size_t entry = 0; entry < rules_.eos.size(); ++entry) {
    if (token == rules_.eos[entry]) return finish(1, static_cast<std::int32_t>(entry), 0);
  }
  if (rules_.counts[at(i)] > 0 && generated >= rules_.counts[at(i)]) return finish(2, 0, 0);
  if (generated >= own.budget) finish(lc::BUDGET_SPENT, -1, 0);
}

}  // namespace fuzz
