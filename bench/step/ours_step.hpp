// SPDX-License-Identifier: Apache-2.0
// The step of one type of chain: a state, a criterion as users have it, one call per step.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <logitchain/logitchain.hpp>

#include "numbers.hpp"
#include "ours.hpp"

namespace bench {

namespace lc = logitchain;

template <class Chain>
class OurStep final : public Contender {
 public:
  OurStep(const Setup& setup, Chain chain)
      : engine_({.threads = setup.threads}),
        chain_(std::move(chain)),
        vocab_(setup.measured.vocab),
        state_(engine_,
               {.rows = setup.rows,
                .capacity = setup.measured.history + STEPS_OF_A_ROW + 1,
                .vocab = setup.measured.vocab},
               lc::needs(chain_, stop_)),
        logits_(data_of(setup), setup.type, setup.rows, vocab_, 0),
        results_(static_cast<std::size_t>(setup.rows)) {
    for (int row = 0; row < setup.rows; ++row) {
      lc::Request request{.row = row, .prompt = {}};
      request.generated = setup.input.history;
      request.seed = static_cast<std::uint64_t>(row) + 1;
      requests_.push_back(std::move(request));
    }
  }

  void restart() override {
    for (const lc::Request& request : requests_) lc::release(engine_, state_, request.row);
    lc::admit(engine_, chain_, stop_, state_, requests_);
  }
  void step() override { lc::step(engine_, chain_, stop_, state_, logits_, {.results = results_}); }

  bool shows_survivors() const override { return true; }
  std::vector<Survivor> survivors() override {
    std::vector<float> scores(static_cast<std::size_t>(vocab_));
    restart();
    lc::apply(engine_, chain_, state_, logits_, lc::host_scores(scores.data(), 1, vocab_));
    std::vector<Survivor> kept;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (scores[i] > lc::FILTER) kept.push_back({static_cast<std::int32_t>(i), scores[i]});
    }
    return kept;
  }

  /// A row that ended on the way has no token in its last step; the capacity leaves room for one
  /// token more, so that none ends by its budget.
  std::string fault() const override {
    for (const lc::StepResult& result : results_) {
      if (result.token < 0 || result.status != lc::Status::ok) {
        return std::string("a row ended with the status ") + lc::name_of(result.status);
      }
    }
    return {};
  }

 private:
  static const void* data_of(const Setup& setup) {
    switch (setup.type) {
      case lc::DType::f16:
        return setup.input.halves.data();
      case lc::DType::bf16:
        return setup.input.bfloats.data();
      case lc::DType::f32:
        break;
    }
    return setup.input.logits.data();
  }

  lc::host_engine engine_;
  Chain chain_;
  static constexpr auto make_stop() {
    return lc::criterion(lc::EndOfSequence{EOS}, lc::MaxNewTokens{1 << 20});
  }
  decltype(make_stop()) stop_ = make_stop();
  std::int64_t vocab_;
  lc::StepState state_;
  lc::host_logits logits_;
  std::vector<lc::StepResult> results_;
  std::vector<lc::Request> requests_;
};

template <class Chain>
std::unique_ptr<Contender> our_step(const Setup& setup, Chain chain) {
  return std::make_unique<OurStep<Chain>>(setup, std::move(chain));
}

}  // namespace bench
