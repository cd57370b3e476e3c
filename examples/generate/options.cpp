// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <optional>
#include <thread>

#include "usage.hpp"

namespace generate {
namespace {

// Whoever names none of the steps' numbers gets what `--help` tells; a number given for a step that
// the order does not have would be ignored in silence, and is refused instead.
void refuse_absent_steps(const CLI::App& app, Order order) {
  const auto given = [&](const char* name) { return app.count(name) > 0; };
  const auto refuse = [&](const char* name) {
    throw CLI::ValidationError(name, std::string("is not a step of the order ") + name_of(order) +
                                         "; choose another --order");
  };
  if (order == Order::transformers) {
    if (given("--frequency-penalty")) refuse("--frequency-penalty");
    if (given("--presence-penalty")) refuse("--presence-penalty");
  }
  if (order == Order::vllm && given("--typical")) refuse("--typical");
}

std::optional<Order> order_of(const std::string& name) {
  for (const Order order : {Order::transformers, Order::vllm, Order::llama_cpp}) {
    if (name == name_of(order)) return order;
  }
  return std::nullopt;
}

std::string check_order(const std::string& name) {
  if (order_of(name)) return {};
  return name + " is not an order; use transformers, vllm or llama_cpp";
}

// CLI11 lets a negative number wrap around.
std::string check_seed(const std::string& number) {
  return number.rfind('-', 0) == 0 ? number + " is negative" : std::string();
}

std::string check_engine(const std::string& name) {
  if (name == name_of(Engine::host) || name == name_of(Engine::cuda)) return {};
  return name + " is not an engine; use host or cuda";
}

}  // namespace

const char* name_of(Order order) {
  switch (order) {
    case Order::transformers:
      return "transformers";
    case Order::vllm:
      return "vllm";
    case Order::llama_cpp:
      return "llama_cpp";
  }
  return "unknown";
}

const char* name_of(Engine engine) { return engine == Engine::host ? "host" : "cuda"; }

Parsed parse(int argc, char** argv) {
  Parsed parsed;
  Options& options = parsed.options;
  Sampling& sampling = options.sampling;
  options.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::string engine = name_of(options.engine);
  std::string order = name_of(options.order);
  bool help = false;

  CLI::App app;
  app.set_help_flag();
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_flag("-h,--help", help);
  app.add_option("--model", options.model);
  const auto list = CLI::MultiOptionPolicy::TakeAll;
  app.add_option("--prompt", options.prompts)
      ->multi_option_policy(list)
      ->expected(1)
      ->allow_extra_args(false);
  app.add_option("--stop", options.stops)
      ->multi_option_policy(list)
      ->expected(1)
      ->allow_extra_args(false);
  app.add_flag("--chat", options.chat);
  app.add_option("--max-new-tokens", options.max_new_tokens)
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 20));
  app.add_option("--order", order)->check(check_order);
  app.add_option("--seed", options.seed)->check(check_seed);
  app.add_option("--temperature", sampling.temperature);
  app.add_option("--top-k", sampling.top_k);
  app.add_option("--top-p", sampling.top_p);
  app.add_option("--min-p", sampling.min_p);
  app.add_option("--typical", sampling.typical);
  app.add_option("--repetition-penalty", sampling.repetition_penalty);
  app.add_option("--frequency-penalty", sampling.frequency_penalty);
  app.add_option("--presence-penalty", sampling.presence_penalty);
  app.add_option("--engine", engine)->check(check_engine);
  app.add_option("--threads", options.threads)->check(CLI::Range(1, 1024));
  app.add_flag("--json", options.json);
  app.add_option("--record", options.record);
  app.add_flag("--explain", options.explain);

  try {
    app.parse(argc, argv);
    if (help) {
      std::cout << USAGE;
      parsed.exit_status = 0;
      return parsed;
    }
    options.order = order_of(order).value();
    options.engine = engine == name_of(Engine::cuda) ? Engine::cuda : Engine::host;
    refuse_absent_steps(app, options.order);
    for (const std::string& stop : options.stops) {
      if (stop.empty()) throw CLI::ValidationError("--stop", "is empty");
    }
    if (options.model.empty()) throw CLI::RequiredError("--model");
  } catch (const CLI::Error& error) {
    std::cerr << "error: " << error.what() << "\nRun with --help for the arguments.\n";
    parsed.exit_status = 2;
    return parsed;
  }
  if (options.prompts.empty()) {
    if (options.chat) {
      options.prompts = {"Why is the sky blue?", "Name three rivers of Europe.",
                         "Write a haiku about the sea."};
    } else {
      options.prompts = {"The best thing about a small language model is",
                         "Once upon a time, in a village by the sea,",
                         "A recipe for pancakes:\n1."};
    }
  }
  return parsed;
}

}  // namespace generate
