// SPDX-License-Identifier: Apache-2.0
// One step of a chain on the CUDA engine, with commit and stop decision, for every row of a group.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <logitchain/logitchain.cuh>

#include "device/check.hpp"
#include "device/contender.hpp"

namespace device_bench {

inline logitchain::Residence residence_of(Shape shape) {
  if (shape == Shape::resident) return logitchain::Residence::resident;
  if (shape == Shape::streaming) return logitchain::Residence::streaming;
  return logitchain::Residence::automatic;
}

template <class ChainType>
class Ours final : public Contender {
 public:
  Ours(const ChainType& chain, const Setup& setup)
      : setup_(setup),
        chain_(chain),
        stop_(logitchain::criterion(logitchain::EndOfSequence{END},
                                    logitchain::MaxNewTokens{BUDGET})),
        engine_(setup.stream, {.residence = residence_of(setup.shape)}),
        state_(engine_,
               {.rows = setup.group.items, .capacity = 1024, .vocab = setup.group.vocab, .seed = 1},
               logitchain::needs(chain_, stop_)),
        results_(static_cast<std::size_t>(setup.group.items)) {
    std::mt19937 random(3);
    for (std::int64_t row = 0; row < setup.group.items; ++row) {
      logitchain::TokenIds prompt;
      for (int i = 0; i < PROMPT; ++i) {
        prompt.push_back(random() % static_cast<std::uint64_t>(setup.group.vocab));
      }
      requests_.push_back({.row = row, .prompt = prompt});
      rows_.push_back(row);
    }
  }

  void enqueue() override {
    const Group& group = setup_.group;
    const auto type = group.narrow ? logitchain::DType::bf16 : logitchain::DType::f32;
    logitchain::step(
        engine_, chain_, stop_, state_,
        logitchain::device_logits(setup_.logits, type, group.items, group.vocab, group.vocab),
        {.results = logitchain::device_span<logitchain::StepResult>(results_.data(), group.items)});
  }

  void restart() override {
    using logitchain::host_span;
    logitchain::release(
        engine_, state_,
        host_span<const std::int64_t>(rows_.data(), static_cast<std::int64_t>(rows_.size())));
    logitchain::admit(engine_, chain_, stop_, state_,
                      host_span<const logitchain::Request>(requests_));
  }

  std::string fault(int steps) override {
    const std::vector<logitchain::StepResult> results = results_.read(setup_.stream);
    for (std::size_t row = 0; row < results.size(); ++row) {
      const logitchain::StepResult& result = results[row];
      const std::string who = "row " + std::to_string(row);
      if (result.status != logitchain::Status::ok) {
        return who + " is " + logitchain::name_of(result.status);
      }
      if (result.generated != steps) {
        return who + " has " + std::to_string(result.generated) + " tokens after " +
               std::to_string(steps) + " steps";
      }
      if (result.token < 0 || result.token >= setup_.group.vocab) {
        return who + " got the token " + std::to_string(result.token);
      }
    }
    return "";
  }

 private:
  using StopType = decltype(logitchain::criterion(logitchain::EndOfSequence{END},
                                                  logitchain::MaxNewTokens{BUDGET}));

  Setup setup_;
  ChainType chain_;
  StopType stop_;
  logitchain::cuda_engine engine_;
  logitchain::StepState state_;
  DeviceMemory<logitchain::StepResult> results_;
  std::vector<logitchain::Request> requests_;
  std::vector<std::int64_t> rows_;
};

template <class ChainType>
std::unique_ptr<Contender> make_ours(const ChainType& chain, const Setup& setup) {
  return std::make_unique<Ours<ChainType>>(chain, setup);
}

}  // namespace device_bench
