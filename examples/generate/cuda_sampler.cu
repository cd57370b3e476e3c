// SPDX-License-Identifier: Apache-2.0
// The sampler on a CUDA device. llama.cpp leaves logits in host memory here, so they are copied for
// each step; an engine whose model runs on the device has them there already.
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include <logitchain/logitchain.cuh>

#include "chains.hpp"
#include "device_buffer.cuh"
#include "sampler.hpp"

namespace generate {
namespace {

using DeviceStops = std::optional<lc::DeviceTable<lc::StopTableView>>;

/// What the criterion refers to, in device memory.
struct DeviceRules {
  DeviceRules(StopRules on_host, const lc::cuda_engine& engine)
      : rules(std::move(on_host.rules)), end_tokens(on_host.end_tokens.size()) {
    const std::vector<std::int32_t> ids(on_host.end_tokens.begin(), on_host.end_tokens.end());
    end_tokens.write(ids.data(), ids.size(), engine.stream());
    ends = lc::device_span<const std::int32_t>(end_tokens.data(),
                                               static_cast<std::int64_t>(ids.size()));
    if (on_host.table) table.emplace(lc::upload(engine, *on_host.table));
    check_cuda(cudaStreamSynchronize(engine.stream()), "cudaStreamSynchronize");
  }
  const lc::StopTableView* strings() const { return table ? &table->view() : nullptr; }

  std::vector<Rule> rules;
  DeviceBuffer<std::int32_t> end_tokens;
  lc::device_span<const std::int32_t> ends;
  DeviceStops table;
};

template <class Chain, class Stop>
class CudaSampler final : public Sampler {
 public:
  CudaSampler(const Chain& chain, const Stop& stop, std::unique_ptr<Stream> stream,
              std::unique_ptr<const DeviceRules> rules, const SamplerShape& shape)
      : stream_(std::move(stream)),
        rules_(std::move(rules)),
        rows_(static_cast<std::size_t>(shape.rows)),
        vocab_(shape.vocab),
        chain_(chain),
        stop_(stop),
        engine_(stream_->get()),
        state_(engine_, {.rows = shape.rows, .capacity = shape.capacity, .vocab = shape.vocab},
               lc::needs(chain_, stop_)),
        logits_(rows_ * static_cast<std::size_t>(vocab_)),
        logits_row_(rows_),
        state_row_(rows_),
        tokens_(rows_),
        results_(rows_) {}

  void admit(const std::vector<lc::Request>& requests) override {
    lc::admit(engine_, chain_, stop_, state_, lc::host_span<const lc::Request>(requests));
  }

  void step(const Items& items, std::vector<std::int32_t>& tokens,
            std::vector<lc::StepResult>& results) override {
    const std::size_t count = items.state_row.size();
    const auto size = static_cast<std::int64_t>(count);
    const lc::device_logits logits = write(items);
    lc::step(engine_, chain_, stop_, state_, logits,
             {.tokens = lc::device_span<std::int32_t>(tokens_.data(), size),
              .results = lc::device_span<lc::StepResult>(results_.data(), size),
              .items = rows_of(items)});
    tokens.resize(count);
    results.resize(count);
    tokens_.read(tokens.data(), count, stream_->get());
    results_.read(results.data(), count, stream_->get());
    stream_->wait();
  }

  void apply(const Items& items, std::vector<float>& scores) override {
    const std::size_t count = items.state_row.size() * static_cast<std::size_t>(vocab_);
    scores.resize(count);
    if (!scores_) scores_.emplace(rows_ * static_cast<std::size_t>(vocab_));
    const lc::device_logits logits = write(items);
    lc::apply(engine_, chain_, state_, logits,
              lc::device_scores(scores_->data(), static_cast<std::int64_t>(items.state_row.size()),
                                vocab_),
              rows_of(items));
    scores_->read(scores.data(), count, stream_->get());
    stream_->wait();
  }

  lc::Finish finish(std::int32_t row) const override {
    const lc::RowRecord record =
        lc::read_records(engine_, state_).at(static_cast<std::size_t>(row));
    return {record.finish_criterion, record.finish_entry, record.finish_begin};
  }
  std::string explain() const override { return lc::explain(chain_, stop_); }
  std::string fingerprint() const override { return lc::fingerprint(chain_, stop_); }
  const std::vector<Rule>& rules() const override { return rules_->rules; }

 private:
  lc::device_logits write(const Items& items) {
    logits_.write(items.logits, static_cast<std::size_t>(items.rows * vocab_), stream_->get());
    logits_row_.write(items.logits_row.data(), items.logits_row.size(), stream_->get());
    state_row_.write(items.state_row.data(), items.state_row.size(), stream_->get());
    return {logits_.data(), items.rows, vocab_};
  }
  lc::DeviceItems rows_of(const Items& items) const {
    const auto size = static_cast<std::int64_t>(items.state_row.size());
    return {lc::device_span<const std::int32_t>(logits_row_.data(), size),
            lc::device_span<const std::int32_t>(state_row_.data(), size)};
  }

  std::unique_ptr<Stream> stream_;
  std::unique_ptr<const DeviceRules> rules_;
  std::size_t rows_;
  std::int64_t vocab_;
  Chain chain_;
  Stop stop_;
  lc::cuda_engine engine_;
  lc::StepState state_;
  DeviceBuffer<float> logits_;
  DeviceBuffer<std::int32_t> logits_row_;
  DeviceBuffer<std::int32_t> state_row_;
  DeviceBuffer<std::int32_t> tokens_;
  DeviceBuffer<lc::StepResult> results_;
  std::optional<DeviceBuffer<float>> scores_;
};

/// Makes the sampler of a chain for whatever criterion it is called with.
template <class Chain>
struct MakeSampler {
  const Chain& chain;
  std::unique_ptr<Stream>& stream;
  std::unique_ptr<const DeviceRules>& rules;
  const SamplerShape& shape;

  template <class Stop>
  std::unique_ptr<Sampler> operator()(const Stop& stop) const {
    return std::make_unique<CudaSampler<Chain, Stop>>(chain, stop, std::move(stream),
                                                      std::move(rules), shape);
  }
};

}  // namespace

std::unique_ptr<Sampler> make_cuda_sampler(const Options& options, StopRules stop_rules,
                                           const SamplerShape& shape) {
  auto stream = std::make_unique<Stream>();
  auto rules =
      std::make_unique<const DeviceRules>(std::move(stop_rules), lc::cuda_engine(stream->get()));
  const lc::StopTableView* const strings = rules->strings();
  const lc::TokenList ends(rules->ends);
  return with_order(options, [&](const auto& stages) -> std::unique_ptr<Sampler> {
    const auto chain = chain_of(stages);
    using Chain = std::remove_const_t<decltype(chain)>;
    return with_criterion(options, ends, strings, MakeSampler<Chain>{chain, stream, rules, shape});
  });
}

}  // namespace generate
