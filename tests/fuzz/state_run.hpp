// SPDX-License-Identifier: Apache-2.0
// The library's state and the plain one side by side: each operation is done to both, and then they
// must tell the same of every row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <logitchain/engine/host/check.hpp>
#include <logitchain/logitchain.hpp>

#include "fuzz/bytes.hpp"
#include "fuzz/plain_state.hpp"

namespace fuzz {

/// Which items a call has, as the bytes chose them.
struct PlainItems {
  bool maps_scores = false;
  bool maps_state = false;
  std::vector<std::int32_t> scores_row{};
  std::vector<std::int32_t> state_row{};

  lc::HostItems items() const;
  std::int64_t count(std::int64_t rows) const;
  /// (row of scores, row of the state) of an item; -1 and -1 where it is skipped.
  std::pair<std::int64_t, std::int64_t> of(std::int64_t item) const;
  /// False where they must be refused. @param rows of scores or tokens
  bool right(std::int64_t rows) const;
};

class StateRun {
 public:
  explicit StateRun(Bytes bytes);
  StateRun(const StateRun&) = delete;
  StateRun& operator=(const StateRun&) = delete;

  /// Operations until the bytes are spent.
  void run();

 private:
  void operate();
  void admit();
  void import();
  void release();
  void gather();
  void save();
  void load();
  void load_forged();
  void change_numbers();
  void step();
  void apply_and_draw();
  void commit();
  void ask();
  void move();

  /// Runs a call of the library. It must throw where `right` is false, and then have changed
  /// nothing; the plain state is changed by `after` where it did not throw.
  void call(const char* name, bool right, const std::function<void()>& library,
            const std::function<void()>& after);
  void compare(const char* name) const;
  std::vector<std::vector<unsigned char>> image() const;
  void compare_results(const char* name, const std::vector<lc::StepResult>& results,
                       const std::vector<lc::StepResult>& wanted) const;
  lc::StepResult result_of(std::int64_t row, std::int64_t token) const;

  std::int64_t token();
  Ids ids(std::int64_t most, bool any);
  std::vector<lc::Request> requests();
  PlainItems items();
  std::vector<PlainScores> scores(std::int64_t rows, std::vector<float>& memory, std::int64_t width,
                                  std::int64_t stride);

  auto chain() const {
    return lc::chain(lc::RepetitionPenalty{lc::per_row(rules_.penalties)},
                     lc::SequenceBias{{lc::host_span<const lc::BiasTableView>(views_),
                                       lc::per_row(rules_.tables)}},
                     lc::Temperature{lc::per_row(rules_.temperatures)}, lc::TopK{3});
  }
  auto stop() const {
    return lc::criterion(lc::StopStrings{stops_, rules_.match_from_prompt},
                         lc::EndOfSequence{rules_.eos},
                         lc::MaxNewTokens{lc::per_row(rules_.counts)});
  }

  struct Saved {
    std::vector<std::byte> blob;
    PlainRow row;
  };

  Bytes bytes_;
  Rules rules_;
  lc::StopTable stops_;
  std::vector<lc::BiasTable> tables_;
  std::vector<lc::BiasTableView> views_;
  lc::Shape shape_;
  lc::StepState state_;
  PlainState plain_;
  std::vector<Saved> saved_;
};

/// One engine for all runs: the threads of one would cost more than a run.
lc::host_engine& engine();

}  // namespace fuzz
