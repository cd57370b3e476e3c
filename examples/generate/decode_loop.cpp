// SPDX-License-Identifier: Apache-2.0
#include "decode_loop.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "recorded_stages.hpp"
#include "row_text.hpp"

namespace generate {
namespace {

namespace lc = logitchain;

class Stopwatch {
 public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_)
        .count();
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

Ending ending_of(const Sampler& sampler, std::int32_t row, lc::Status status) {
  Ending ending;
  ending.status = lc::name_of(status);
  if (status != lc::Status::finished) return ending;
  const lc::Finish finish = sampler.finish(row);
  if (finish.criterion == lc::BUDGET_SPENT) {
    ending.reason = "budget";
    return ending;
  }
  const Rule& rule = sampler.rules().at(static_cast<std::size_t>(finish.criterion));
  ending.reason = rule.name;
  if (rule.entries.empty()) return ending;
  ending.entry = finish.entry;
  ending.entry_text = rule.entries.at(static_cast<std::size_t>(finish.entry));
  if (rule.name == "stop string") ending.begin = finish.begin;
  return ending;
}

// The rows of one run.
class Rows {
 public:
  Rows(const Options& options, const Model& model, Sampler& sampler, const Prompts& prompts,
       const Outputs& outputs)
      : order_(options.order),
        model_(model),
        sampler_(sampler),
        prompts_(prompts),
        outputs_(outputs) {
    std::vector<lc::Request> requests;
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      RowSummary row;
      row.prompt = options.prompts[i];
      row.prompt_tokens = static_cast<std::int64_t>(prompts[i].size());
      row.seed = options.seed + i;
      const auto room = model.context_length() - row.prompt_tokens;
      lc::Request request;
      request.row = static_cast<std::int32_t>(i);
      request.prompt = prompts[i];
      request.seed = row.seed;
      request.budget = static_cast<std::int32_t>(std::min(options.max_new_tokens, room));
      requests.push_back(request);
      rows_.push_back(std::move(row));
      texts_.emplace_back(options.stops);
      running_.push_back(static_cast<std::int32_t>(i));
    }
    sampler.admit(requests);
  }

  const std::vector<std::int32_t>& running() const { return running_; }

  // Draws a token for every running row and takes those that end off the list. Returns the
  // library's time in milliseconds.
  double step(const Decoder::Logits& logits) {
    items_ = {logits.data, logits.rows, logits.row_of_entry, running_};
    if (outputs_.recorder) sampler_.apply(items_, scores_);
    const Stopwatch watch;
    sampler_.step(items_, tokens_, results_);
    const double took = watch.milliseconds();
    for (std::size_t i = 0; i < items_.state_row.size(); ++i) take(i);
    std::erase_if(running_, [&](std::int32_t row) {
      return !rows_[static_cast<std::size_t>(row)].ending.status.empty();
    });
    return took;
  }

  Times& times(std::int32_t row) { return rows_[static_cast<std::size_t>(row)].times; }

  std::int32_t last_token(std::int32_t row) const {
    return rows_[static_cast<std::size_t>(row)].tokens.back();
  }

  std::vector<RowSummary> summaries() && { return std::move(rows_); }

 private:
  void take(std::size_t item) {
    const auto row = static_cast<std::size_t>(items_.state_row[item]);
    const lc::StepResult& result = results_[item];
    if (outputs_.recorder) record(item, row);
    RowText& text = texts_[row];
    if (result.token >= 0) {
      rows_[row].tokens.push_back(result.token);
      text.append(model_.pieces().bytes(result.token));
    }
    if (result.status == lc::Status::ok) {
      outputs_.printer.show(row, text.ready());
      return;
    }
    Ending& ending = rows_[row].ending;
    ending = ending_of(sampler_, items_.state_row[item], result.status);
    const bool cut = ending.begin >= 0;
    outputs_.printer.show(row, text.finish(cut ? std::optional(ending.begin) : std::nullopt));
    outputs_.printer.finish(row);
    rows_[row].text = text.text();
  }

  void record(std::size_t item, std::size_t row) {
    const auto vocab = static_cast<std::size_t>(model_.vocab_size());
    const auto logits_row = static_cast<std::size_t>(items_.logits_row[item]);
    const std::vector<std::int32_t>& generated = rows_[row].tokens;
    RecordedStep step;
    step.id = std::string("generate/") + name_of(order_) + "/row" + std::to_string(row) + "/" +
              std::to_string(generated.size());
    step.prompt = prompts_[row];
    step.generated = generated;
    step.logits = {items_.logits + logits_row * vocab, vocab};
    step.scores = {scores_.data() + item * vocab, vocab};
    step.seed = rows_[row].seed;
    step.position = static_cast<std::int64_t>(generated.size());
    step.token = tokens_[item];
    outputs_.recorder->write(step);
  }

  Order order_;
  const Model& model_;
  Sampler& sampler_;
  const Prompts& prompts_;
  Outputs outputs_;
  std::vector<RowSummary> rows_;
  std::vector<RowText> texts_;
  std::vector<std::int32_t> running_;
  Items items_;
  std::vector<float> scores_;
  std::vector<std::int32_t> tokens_;
  std::vector<lc::StepResult> results_;
};

}  // namespace

Summary decode(const Options& options, const Model& model, Decoder& decoder, Sampler& sampler,
               const Prompts& prompts, const Outputs& outputs) {
  Summary summary;
  summary.model = model.description();
  summary.engine = name_of(options.engine);
  summary.threads = options.threads;
  summary.order = name_of(options.order);
  summary.chain = recorded_stages(options);
  summary.plan = sampler.explain();
  summary.fingerprint = sampler.fingerprint();

  Rows rows(options, model, sampler, prompts, outputs);
  std::vector<NewTokens> entries;
  for (const std::int32_t row : rows.running()) {
    entries.push_back({row, prompts[static_cast<std::size_t>(row)]});
  }
  std::vector<std::int32_t> last_tokens(prompts.size());
  for (bool prompt = true; !rows.running().empty(); prompt = false) {
    const Stopwatch watch;
    const Decoder::Logits logits = decoder.evaluate(entries);
    const double evaluated = watch.milliseconds();
    const std::vector<std::int32_t> took_part = rows.running();
    const double stepped = rows.step(logits);
    const auto add_times = [&](Times& times) {
      times.add_step(stepped);
      if (!prompt) times.add_evaluation(evaluated);
    };
    if (prompt) summary.prompt_ms = evaluated;
    add_times(summary.times);
    for (const std::int32_t row : took_part) add_times(rows.times(row));

    entries.clear();
    for (const std::int32_t row : took_part) {
      const auto& running = rows.running();
      if (std::find(running.begin(), running.end(), row) == running.end()) {
        decoder.release(row);
        continue;
      }
      std::int32_t& last = last_tokens[static_cast<std::size_t>(row)];
      last = rows.last_token(row);
      entries.push_back({row, {&last, 1}});
    }
  }
  summary.rows = std::move(rows).summaries();
  return summary;
}

}  // namespace generate
