// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <algorithm>
#include <exception>

#include "chain_registry.hpp"
#include "encoding.hpp"
#include "judge.hpp"

namespace golden {
namespace {

// What the library refused, told from what the file has wrong.
class Refusal : public Fault {
 public:
  using Fault::Fault;
};

Outcome run_chain(const std::vector<Stage>& stages, const Job& job) {
  const std::string sequence = sequence_of(stages);
  const Run run = find_chain(sequence);
  if (!run) throw Fault("the chain \"" + sequence + "\" was not compiled, see above");
  try {
    return run(job);
  } catch (const Fault&) {
    throw;
  } catch (const std::exception& error) {
    throw Refusal(std::string("the library refused it: ") + error.what());
  }
}

Job job_of(const Case& given) {
  Job job;
  job.stages = &given.stages;
  job.vocab = given.vocab;
  job.prompt = &given.prompt;
  job.generated = &given.generated;
  job.element = given.element;
  job.logits = given.logits();
  if (given.draw) job.seed = given.draw->seed;
  return job;
}

std::vector<std::vector<float>> run_stages(const Case& given) {
  std::vector<std::vector<float>> after;
  Job job = job_of(given);
  job.seed.reset();
  for (std::size_t i = 0; i < given.stages.size(); ++i) {
    const std::vector<Stage> one{given.stages[i]};
    job.stages = &one;
    if (i > 0) {
      job.element = Element::f32;
      job.logits = after.back().data();
    }
    try {
      after.push_back(run_chain(one, job).scores);
    } catch (const Refusal& refusal) {
      throw Refusal("stage " + std::to_string(i + 1) + " alone, " + one[0].name + ": " +
                    refusal.what());
    }
  }
  return after;
}

// A row that no one would mistake for another, in the case's element type.
template <class Word>
void add_neighbour(std::vector<Word>& rows, std::int64_t vocab, Word one, Word two) {
  for (std::int64_t i = 0; i < vocab; ++i) rows.push_back(i % 3 == 0 ? one : two);
}

// The same case with a healthy row above and one below: those must come out as they do alone.
template <class Word>
std::optional<std::string> neighbours_fault(const Case& given, const Word* logits, Word one,
                                            Word two) {
  const auto vocab = static_cast<std::size_t>(given.vocab);
  std::vector<Word> rows;
  add_neighbour(rows, given.vocab, one, two);
  rows.insert(rows.end(), logits, logits + vocab);
  add_neighbour(rows, given.vocab, two, one);
  Job job = job_of(given);
  job.seed.reset();
  job.rows = 3;
  job.logits = rows.data();
  const std::vector<float> together = run_chain(given.stages, job).scores;
  job.rows = 1;
  for (const std::size_t row : {0u, 2u}) {
    job.logits = rows.data() + row * vocab;
    const std::vector<float> alone = run_chain(given.stages, job).scores;
    const auto begin = together.begin() + static_cast<std::ptrdiff_t>(row * vocab);
    const std::vector<float> beside(begin, begin + static_cast<std::ptrdiff_t>(vocab));
    if (const auto token = first_difference(alone, beside); token >= 0) {
      return "a healthy row beside it changed: token " + std::to_string(token);
    }
  }
  return {};
}

std::optional<std::string> neighbours_fault(const Case& given) {
  switch (given.element) {
    case Element::f32:
      return neighbours_fault<float>(given, given.input.data(), 1.0f, 2.0f);
    case Element::f16:
      return neighbours_fault<std::uint16_t>(given, given.narrow.data(), 0x3c00, 0x4000);
    case Element::bf16:
      return neighbours_fault<std::uint16_t>(given, given.narrow.data(), 0x3f80, 0x4000);
  }
  return {};
}

// `draw` on the scores: refused exactly where there is no distribution, else a token that is kept.
std::optional<std::string> any_draw_fault(const Case& given, const std::vector<float>& scores) {
  const std::int32_t token = draw_from(scores, given.vocab, 20160831);
  if (without_distribution(scores)) {
    if (token == -1) return {};
    return "the draw from a row without a distribution gave token " + std::to_string(token);
  }
  if (token < 0) return "the draw was refused, though the row has a distribution";
  const float score = scores.at(static_cast<std::size_t>(token));
  if (score != -std::numeric_limits<float>::infinity()) return {};
  return "the draw gave token " + std::to_string(token) + ", which was removed";
}

std::optional<std::string> recorded_draw_fault(const Case& given, const Outcome& fused) {
  if (!given.draw) return {};
  const Drawn& drawn = fused.drawn.value();
  const auto say = [&](const std::string& what, std::int64_t expected, std::int64_t got) {
    return what + ": expected " + std::to_string(expected) + ", got " + std::to_string(got) +
           " (status " + drawn.status + ")";
  };
  if (drawn.position != given.draw->position) {
    return say("position of the draw", given.draw->position, drawn.position);
  }
  if (drawn.token != given.draw->token) {
    return say("token of the fused step", given.draw->token, drawn.token);
  }
  if (drawn.by_parts != given.draw->token) {
    return say("token of apply and draw", given.draw->token, drawn.by_parts);
  }
  return {};
}

/// True where a stage has a number that the reference refuses and that is off, or greedy, by the
/// library's own rule: the README's column of off values.
bool has_own_off_value(const Case& given) {
  const struct {
    const char* stage;
    const char* parameter;
    double value;
  } OFF[] = {{"Temperature", "temperature", 0},
             {"TopK", "top_k", 0},
             {"Typical", "mass", 1},
             {"EpsilonCutoff", "epsilon", 0},
             {"EtaCutoff", "epsilon", 0},
             {"TopH", "top_h", 0},
             {"NoRepeatNGram", "ngram_size", 0},
             {"PromptNoRepeatNGram", "ngram_size", 0}};
  for (const Stage& stage : given.stages) {
    for (const auto& off : OFF) {
      if (stage.name != off.stage || !stage.params.contains(off.parameter)) continue;
      const Json& number = stage.params.at(off.parameter);
      if (number.is_number() && number.get<double>() == off.value) return true;
    }
  }
  return false;
}

std::optional<std::string> run_fault(const Case& given, const StageTable& table, Verdict& verdict) {
  const Outcome fused = run_chain(given.stages, job_of(given));
  verdict.fused = true;
  Scores scores{fused.scores, run_stages(given)};
  if (given.category == Category::raises) {
    if (without_distribution(scores.fused) || has_own_off_value(given)) {
      return any_draw_fault(given, scores.fused);
    }
    return "the reference raises " + given.expected.raises.value_or("an error") +
           "; the library took it";
  }
  if (auto fault = fault_of(given, scores, table)) return fault;
  if (given.category == Category::nonfinite) {
    if (auto fault = neighbours_fault(given)) return fault;
  }
  if (auto fault = recorded_draw_fault(given, fused)) return fault;
  return any_draw_fault(given, scores.fused);
}

}  // namespace

Verdict try_case(const Case& given, const StageTable& table) {
  Verdict verdict;
  for (const Stage& stage : given.stages) {
    if (table.contains(stage.name)) continue;
    verdict.fault = "unknown stage " + stage.name + "; known are " + names_of(table);
    return verdict;
  }
  try {
    verdict.fault = run_fault(given, table, verdict);
  } catch (const Refusal& refusal) {
    if (given.category != Category::raises) verdict.fault = refusal.what();
  } catch (const std::exception& error) {
    verdict.fault = error.what();
  }
  return verdict;
}

}  // namespace golden
