// SPDX-License-Identifier: Apache-2.0
// One random batch on both engines: scores bit for bit, tokens, results, and the bytes of the
// state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <logitchain/logitchain.cuh>

#include "cuda/chains.hpp"
#include "cuda/support/device_array.cuh"
#include "cuda/support/device_logits.cuh"
#include "cuda/support/on_device.cuh"
#include "cuda/support/same_state.cuh"
#include "oracle/chains/batch.hpp"
#include "oracle/chains/maker.hpp"

namespace cuda_test {

using logitchain_test::DeviceArray;
using logitchain_test::DeviceLogits;
using logitchain_test::DeviceMemory;
using oracle_test::Batch;
using oracle_test::Made;
using oracle_test::Random;
using oracle_test::Sizes;

/// How a batch is run on the device.
struct Shape {
  int cluster = 0;
  Residence residence = Residence::automatic;
  std::int64_t offset = 0;  ///< elements that logits are moved by, to spoil their alignment
};

/// Bits, with every NaN spelled alike.
inline std::uint32_t canonical_bits(float score) {
  return is_nan(score) ? 0x7fc00000u : bits_of(score);
}

template <class HostChain, class DeviceChain>
class Comparison {
 public:
  Comparison(const HostChain& host_chain, const DeviceChain& device_chain, const Batch& batch,
             DeviceMemory& memory, const cuda_engine& engine, Random& random, const Shape& shape)
      : host_chain_(host_chain),
        device_chain_(device_chain),
        host_stop_(batch.stop()),
        device_stop_(criterion(logitchain_test::on_device(host_stop_.template stage<0>(), memory),
                               logitchain_test::on_device(host_stop_.template stage<1>(), memory),
                               logitchain_test::on_device(host_stop_.template stage<2>(), memory))),
        device_(engine),
        random_(random),
        shape_(shape),
        batch_(batch),
        host_state_(host_, batch.shape(), needs(host_chain, host_stop_)),
        device_state_(device_, batch.shape(), needs(device_chain, device_stop_)) {}

  std::string difference() {
    admit(host_, host_chain_, host_stop_, host_state_, batch_.requests());
    admit(device_, device_chain_, device_stop_, device_state_, batch_.requests());
    compare_states("after admission");
    for (int step = 0; step < batch_.steps && found_.empty(); ++step) one_step(step);
    return found_;
  }

 private:
  void one_step(int number) {
    const std::int64_t rows = host_state_.rows();
    const std::size_t count = static_cast<std::size_t>(rows);
    const oracle_test::Logits logits(random_, rows, batch_.vocab);
    const DeviceLogits on_device(logits.memory.view(), shape_.offset);
    std::vector<std::int32_t> order(count);
    for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<std::int32_t>(i);
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random_.next() % i]);
    if (random_.chance(0.3)) order[0] = -1;
    const bool mapped = random_.chance(0.4);
    const DeviceArray<std::int32_t> device_order(order);
    HostItems items;
    DeviceItems device_items;
    if (mapped) {
      items.state_row = order;
      device_items.state_row = device_order.view();
    }
    compare_scores(number, logits, on_device, items, device_items);
    std::vector<std::int32_t> tokens(count, -7);
    std::vector<StepResult> results(count);
    const DeviceArray<std::int32_t> device_tokens(tokens);
    const DeviceArray<StepResult> device_results(results);
    step(host_, host_chain_, host_stop_, host_state_, logits.memory.view(),
         {.tokens = tokens, .results = results, .items = items});
    step(device_, device_chain_, device_stop_, device_state_, on_device.view(),
         {.tokens = device_tokens.span(), .results = device_results.span(), .items = device_items});
    const std::vector<std::int32_t> other_tokens = device_tokens.read();
    const std::vector<StepResult> other = device_results.read();
    for (std::size_t i = 0; i < count; ++i) {
      if (tokens[i] != other_tokens[i] ||
          std::memcmp(&results[i], &other[i], sizeof(StepResult)) != 0) {
        differ() << "step " << number << " item " << i << ": token " << tokens[i] << " and "
                 << other_tokens[i] << ", " << name_of(results[i].status) << " and "
                 << name_of(other[i].status) << "\n";
      }
    }
    compare_states("after a step");
  }

  void compare_scores(int number, const oracle_test::Logits& logits, const DeviceLogits& on_device,
                      const HostItems& items, const DeviceItems& device_items) {
    const std::int64_t rows = host_state_.rows();
    const std::int64_t width = batch_.vocab + random_.one_of<std::int64_t>({0, 5});
    std::vector<float> scores(static_cast<std::size_t>(rows * width), 12345.5f);
    const DeviceArray<float> device_scores_of(scores);
    apply(host_, host_chain_, host_state_, logits.memory.view(),
          host_scores(scores.data(), rows, width), items);
    apply(device_, device_chain_, device_state_, on_device.view(),
          device_scores(device_scores_of.data(), rows, width), device_items);
    const std::vector<float> other = device_scores_of.read();
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (canonical_bits(scores[i]) == canonical_bits(other[i])) continue;
      differ() << "step " << number << " score " << i % static_cast<std::size_t>(width)
               << " of item " << i / static_cast<std::size_t>(width) << ": " << std::hexfloat
               << scores[i] << " and " << other[i] << "\n";
      return;
    }
  }

  void compare_states(const char* when) {
    const std::string difference =
        logitchain_test::difference_of_states(host_state_, device_state_);
    if (!difference.empty()) differ() << when << ": " << difference << "\n";
  }

  std::ostringstream& differ() {
    text_ << (found_.empty() ? "host and device differ, " : "");
    found_ = "x";
    return text_;
  }

 public:
  std::string text() const { return text_.str(); }

 private:
  const HostChain& host_chain_;
  const DeviceChain& device_chain_;
  oracle_test::Stop host_stop_;
  oracle_test::Stop device_stop_;
  host_engine host_;
  const cuda_engine& device_;
  Random& random_;
  Shape shape_;
  const Batch& batch_;
  StepState host_state_;
  StepState device_state_;
  std::ostringstream text_;
  std::string found_;
};

/// Runs one random batch of a chain. @return what differs, empty where nothing does
template <class... Stage>
std::string compare(Steps<Stage...>, std::uint64_t seed, const Sizes& sizes, const Shape& shape) {
  Random random(seed);
  Batch batch(random, sizes);
  const cuda_engine engine(nullptr, {.cluster = shape.cluster, .residence = shape.residence});
  DeviceMemory memory(engine);
  auto made = std::tuple<Made<Stage>...>{make(batch.maker, static_cast<Stage*>(nullptr))...};
  return std::apply(
      [&](auto&... one) {
        const auto host_chain = chain(one.stage...);
        const auto device_chain = chain(logitchain_test::on_device(one.stage, memory)...);
        Comparison comparison(host_chain, device_chain, batch, memory, engine, random, shape);
        return comparison.difference().empty() ? std::string() : comparison.text();
      },
      made);
}

}  // namespace cuda_test
