// SPDX-License-Identifier: Apache-2.0
// Chain types as instances. Included by the generated sources, one per part of the table.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "oracle/chains/chain_type.hpp"

namespace oracle_test {
namespace detail {

template <class ChainOfStages>
class InstanceOf final : public Instance {
 public:
  explicit InstanceOf(ChainOfStages chain) : chain_(std::move(chain)) {}

  StepState state(host_engine& engine, const Batch& batch) const override {
    return StepState(engine, batch.shape(), needs(chain_, batch.stop()));
  }
  void admit(host_engine& engine, const Stop& stop, StepState& state,
             const std::vector<Request>& requests) const override {
    logitchain::admit(engine, chain_, stop, state, requests);
  }
  void commit(host_engine& engine, const Stop& stop, StepState& state, const HostTokenIds& tokens,
              const HostCommit& options) const override {
    logitchain::commit(engine, chain_, stop, state, tokens, options);
  }
  void apply(host_engine& engine, StepState& state, const host_logits& logits,
             const host_scores& scores, const HostItems& items) const override {
    logitchain::apply(engine, chain_, state, logits, scores, items);
  }
  void step(host_engine& engine, const Stop& stop, StepState& state, const host_logits& logits,
            const HostStep& outputs) const override {
    logitchain::step(engine, chain_, stop, state, logits, outputs);
  }

 private:
  ChainOfStages chain_;
};

template <class... Stage>
std::unique_ptr<Instance> make_instance(Batch& batch, Steps<Stage...>) {
  auto made = std::tuple<Made<Stage>...>{make(batch.maker, static_cast<Stage*>(nullptr))...};
  return std::apply(
      [](auto&... one) -> std::unique_ptr<Instance> {
        auto instance = std::make_unique<InstanceOf<Chain<Stage...>>>(chain(one.stage...));
        (instance->stages.push_back(std::move(one.of_row)), ...);
        return instance;
      },
      made);
}

template <class... Stage>
std::string name_of_chain(Steps<Stage...>) {
  std::string name;
  ((name += (name.empty() ? "" : ", ") + std::string(logitchain::detail::name_of_stage<Stage>())),
   ...);
  return '[' + name + ']';
}

}  // namespace detail

template <std::size_t Part>
void add_part(std::vector<ChainType>& all) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto add_chain = [&all]<class Types>(Types) {
      all.push_back({detail::name_of_chain(Types{}),
                     [](Batch& batch) { return detail::make_instance(batch, Types{}); }});
    };
    (add_chain(ChainAt<Part * CHAINS_PER_PART + I>{}), ...);
  }(std::make_index_sequence<std::min(CHAINS_PER_PART, CHAINS - Part * CHAINS_PER_PART)>{});
}

}  // namespace oracle_test
