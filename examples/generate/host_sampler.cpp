// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <type_traits>
#include <utility>

#include "chains.hpp"
#include "sampler.hpp"

namespace generate {
namespace {

template <class Chain, class Stop>
class HostSampler final : public Sampler {
 public:
  HostSampler(const Chain& chain, const Stop& stop, std::unique_ptr<const StopRules> rules,
              const SamplerShape& shape, int threads)
      : rules_(std::move(rules)),
        vocab_(shape.vocab),
        chain_(chain),
        stop_(stop),
        engine_({.threads = threads}),
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
  const std::vector<Rule>& rules() const override { return rules_->rules; }

 private:
  auto logits_of(const Items& items) const {
    return lc::host_logits(items.logits, items.rows, vocab_, vocab_);
  }

  std::unique_ptr<const StopRules> rules_;
  std::int64_t vocab_;
  Chain chain_;
  Stop stop_;
  lc::host_engine engine_;
  lc::StepState state_;
};

}  // namespace

std::unique_ptr<Sampler> make_host_sampler(const Options& options, StopRules stop_rules,
                                           const SamplerShape& shape) {
  auto rules = std::make_unique<const StopRules>(std::move(stop_rules));
  const lc::StopTableView strings = rules->table ? rules->table->view() : lc::StopTableView{};
  const lc::StopTableView* const given = rules->table ? &strings : nullptr;
  return with_order(options, [&](const auto& stages) -> std::unique_ptr<Sampler> {
    const auto make = [&](const auto& stop) -> std::unique_ptr<Sampler> {
      const auto chain = chain_of(stages);
      using Made =
          HostSampler<std::remove_const_t<decltype(chain)>, std::remove_cvref_t<decltype(stop)>>;
      return std::make_unique<Made>(chain, stop, std::move(rules), shape, options.threads);
    };
    return with_criterion(options, rules->end_tokens, given, make);
  });
}

}  // namespace generate
