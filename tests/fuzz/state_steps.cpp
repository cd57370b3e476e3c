// SPDX-License-Identifier: Apache-2.0
// Operations that move rows on: numbers that change, steps and their parts, commits, questions.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fuzz/state_run.hpp"

namespace fuzz {

namespace {

constexpr float NOT_A_NUMBER = std::numeric_limits<float>::quiet_NaN();

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

void StateRun::change_numbers() {
  const std::size_t row = at(bytes_.below(ROWS));
  switch (bytes_.below(4)) {
    case 0:
      rules_.penalties[row] =
          bytes_.one_of<float>({1, 2, 0.5f, 1, 2, 0.5f, 1, 0, -1, NOT_A_NUMBER});
      break;
    case 1:
      rules_.tables[row] = bytes_.one_of<std::int32_t>({0, 1, -1, 0, 1, 0, 2, -2, 2147483647});
      break;
    case 2:
      rules_.temperatures[row] =
          bytes_.one_of<float>({1, 0.5f, 0, 2, 1e-45f, 1, 1, -1, NOT_A_NUMBER, HUGE_VALF});
      break;
    default:
      rules_.counts[row] = bytes_.one_of<std::int32_t>({0, 1, 3, 5, 0, 0, 12, -1, 2147483647});
  }
}

PlainItems StateRun::items() {
  PlainItems made;
  made.maps_scores = bytes_.rarely(3);
  made.maps_state = bytes_.rarely(2);
  const std::int64_t count = bytes_.below(ROWS + 2);
  const bool permuted = !bytes_.rarely(8);  // then no row is named twice
  std::int64_t next = bytes_.below(ROWS);
  for (std::int64_t i = 0; i < count; ++i) {
    made.scores_row.push_back(static_cast<std::int32_t>(
        bytes_.rarely(30) ? bytes_.one_of<std::int64_t>({-1, -2, 7}) : bytes_.below(ROWS)));
    std::int64_t row = permuted ? next++ % ROWS : bytes_.below(ROWS);
    if (bytes_.rarely(12)) row = bytes_.one_of<std::int64_t>({-1, -1, -1, -2, ROWS});
    made.state_row.push_back(static_cast<std::int32_t>(row));
  }
  if (bytes_.rarely(40) && !made.state_row.empty()) made.state_row.pop_back();
  return made;
}

std::vector<PlainScores> StateRun::scores(std::int64_t rows, std::vector<float>& memory,
                                          std::int64_t width, std::int64_t stride) {
  std::vector<PlainScores> made;
  memory.assign(at((rows > 0 ? rows - 1 : 0) * stride + width), NOT_A_NUMBER);
  for (std::int64_t row = 0; row < rows; ++row) {
    PlainScores own;
    float* const to = memory.data() + row * stride;
    for (std::int64_t i = 0; i < VOCAB; ++i) to[i] = -HUGE_VALF;
    if (!bytes_.rarely(16)) own.token = token();
    if (own.token >= 0) to[own.token] = bytes_.one_of<float>({1, -3.5f, 0, 250});
    if (bytes_.rarely(12)) own.not_a_number = token();
    if (own.not_a_number >= 0) to[own.not_a_number] = NOT_A_NUMBER;
    if (own.not_a_number == own.token) own.token = -1;
    made.push_back(own);
  }
  return made;
}

void StateRun::step() {
  const std::int64_t rows = bytes_.rarely(8) ? bytes_.between(0, ROWS + 1) : ROWS;
  const std::int64_t width = bytes_.rarely(30) ? VOCAB - 1 : VOCAB + bytes_.below(3);
  std::vector<float> memory;
  const std::vector<PlainScores> given =
      scores(rows, memory, std::max(width, VOCAB), std::max(width, VOCAB));
  const PlainItems chosen = items();
  const std::int64_t count = chosen.count(rows);
  const bool short_of_room = bytes_.rarely(40) && count > 0;
  std::vector<std::int32_t> tokens(at(count - (short_of_room ? 1 : 0)), -7);
  std::vector<lc::StepResult> results(at(count));
  // Empty spans ask for nothing, so a span of no tokens is no span that is too short.
  const bool right =
      width >= VOCAB && chosen.right(rows) && (!short_of_room || tokens.data() == nullptr);
  call(
      "step", right,
      [&] {
        lc::step(engine(), chain(), stop(), state_,
                 lc::host_logits(memory.data(), rows, width, std::max(width, VOCAB)),
                 {.tokens = tokens, .results = results, .items = chosen.items()});
      },
      [&] {
        std::vector<lc::StepResult> wanted(at(count));
        for (std::int64_t i = 0; i < count; ++i) {
          const auto [from, to] = chosen.of(i);
          if (to < 0) continue;
          std::int64_t drawn = -1;
          if (plain_.row(to).active()) {
            drawn = plain_.transform(to, given[at(from)]);
            if (drawn >= 0 && !plain_.stop_is_right(to)) drawn = -1;
            if (drawn >= 0) plain_.commit(to, drawn);
          }
          wanted[at(i)] = result_of(to, drawn);
          if (!short_of_room && tokens[at(i)] != drawn) found("step writes another token");
        }
        compare_results("step", results, wanted);
      });
}

void StateRun::apply_and_draw() {
  std::vector<float> memory;
  const std::vector<PlainScores> given = scores(ROWS, memory, VOCAB, VOCAB);
  const PlainItems chosen = items();
  const std::int64_t count = chosen.count(ROWS);
  std::vector<float> out(at(count * VOCAB), 77.0f);
  std::vector<std::int64_t> drawn(at(count), -9);
  std::vector<PlainScores> left(at(count));
  call(
      "apply", chosen.right(ROWS),
      [&] {
        lc::apply(engine(), chain(), state_, lc::host_logits(memory.data(), ROWS, VOCAB),
                  lc::host_scores(out.data(), count, VOCAB), chosen.items());
      },
      [&] {
        for (std::int64_t i = 0; i < count; ++i) {
          const auto [from, to] = chosen.of(i);
          if (to < 0 || !plain_.row(to).active()) continue;
          // A row without a distribution passes the chain; only what is drawn from it is refused.
          PlainRow kept = plain_.row(to);
          left[at(i)] = given[at(from)];
          plain_.transform(to, left[at(i)]);
          if (plain_.row(to).status == lc::Status::undefined_distribution) plain_.row(to) = kept;
        }
      });
  std::vector<std::int32_t> places(at(ROWS), -1);
  for (std::int64_t i = 0; i < ROWS; ++i)
    places[at(i)] = bytes_.rarely(8) ? -1 : static_cast<std::int32_t>(i);
  std::vector<std::int64_t> tokens(at(ROWS), -9);
  call(
      "draw", true,
      [&] {
        lc::draw(engine(), state_, lc::host_logits(memory.data(), ROWS, VOCAB), tokens,
                 {.state_row = places});
      },
      [&] {
        for (std::int64_t i = 0; i < ROWS; ++i) {
          std::int64_t wanted = -1;
          if (places[at(i)] >= 0 && plain_.row(i).active()) {
            wanted = plain_.draw(i, given[at(i)]);
          }
          if (tokens[at(i)] != wanted) found("draw writes another token");
        }
      });
}

void StateRun::commit() {
  const std::int64_t each =
      bytes_.rarely(30) ? bytes_.one_of<std::int64_t>({-1, 0}) : bytes_.between(1, 3);
  const std::int64_t rows = bytes_.rarely(8) ? bytes_.between(0, ROWS + 1) : ROWS;
  const std::int64_t wide = each < 1 ? 1 : each;
  std::vector<std::int64_t> tokens;
  for (std::int64_t i = 0; i < rows * wide; ++i) {
    std::int64_t id = bytes_.rarely(6) ? -1 : token();
    if (bytes_.rarely(60))
      id = bytes_.one_of<std::int64_t>({VOCAB, -2, (std::int64_t{1} << 32) + 1});
    tokens.push_back(id);
  }
  const bool ragged = each > 1 && bytes_.rarely(40) && !tokens.empty();
  if (ragged) tokens.pop_back();
  const bool counted = each > 0 && bytes_.rarely(2);
  std::vector<std::int32_t> counts;
  for (std::int64_t i = 0; i < rows; ++i) {
    counts.push_back(static_cast<std::int32_t>(
        bytes_.rarely(40) ? bytes_.one_of<std::int64_t>({-1, wide + 1}) : bytes_.between(0, wide)));
  }
  const PlainItems chosen = items();
  const std::int64_t count = chosen.count(rows);
  bool right = each >= 0 && !ragged && chosen.right(rows);
  for (std::int64_t i = 0; right && i < count; ++i) {
    // The row of tokens is looked at unless the item is skipped.
    const std::int64_t from = chosen.of(i).first;
    if (from < 0) continue;
    const std::int64_t taken = counted ? counts[at(from)] : wide;
    right = taken >= 0 && taken <= wide;
    for (std::int64_t j = 0; right && j < taken; ++j) {
      const std::int64_t id = tokens[at(from * wide + j)];
      right = id >= -1 && id < VOCAB;
    }
  }
  std::vector<lc::StepResult> results(at(ragged ? ROWS + 2 : count));
  lc::HostCommit options;
  if (counted) options.counts = counts;
  options.results = results;
  options.items = chosen.items();
  options.each = each;
  call(
      "commit", right, [&] { lc::commit(engine(), chain(), stop(), state_, tokens, options); },
      [&] {
        std::vector<lc::StepResult> wanted(at(count));
        for (std::int64_t i = 0; i < count; ++i) {
          const auto [from, to] = chosen.of(i);
          if (to < 0) continue;
          std::int64_t last = -1;
          if (plain_.row(to).active() && plain_.chain_is_right(to)) plain_.stop_is_right(to);
          const std::int64_t taken = counted ? counts[at(from)] : wide;
          for (std::int64_t j = 0; j < taken && plain_.row(to).active(); ++j) {
            const std::int64_t id = tokens[at(from * wide + j)];
            if (id < 0) continue;
            plain_.commit(to, id);
            last = id;
          }
          wanted[at(i)] = result_of(to, last);
        }
        compare_results("commit", results, wanted);
      });
}

void StateRun::ask() {
  std::vector<std::uint8_t> flags(at(ROWS), 9);
  lc::stopped(engine(), stop(), state_, flags);
  bool faults = false;
  for (std::int64_t row = 0; row < ROWS; ++row) {
    const lc::Status status = plain_.row(row).status;
    if (flags[at(row)] != (status == lc::Status::finished ? 1 : 0)) found("a flag is wrong");
    faults = faults || (status != lc::Status::ok && status != lc::Status::finished &&
                        status != lc::Status::released);
  }
  call("check", !faults, [&] { lc::check(engine(), state_); }, [] {});
}

void StateRun::move() {
  lc::StepState moved = std::move(state_);
  state_ = std::move(moved);
  compare("a move");
}

}  // namespace fuzz
