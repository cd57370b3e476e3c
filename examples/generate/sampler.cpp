// SPDX-License-Identifier: Apache-2.0
#include "sampler.hpp"

#include <optional>
#include <utility>

#include "chains.hpp"

namespace generate {
namespace {

// What the criteria refer to; it outlives them.
struct StopData {
  std::vector<std::int64_t> end_tokens;
  std::optional<lc::StopTable> table;
  std::vector<Rule> rules;
};

struct Shape {
  std::int32_t rows;
  std::int32_t capacity;
  std::int32_t vocab;
  int threads;
};

template <class Stages, class Stop>
class ChainSampler final : public Sampler {
 public:
  ChainSampler(const Stages& stages, const Stop& stop, std::unique_ptr<StopData> data,
               const Shape& shape)
      : data_(std::move(data)),
        stages_(stages_as_json(stages)),
        vocab_(shape.vocab),
        chain_(chain_of(stages)),
        stop_(stop),
        engine_({.threads = shape.threads}),
        state_(engine_, {.rows = shape.rows, .capacity = shape.capacity, .vocab = shape.vocab},
               lc::needs(chain_, stop_)) {}

  void admit(const std::vector<lc::Request>& requests) override {
    lc::admit(engine_, chain_, stop_, state_, requests);
  }

  void step(const Items& items, std::vector<std::int32_t>& tokens,
            std::vector<lc::StepResult>& results) override {
    tokens.resize(items.state_row.size());
    results.resize(items.state_row.size());
    lc::step(engine_, chain_, stop_, state_, logits_of(items),
             {.tokens = tokens,
              .results = results,
              .items = {.logits_row = items.logits_row, .state_row = items.state_row}});
  }

  void apply(const Items& items, std::vector<float>& scores) override {
    scores.resize(items.state_row.size() * static_cast<std::size_t>(vocab_));
    const auto count = static_cast<std::int64_t>(items.state_row.size());
    lc::apply(engine_, chain_, state_, logits_of(items),
              lc::host_scores(scores.data(), count, vocab_),
              {.logits_row = items.logits_row, .state_row = items.state_row});
  }

  lc::Finish finish(std::int32_t row) const override { return state_.finish(row); }
  std::string explain() const override { return lc::explain(chain_, stop_); }
  std::string fingerprint() const override { return lc::fingerprint(chain_, stop_); }
  nlohmann::ordered_json stages() const override { return stages_; }
  const std::vector<Rule>& rules() const override { return data_->rules; }

 private:
  static auto chain_of(const Stages& stages) {
    return std::apply([](const auto&... stage) { return lc::chain(stage...); }, stages);
  }
  using Chain = decltype(chain_of(std::declval<const Stages&>()));

  auto logits_of(const Items& items) const {
    return lc::host_logits(items.logits, items.rows, vocab_, vocab_);
  }

  std::unique_ptr<StopData> data_;
  nlohmann::ordered_json stages_;
  std::int64_t vocab_;
  Chain chain_;
  Stop stop_;
  lc::host_engine engine_;
  lc::StepState state_;
};

template <class Stages>
std::unique_ptr<Sampler> with_stop(const Stages& stages, const Options& options,
                                   std::unique_ptr<StopData> data, const Shape& shape) {
  const auto make = [&](const auto& stop) -> std::unique_ptr<Sampler> {
    using Stop = std::remove_cvref_t<decltype(stop)>;
    return std::make_unique<ChainSampler<Stages, Stop>>(stages, stop, std::move(data), shape);
  };
  const lc::EndOfSequence end{data->end_tokens};
  const lc::MaxNewTokens most{options.max_new_tokens};
  // Text before ids: a token may end a stop string and the sequence at once.
  if (data->table) {
    const lc::StopStrings strings{.table = *data->table, .match_from_prompt = false};
    return make(lc::criterion(strings, end, most));
  }
  return make(lc::criterion(end, most));
}

std::unique_ptr<StopData> stop_data(const Options& options, const Model& model) {
  auto data = std::make_unique<StopData>();
  if (!options.stops.empty()) {
    data->table = lc::stop_strings(model.pieces(), options.stops);
    data->rules.push_back({"stop string", options.stops});
  }
  data->end_tokens = model.end_tokens();
  std::vector<std::string> names;
  for (const std::int64_t token : data->end_tokens) {
    names.push_back(model.name_of(static_cast<std::int32_t>(token)));
  }
  data->rules.push_back({"end of sequence", std::move(names)});
  data->rules.push_back({"max new tokens", {}});
  return data;
}

}  // namespace

std::unique_ptr<Sampler> make_sampler(const Options& options, const Model& model, std::int32_t rows,
                                      std::int32_t capacity) {
  const Shape shape{rows, capacity, model.vocab_size(), options.threads};
  auto data = stop_data(options, model);
  switch (options.order) {
    case Order::transformers:
      return with_stop(transformers_order(options.sampling), options, std::move(data), shape);
    case Order::vllm:
      return with_stop(vllm_order(options.sampling), options, std::move(data), shape);
    case Order::llama_cpp:
      return with_stop(llama_cpp_order(options.sampling), options, std::move(data), shape);
  }
  return nullptr;
}

}  // namespace generate
