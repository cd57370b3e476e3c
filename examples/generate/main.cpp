// SPDX-License-Identifier: Apache-2.0
// Text from a real model: llama.cpp gives the logits, Logitchain the tokens.
#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <logitchain/core/error.hpp>

#include "decode_loop.hpp"
#include "llama_decoder.hpp"
#include "llama_model.hpp"
#include "options.hpp"
#include "printer.hpp"
#include "recorded_stages.hpp"
#include "recorder.hpp"
#include "sampler.hpp"
#include "stop_rules.hpp"
#include "summary.hpp"

namespace {

using generate::Model;
using generate::Options;
using generate::Prompts;

// An argument that only the model shows to be wrong.
struct WrongArgument : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Prompts tokenize(const Options& options, const Model& model) {
  const auto most = static_cast<std::size_t>(generate::Decoder::max_rows());
  if (options.prompts.size() > most) {
    throw WrongArgument("--prompt: llama.cpp decodes at most " + std::to_string(most) +
                        " rows together");
  }
  Prompts prompts;
  for (const std::string& text : options.prompts) {
    prompts.push_back(options.chat ? model.tokenize_chat(text) : model.tokenize(text));
    if (std::cmp_greater_equal(prompts.back().size(), model.context_length())) {
      throw WrongArgument("--prompt: row " + std::to_string(prompts.size() - 1) + " has " +
                          std::to_string(prompts.back().size()) + " tokens; the model holds " +
                          std::to_string(model.context_length()));
    }
  }
  return prompts;
}

int run(const Options& options) {
  const Model model(options.model);
  const Prompts prompts = tokenize(options, model);
  const auto rows = static_cast<std::int32_t>(prompts.size());
  std::int64_t longest = 0;
  std::int64_t all = 0;
  for (const auto& prompt : prompts) {
    const auto length = static_cast<std::int64_t>(prompt.size());
    longest = std::max(longest, length);
    all += length;
  }
  const auto capacity = static_cast<std::int32_t>(
      std::min<std::int64_t>(longest + options.max_new_tokens, model.context_length()));

  const generate::SamplerShape shape{rows, capacity, model.vocab_size()};
  const auto make_sampler = options.engine == generate::Engine::cuda ? generate::make_cuda_sampler
                                                                     : generate::make_host_sampler;
  const auto sampler = make_sampler(options, generate::stop_rules(options, model), shape);
  if (options.explain) {
    std::cout << sampler->explain();
    return 0;
  }
  std::unique_ptr<generate::Recorder> recorder;
  if (!options.record.empty()) {
    recorder =
        std::make_unique<generate::Recorder>(options.record, generate::recorded_stages(options));
  }
  generate::Decoder decoder(model, rows, capacity,
                            static_cast<std::int32_t>(std::max<std::int64_t>(all, rows)),
                            options.threads);
  std::cerr << "model " << model.description() << ", engine " << name_of(options.engine)
            << ", order " << name_of(options.order) << ", " << rows
            << (rows == 1 ? " row\n" : " rows\n");
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    std::cerr << "row " << i << ", seed " << options.seed + i << ": "
              << generate::quoted(options.prompts[i], 72) << '\n';
  }

  std::ostream& text = options.json ? std::cerr : std::cout;
  generate::Printer printer(text, prompts.size());
  const generate::Summary summary =
      decode(options, model, decoder, *sampler, prompts, {printer, recorder.get()});
  if (options.json) {
    write_json(std::cout, summary);
  } else {
    write_text(std::cerr, summary);
  }
  return all_finished(summary) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const generate::Parsed parsed = generate::parse(argc, argv);
  if (parsed.exit_status >= 0) return parsed.exit_status;
  try {
    return run(parsed.options);
  } catch (const WrongArgument& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 2;
  } catch (const logitchain::invalid_argument& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }
}
