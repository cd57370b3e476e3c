// SPDX-License-Identifier: Apache-2.0
// One chain and criterion on both engines: the same calls on each, and what comes out differently.
#pragma once

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <logitchain/logitchain.cuh>

#include "cuda/support/device_array.cuh"
#include "cuda/support/device_logits.cuh"
#include "cuda/support/on_device.cuh"
#include "cuda/support/same_state.cuh"
#include "support/engine.hpp"

namespace logitchain_test {

using Ids = std::vector<std::int32_t>;

/// Maps of items, each absent or an array, for either engine.
struct Items {
  std::optional<Ids> logits_row{};
  std::optional<Ids> state_row{};

  HostItems on_host() const {
    HostItems items;
    if (logits_row) items.logits_row = *logits_row;
    if (state_row) items.state_row = *state_row;
    return items;
  }
  std::int64_t count(std::int64_t rows) const {
    return logits_row  ? static_cast<std::int64_t>(logits_row->size())
           : state_row ? static_cast<std::int64_t>(state_row->size())
                       : rows;
  }
};

/// Items in device memory.
class ItemsOnDevice {
 public:
  explicit ItemsOnDevice(const Items& items) {
    if (items.logits_row) logits_row_.emplace(*items.logits_row);
    if (items.state_row) state_row_.emplace(*items.state_row);
  }
  DeviceItems view() const {
    DeviceItems items;
    if (logits_row_) items.logits_row = logits_row_->view();
    if (state_row_) items.state_row = state_row_->view();
    return items;
  }

 private:
  std::optional<DeviceArray<std::int32_t>> logits_row_;
  std::optional<DeviceArray<std::int32_t>> state_row_;
};

/// The first place where two arrays of anything differ, as text; empty where they don't.
template <class A, class B, class Text>
std::string first_difference(const char* what, const A& host, const B& device, Text text) {
  for (std::size_t i = 0; i < host.size(); ++i) {
    const std::string of_host = text(host[i]);
    const std::string of_device = text(device[i]);
    if (of_host == of_device) continue;
    return std::string(what) + ' ' + std::to_string(i) + ": " + of_host + " and " + of_device +
           "\n";
  }
  return {};
}

template <class ChainType, class StopType>
class BothEngines {
 public:
  BothEngines(const Shape& shape, const ChainType& chain, const StopType& stop,
              const CudaOptions& options = {})
      : device_(nullptr, options),
        memory_(device_),
        host_chain_(chain),
        host_stop_(stop),
        device_chain_(on_device(chain, memory_)),
        device_stop_(on_device(stop, memory_)),
        host_state_(host_, shape, needs(chain, stop)),
        device_state_(device_, shape, needs(chain, stop)) {}

  /// Other numbers, lists or tables for the calls that follow.
  void use(const ChainType& chain, const StopType& stop) {
    host_chain_ = chain;
    host_stop_ = stop;
    device_chain_ = on_device(chain, memory_);
    device_stop_ = on_device(stop, memory_);
  }
  void use(const ChainType& chain) { use(chain, host_stop_); }

  void admit(const std::vector<Request>& requests) {
    logitchain::admit(host_, host_chain_, host_stop_, host_state_, requests);
    logitchain::admit(device_, device_chain_, device_stop_, device_state_, requests);
  }

  /// Scores, then a step. @return what differs, empty where nothing does
  /// @param offset elements by which the device's logits are moved
  std::string step(const host_logits& logits, const Items& items = {}, std::int64_t offset = 0) {
    return step(logits, items, items, offset);
  }
  /// The same with items of the device's own: what the host refuses.
  std::string step(const host_logits& logits, const Items& items, const Items& of_device,
                   std::int64_t offset);
  /// The same in parts, scores of a type: apply over the logits where that is theirs and each item
  /// has its row of them, draw, commit.
  std::string step_in_parts(const LogitsMemory& logits, DType type, const Items& items = {});
  /// Commits `each` ids per row. `Id` of 32 or 64 bits.
  template <class Id>
  std::string commit(const std::vector<Id>& tokens, std::int64_t each, const Ids& counts = {},
                     const Items& items = {});
  /// Flags of rows that finished, and what `check` says.
  std::string look_at_ends();
  std::string states() const { return difference_of_states(host_state_, device_state_); }

