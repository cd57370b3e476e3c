// SPDX-License-Identifier: Apache-2.0
#include "oracle/chains/comparison.hpp"

#include <cmath>
#include <numeric>
#include <sstream>
#include <utility>
#include <vector>

#include "oracle/bounds.hpp"
#include "oracle/filters.hpp"

namespace oracle_test {
namespace {

constexpr float UNTOUCHED = 12345.5f;

/// Equal bits; NaN is NaN, however it is spelled.
bool same(float a, float b) {
  return oracle::bits(a) == oracle::bits(b) || (std::isnan(a) && std::isnan(b));
}

/// Items in a random order, some of them skipped; or none given, for all rows as they are.
struct RandomItems {
  std::vector<std::int32_t> logits_row, state_row;
  bool given;

  RandomItems(Random& random, std::size_t rows)
      : logits_row(rows), state_row(rows), given(random.chance(0.3)) {
    std::iota(logits_row.begin(), logits_row.end(), 0);
    std::iota(state_row.begin(), state_row.end(), 0);
    if (!given) return;
    for (std::size_t i = rows; i > 1; --i) {
      std::swap(logits_row[i - 1], logits_row[random.next() % i]);
      std::swap(state_row[i - 1], state_row[random.next() % i]);
    }
    if (random.chance(0.5)) (random.chance(0.5) ? logits_row : state_row)[0] = -1;
  }
  HostItems items() const {
    if (!given) return {};
    return {logits_row, state_row};
  }
  bool skipped(std::size_t item) const { return logits_row[item] < 0 || state_row[item] < 0; }
};

/// Threads and instructions, which must not matter.
HostOptions random_options(Random& random) {
  HostOptions options;
  options.threads = random.chance(0.02) ? 2 : 1;
  const Instructions wanted = random.one_of(
      {Instructions::best, Instructions::baseline, Instructions::avx2, Instructions::avx512});
  if (logitchain::detail::has_instructions(wanted)) options.instructions = wanted;
  return options;
}

/// What the oracle says of one item of a step.
struct Expected {
  bool touched = false;  ///< the row is active and the chain's numbers are in range
  oracle::Scores scores{};
  float tolerance = 0;
  bool open = false;
  bool token_open = false;
  StepResult result{};
};

class Run {
 public:
  Run(const ChainType& type, const std::string& name, const Random& random, const Sizes& sizes,
      Mode mode, Tally& tally)
      : type_(type),
        name_(name),
        mode_(mode),
        tally_(tally),
        random_(random),
        batch_(random_, sizes),
        instance_(type.make(batch_)),
        status_(batch_.rows.size(), Status::ok),
        finish_(batch_.rows.size()) {}

  std::string difference() {
    host_engine engine(random_options(random_));
    const Stop stop = batch_.stop();
    StepState state = instance_->begin(engine, batch_);
    for (step_ = 0; step_ < batch_.steps && difference_.empty(); ++step_) {
      one_step(engine, stop, state);
    }
    for (std::size_t row = 0; row < batch_.rows.size() && difference_.empty(); ++row) {
      const host_span<const std::int32_t> found = state.history(static_cast<std::int64_t>(row));
      if (oracle::Ids(found.begin(), found.end()) != batch_.rows[row].history()) {
        differ(row, "the history");
      }
    }
    return difference_;
  }

 private:
  void one_step(host_engine& engine, const Stop& stop, StepState& state) {
    const std::int64_t rows = state.rows();
    const Logits logits(random_, rows, batch_.vocab);
    const RandomItems items(random_, batch_.rows.size());
    const std::int64_t width = batch_.vocab + random_.one_of<std::int64_t>({0, 5});
    std::vector<float> scores(static_cast<std::size_t>(rows * width), UNTOUCHED);
    instance_->apply(engine, state, logits.memory.view(), host_scores(scores.data(), rows, width),
                     items.items());
    std::vector<std::int32_t> tokens(batch_.rows.size(), -7);
    std::vector<StepResult> results(batch_.rows.size());
    instance_->step(engine, stop, state, logits.memory.view(),
                    {.tokens = tokens, .results = results, .items = items.items()});
    for (std::size_t item = 0; item < results.size() && difference_.empty(); ++item) {
      const float* const row_of_scores = scores.data() + static_cast<std::int64_t>(item) * width;
      if (items.skipped(item)) {
        if (results[item].status != Status::released || tokens[item] != -1 ||
            row_of_scores[0] != UNTOUCHED) {
          differ(item, "a skipped item was touched");
        }
        continue;
      }
      const std::size_t row = static_cast<std::size_t>(items.state_row[item]);
      const oracle::Scores& given = logits.of_row[static_cast<std::size_t>(items.logits_row[item])];
      const Expected expected = expect(row, given);
      compare_scores(row, expected, row_of_scores, width, given);
      if (difference_.empty() && !expected.token_open) {
        compare_result(row, expected.result, tokens[item], results[item]);
      }
      if (expected.token_open) follow(row, results[item]);
    }
  }

  /// What must come out, and the row as it is afterwards.
  Expected expect(std::size_t row, const oracle::Scores& given) {
    Expected expected;
    if (status_[row] == Status::ok) {
      ++tally_.rows;
      // Scores are made without the criterion, whose numbers only the step asks for.
      expected.touched = instance_->valid(row);
      const std::int64_t token = expected.touched ? decide(row, given, expected) : -1;
      if (!expected.touched || (token >= 0 && !batch_.valid(row) && !expected.token_open)) {
        ++tally_.refused;
        status_[row] = Status::invalid_parameter;
      } else if (expected.token_open) {
        return expected;
      } else if (commit(row, token)) {
        expected.result.token = static_cast<std::int32_t>(token);
      }
    }
    expected.result.generated = static_cast<std::int32_t>(batch_.rows[row].generated.size());
    expected.result.status = status_[row];
    expected.result.criterion = finish_[row].criterion;
    expected.result.entry = finish_[row].entry;
    return expected;
  }

