// SPDX-License-Identifier: Apache-2.0
#include "llama_cpp.hpp"

#include <llama.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "../step/numbers.hpp"

namespace bench {

namespace {

struct Free {
  void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
};
using Chain = std::unique_ptr<llama_sampler, Free>;

llama_sampler* make_stage(const Stage& stage) {
  const auto value = static_cast<float>(stage.value);
  if (stage.name == "temperature") return llama_sampler_init_temp(value);
  if (stage.name == "top_k") return llama_sampler_init_top_k(static_cast<std::int32_t>(value));
  if (stage.name == "top_p") return llama_sampler_init_top_p(value, 1);
  if (stage.name == "min_p") return llama_sampler_init_min_p(value, 1);
  if (stage.name == "typical") return llama_sampler_init_typical(value, 1);
  throw std::logic_error("llama.cpp: no sampler for " + std::string(stage.name));
}

/// The samplers of a recipe; its three penalties are one of them.
Chain make_chain(const Case& measured, bool with_draw) {
  llama_sampler_chain_params params = llama_sampler_chain_default_params();
  params.no_perf = true;
  Chain chain(llama_sampler_chain_init(params));
  float repetition = 1;
  float frequency = 0;
  float presence = 0;
  for (const Stage& stage : stages_of(measured.recipe)) {
    if (stage.name == "repetition") repetition = static_cast<float>(stage.value);
    if (stage.name == "frequency") frequency = static_cast<float>(stage.value);
    if (stage.name == "presence") presence = static_cast<float>(stage.value);
  }
  if (repetition != 1) {
    // A window that nothing leaves: ours looks at the whole history.
    const auto window = static_cast<std::int32_t>(measured.history + STEPS_OF_A_ROW);
    const auto vocab = static_cast<std::int32_t>(measured.vocab);
    llama_sampler_chain_add(
        chain.get(), llama_sampler_init_penalties(vocab, window, repetition, frequency, presence));
  }
  for (const Stage& stage : stages_of(measured.recipe)) {
    if (stage.name == "repetition" || stage.name == "frequency" || stage.name == "presence")
      continue;
    llama_sampler_chain_add(chain.get(), make_stage(stage));
  }
  if (measured.recipe == Recipe::greedy) {
    llama_sampler_chain_add(chain.get(), llama_sampler_init_greedy());
  } else if (with_draw) {
    llama_sampler_chain_add(chain.get(), llama_sampler_init_dist(1));
  }
  return chain;
}

class LlamaStep final : public Contender {
 public:
  LlamaStep(const Case& measured, const Input& input, bool filling)
      : measured_(measured),
        input_(input),
        filling_(filling),
        chain_(make_chain(measured, true)),
        candidates_(input.logits.size()) {
    fill();
    if (!filling) ready_ = candidates_;
  }

  void restart() override { restart(chain_); }
  bool prepares() const override { return !filling_; }
  void prepare() override { std::copy(ready_.begin(), ready_.end(), candidates_.begin()); }
  void step() override {
    if (filling_) fill();
    const llama_token_data_array left = apply(chain_);
    if (left.selected < 0) {
      failed_ = true;
      return;
    }
    llama_sampler_accept(chain_.get(), left.data[left.selected].id);
  }

  bool shows_survivors() const override { return true; }
  std::vector<Survivor> survivors() override {
    const Chain chain = make_chain(measured_, false);
    restart(chain);
    fill();
    const llama_token_data_array left = apply(chain);
    if (measured_.recipe == Recipe::greedy) return {{left.data[left.selected].id, 0}};
    std::vector<Survivor> kept;
    kept.reserve(left.size);
    for (std::size_t i = 0; i < left.size; ++i)
      kept.push_back({left.data[i].id, left.data[i].logit});
    return kept;
  }

  std::string fault() const override { return failed_ ? "no token was selected" : ""; }

 private:
  /// As `llama_sampler_sample` makes its candidates.
  void fill() {
    const auto vocab = static_cast<llama_token>(input_.logits.size());
    for (llama_token token = 0; token < vocab; ++token) {
      const auto i = static_cast<std::size_t>(token);
      candidates_[i] = llama_token_data{token, input_.logits[i], 0.0f};
    }
  }
  llama_token_data_array apply(const Chain& chain) {
    llama_token_data_array array{candidates_.data(), candidates_.size(), -1, false};
    llama_sampler_apply(chain.get(), &array);
    return array;
  }
  void restart(const Chain& chain) const {
    llama_sampler_reset(chain.get());
    for (const std::int64_t token : input_.history) {
      llama_sampler_accept(chain.get(), static_cast<llama_token>(token));
    }
  }

  Case measured_;
  const Input& input_;
  bool filling_;
  bool failed_ = false;
  Chain chain_;
  std::vector<llama_token_data> candidates_;
  std::vector<llama_token_data> ready_;
};

}  // namespace

std::string llama_cpp_built_with() {
  return std::string("llama.cpp ") + LLAMA_CPP_PACKAGE + "; " + llama_print_system_info();
}

std::unique_ptr<Contender> make_llama_cpp(const Case& measured, const Input& input, bool filling) {
  return std::make_unique<LlamaStep>(measured, input, filling);
}

}  // namespace bench