  /// Of the last step or commit, on the host.
  const std::vector<StepResult>& results() const { return results_; }
  const Ids& tokens() const { return tokens_; }
  /// Of the last step, on the host: [items, vocab].
  const std::vector<float>& scores() const { return scores_; }
  StepState& host_state() { return host_state_; }
  StepState& device_state() { return device_state_; }
  const cuda_engine& device() const { return device_; }
  const ChainType& device_chain() const { return device_chain_; }
  const StopType& device_stop() const { return device_stop_; }

 private:
  std::string compare_scores(const host_logits& logits, const DeviceLogits& on_device,
                             const Items& items, const DeviceItems& device_items);
  std::string compare_answers(const Ids& device_tokens, const std::vector<StepResult>& device) {
    return first_difference("token", tokens_, device_tokens,
                            [](std::int32_t token) { return std::to_string(token); }) +
           first_difference("result", results_, device, text_of_result);
  }

  host_engine host_;
  cuda_engine device_;
  DeviceMemory memory_;
  ChainType host_chain_;
  StopType host_stop_;
  ChainType device_chain_;
  StopType device_stop_;
  StepState host_state_;
  StepState device_state_;
  std::vector<StepResult> results_;
  Ids tokens_;
  std::vector<float> scores_;
};

inline std::string text_of_bits(std::uint32_t bits) {
  std::ostringstream text;
  text << std::hexfloat << float_of(bits);
  return text.str();
}

template <class ChainType, class StopType>
std::string BothEngines<ChainType, StopType>::compare_scores(const host_logits& logits,
                                                             const DeviceLogits& on_device,
                                                             const Items& items,
                                                             const DeviceItems& device_items) {
  const std::int64_t vocab = host_state_.shape().vocab;
  const std::int64_t count = items.count(logits.rows());
  scores_.assign(static_cast<std::size_t>(count * vocab), 12345.5f);
  const DeviceArray<float> on_device_scores(scores_);
  apply(host_, host_chain_, host_state_, logits, host_scores(scores_.data(), count, vocab),
        items.on_host());
  apply(device_, device_chain_, device_state_, on_device.view(),
        device_scores(on_device_scores.data(), count, vocab), device_items);
  return first_difference("score", bits(scores_), bits(on_device_scores.read()), text_of_bits);
}

template <class ChainType, class StopType>
std::string BothEngines<ChainType, StopType>::step(const host_logits& logits, const Items& items,
                                                   const Items& of_device, std::int64_t offset) {
  const DeviceLogits on_device(logits, offset);
  const ItemsOnDevice device_items(of_device);
  std::string found = compare_scores(logits, on_device, items, device_items.view());
  const std::size_t count = static_cast<std::size_t>(items.count(logits.rows()));
  tokens_.assign(count, -7);
  results_.assign(count, StepResult{});
  const DeviceArray<std::int32_t> device_tokens(tokens_);
  const DeviceArray<StepResult> device_results(results_);
  logitchain::step(host_, host_chain_, host_stop_, host_state_, logits,
                   {.tokens = tokens_, .results = results_, .items = items.on_host()});
  logitchain::step(device_, device_chain_, device_stop_, device_state_, on_device.view(),
                   {.tokens = device_tokens.span(),
                    .results = device_results.span(),
                    .items = device_items.view()});
  found += compare_answers(device_tokens.read(), device_results.read());
  return found + states();
}

template <class ChainType, class StopType>
std::string BothEngines<ChainType, StopType>::step_in_parts(const LogitsMemory& logits, DType type,
                                                            const Items& items) {
  const host_logits view = logits.view();
  LogitsMemory own = logits;
  const bool in_place = type == view.type() && !items.logits_row;
  const std::int64_t count = items.count(view.rows());
  LogitsMemory apart(type, count, view.width() + 3, view.width() + 3);
  LogitsMemory& target = in_place ? own : apart;
  const host_logits rows = target.view();
  const DeviceLogits device_logits_of(view);
  const DeviceLogits device_apart(rows);
  const DeviceLogits& device_target = in_place ? device_logits_of : device_apart;
  const ItemsOnDevice device_items(items);
  apply(host_, host_chain_, host_state_, own.view(),
        host_scores(const_cast<void*>(rows.row(0)), type, rows.rows(), rows.width(), rows.stride()),
        items.on_host());
  apply(device_, device_chain_, device_state_, device_logits_of.view(), device_target.scores(),
        device_items.view());
  const auto* const bytes = reinterpret_cast<const unsigned char*>(rows.begin());
  const std::vector<unsigned char> written = device_target.read();
  std::string found = first_difference(
      "byte", std::vector<unsigned char>(bytes, bytes + (rows.end() - rows.begin())), written,
      [](unsigned char byte) { return std::to_string(byte); });

  // Item i drew from its own row of scores.
  Items of_scores{{}, items.state_row};
  tokens_.assign(static_cast<std::size_t>(count), -7);
  const DeviceArray<std::int32_t> device_tokens(tokens_);
  const ItemsOnDevice device_of_scores(of_scores);
  draw(host_, host_state_, rows, tokens_, of_scores.on_host());
  draw(device_, device_state_, device_target.view(), device_tokens.span(), device_of_scores.view());
  found += first_difference("token", tokens_, device_tokens.read(),
                            [](std::int32_t token) { return std::to_string(token); });
  return found + commit(Ids(tokens_), 1, {}, of_scores);
}

template <class ChainType, class StopType>
template <class Id>
std::string BothEngines<ChainType, StopType>::commit(const std::vector<Id>& tokens,
                                                     std::int64_t each, const Ids& counts,
                                                     const Items& items) {
  const std::int64_t rows = static_cast<std::int64_t>(tokens.size()) / each;
  results_.assign(static_cast<std::size_t>(items.count(rows)), StepResult{});
  const DeviceArray<Id> device_tokens(tokens);
  const DeviceArray<std::int32_t> device_counts(counts);
  const DeviceArray<StepResult> device_results(results_);
  const ItemsOnDevice device_items(items);
  HostCommit on_host{.results = results_, .items = items.on_host(), .each = each};
  DeviceCommit on_device{
      .results = device_results.span(), .items = device_items.view(), .each = each};
  if (!counts.empty()) {
    on_host.counts = counts;
    on_device.counts = device_counts.view();
  }
  logitchain::commit(host_, host_chain_, host_stop_, host_state_, tokens, on_host);
  logitchain::commit(device_, device_chain_, device_stop_, device_state_, device_tokens.view(),
                     on_device);
  return first_difference("result", results_, device_results.read(), text_of_result) + states();
}

template <class ChainType, class StopType>
std::string BothEngines<ChainType, StopType>::look_at_ends() {
  std::vector<std::uint8_t> flags(static_cast<std::size_t>(host_state_.rows()), 9);
  const DeviceArray<std::uint8_t> device_flags(flags);
  stopped(host_, host_stop_, host_state_, flags);
  stopped(device_, device_stop_, device_state_, device_flags.span());
  const std::string of_host = refusal_of([&] { check(host_, host_state_); });
  const std::string of_device = refusal_of([&] { check(device_, device_state_); });
  return first_difference("flag", flags, device_flags.read(),
                          [](std::uint8_t flag) { return std::to_string(flag); }) +
         (of_host == of_device ? "" : of_host + " and " + of_device);
}

}  // namespace logitchain_test