  std::int64_t decide(std::size_t row, const oracle::Scores& given, Expected& expected) {
    const oracle::Row& own = batch_.rows[row];
    const oracle::Chain chain = instance_->of_row(row);
    if (mode_ == Mode::bit_for_bit) {
      const oracle::Functions functions = library_functions();
      expected.scores = oracle::transformed(chain, own, given, functions);
      for (std::size_t i = 0; i < given.size(); ++i) {
        if (given[i] > FILTER && expected.scores[i] == FILTER) {
          ++tally_.filtered;
          break;
        }
      }
      return oracle::drawn(expected.scores, own.seed, own.generated.size(), functions);
    }
    oracle::Judgement judgement = oracle::judged(chain, own, given);
    expected.open = !judgement.decided;
    expected.token_open = !judgement.decided || !judgement.token_decided;
    expected.tolerance = judgement.tolerance;
    expected.scores = std::move(judgement.scores);
    tally_.open += expected.open ? 1 : 0;
    tally_.open_draws += !expected.open && expected.token_open ? 1 : 0;
    return judgement.token;
  }

  /// True where there is a token.
  bool commit(std::size_t row, std::int64_t token) {
    if (token < 0) {
      ++tally_.undefined;
      status_[row] = Status::undefined_distribution;
      return false;
    }
    ++tally_.drawn;
    batch_.rows[row].generated.push_back(token);
    finish_[row] = batch_.finish_of(row);
    if (finish_[row].criterion != NOT_FINISHED) {
      ++tally_.finished;
      status_[row] = Status::finished;
    }
    return true;
  }

  /// Takes over the library's token where the bounds leave it open.
  void follow(std::size_t row, const StepResult& result) {
    if (result.token >= 0) {
      commit(row, result.token);
    } else {
      status_[row] = result.status;
    }
  }

  void compare_scores(std::size_t row, const Expected& expected, const float* scores,
                      std::int64_t width, const oracle::Scores& given) {
    if (expected.open) return;
    for (std::int64_t i = 0; i < width; ++i) {
      const std::size_t token = static_cast<std::size_t>(i);
      const float wanted = !expected.touched   ? UNTOUCHED
                           : i >= batch_.vocab ? FILTER
                                               : expected.scores[token];
      const bool near = expected.tolerance != 0 && wanted != FILTER &&
                        std::fabs(scores[i] - wanted) <= expected.tolerance;
      if (same(scores[i], wanted) || near) continue;
      std::ostringstream text;
      text.precision(9);
      text << "the score of token " << i << " of " << batch_.vocab << " is " << scores[i]
           << " and should be " << wanted;
      if (i < batch_.vocab) text << "; its logit is " << given[token];
      differ(row, text.str());
      return;
    }
  }

  void compare_result(std::size_t row, const StepResult& wanted, std::int32_t token,
                      const StepResult& found) {
    using logitchain_test::text_of_result;
    if (text_of_result(wanted) != text_of_result(found) || token != wanted.token) {
      differ(row, "the result is (" + text_of_result(found) + ") with token " +
                      std::to_string(token) + " and should be (" + text_of_result(wanted) + ")");
    }
  }

  void differ(std::size_t row, const std::string& what) {
    std::ostringstream text;
    text << type_.name << ", " << name_ << ", step " << step_ << ", row " << row << " of "
         << batch_.rows.size() << ": " << what << "\n  chain of the row:";
    for (const oracle::Stage& stage : instance_->of_row(row)) text << ' ' << oracle::text(stage);
    text << "\n  prompt:";
    for (const std::int64_t id : batch_.rows[row].prompt) text << ' ' << id;
    text << "\n  generated:";
    for (const std::int64_t id : batch_.rows[row].generated) text << ' ' << id;
    difference_ = text.str();
  }

  const ChainType& type_;
  std::string name_;  // of the batch
  Mode mode_;
  Tally& tally_;
  Random random_;
  Batch batch_;
  std::unique_ptr<Instance> instance_;
  std::vector<Status> status_;
  std::vector<Finish> finish_;
  int step_ = 0;
  std::string difference_;
};

}  // namespace

Tally& Tally::operator+=(const Tally& other) {
  rows += other.rows;
  drawn += other.drawn;
  undefined += other.undefined;
  refused += other.refused;
  finished += other.finished;
  filtered += other.filtered;
  open += other.open;
  open_draws += other.open_draws;
  return *this;
}

std::string Tally::text() const {
  std::ostringstream text;
  text << rows << " rows: " << drawn << " drawn, " << undefined << " without a distribution, "
       << refused << " with a number out of range; " << filtered << " lost tokens, " << finished
       << " finished";
  if (open + open_draws > 0) text << "; left open: " << open << " rows, " << open_draws << " draws";
  return text.str();
}

oracle::Functions library_functions() {
  return {[](float x) { return exponential_nonpositive(x); }, [](float x) { return logarithm(x); }};
}

std::string compare(const ChainType& type, std::uint64_t seed, const Sizes& sizes, Mode mode,
                    Tally& tally) {
  return Run(type, "seed " + std::to_string(seed), Random(seed), sizes, mode, tally).difference();
}

std::string compare(const ChainType& type, const Random& random, const Sizes& sizes, Mode mode,
                    Tally& tally) {
  return Run(type, "given numbers", random, sizes, mode, tally).difference();
}

}  // namespace oracle_test
