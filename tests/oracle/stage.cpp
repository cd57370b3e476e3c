// SPDX-License-Identifier: Apache-2.0
#include "oracle/stage.hpp"

#include <cmath>
#include <sstream>

namespace oracle {
namespace {

bool unit(double x) { return x >= 0 && x <= 1; }
bool positive(double x) { return x > 0 && std::isfinite(x); }
bool count(std::int64_t x) { return x >= 0; }

/// Ranges, as the table of transforms states them.
struct Ranges {
  template <class Stage>
  bool operator()(const Stage&) const {
    return true;
  }
  bool operator()(const Temperature& s) const { return s.value >= 0 && std::isfinite(s.value); }
  bool operator()(const RepetitionPenalty& s) const {
    return positive(s.penalty) && count(s.prompt_ignore_length);
  }
  bool operator()(const PromptRepetitionPenalty& s) const { return positive(s.penalty); }
  bool operator()(const FrequencyPenalty& s) const { return std::isfinite(s.penalty); }
  bool operator()(const PresencePenalty& s) const { return std::isfinite(s.penalty); }
  bool operator()(const NoRepeatNGram& s) const { return count(s.size); }
  bool operator()(const PromptNoRepeatNGram& s) const { return count(s.size); }
  bool operator()(const BeginSuppressTokens& s) const { return s.offset >= -1; }
  bool operator()(const MinLength& s) const { return count(s.length); }
  bool operator()(const MinNewTokens& s) const { return count(s.count); }
  bool operator()(const ExponentialDecayLengthPenalty& s) const {
    return count(s.start) && positive(s.factor);
  }
  bool operator()(const ForcedBOS& s) const { return s.token >= -1; }
  bool operator()(const ForcedEOS& s) const { return count(s.max_length); }
  bool operator()(const MinP& s) const { return unit(s.p) && s.least >= 1; }
  bool operator()(const EpsilonCutoff& s) const {
    return unit(s.epsilon) && s.epsilon < 1 && s.least >= 1;
  }
  bool operator()(const EtaCutoff& s) const {
    return unit(s.epsilon) && s.epsilon < 1 && s.least >= 1;
  }
  bool operator()(const TopNSigma& s) const { return s.n >= 0 && std::isfinite(s.n); }
  bool operator()(const TopK& s) const { return count(s.k) && s.least >= 1; }
  bool operator()(const TopP& s) const { return unit(s.p) && s.least >= 1; }
  bool operator()(const JointTopKTopP& s) const { return count(s.k) && unit(s.p); }
  bool operator()(const Typical& s) const { return unit(s.mass) && s.mass > 0 && s.least >= 1; }
  bool operator()(const TopH& s) const { return unit(s.fraction) && s.candidates >= 1; }
};

template <class... Values>
std::string line(const char* name, const Values&... values) {
  std::ostringstream out;
  out.precision(17);
  out << name;
  ((out << ' ' << values), ...);
  return out.str();
}

std::string list(const Ids& ids) {
  std::string all = "{";
  for (const std::int64_t id : ids) all += (all.size() > 1 ? "," : "") + std::to_string(id);
  return all + "}";
}

struct Texts {
  std::string operator()(const Temperature& s) const { return line("Temperature", s.value); }
  std::string operator()(const RemoveInvalidValues&) const { return "RemoveInvalidValues"; }
  std::string operator()(const OwnMap& s) const { return line("OwnMap", s.slope); }
  std::string operator()(const RepetitionPenalty& s) const {
    return line("RepetitionPenalty", s.penalty, s.prompt_ignore_length);
  }
  std::string operator()(const PromptRepetitionPenalty& s) const {
    return line("PromptRepetitionPenalty", s.penalty);
  }
  std::string operator()(const FrequencyPenalty& s) const {
    return line("FrequencyPenalty", s.penalty);
  }
  std::string operator()(const PresencePenalty& s) const {
    return line("PresencePenalty", s.penalty);
  }
  std::string operator()(const NoRepeatNGram& s) const { return line("NoRepeatNGram", s.size); }
  std::string operator()(const PromptNoRepeatNGram& s) const {
    return line("PromptNoRepeatNGram", s.size);
  }
  std::string operator()(const SequenceBias& s) const {
    std::string all = "SequenceBias";
    for (const auto& [ids, bias] : s.entries) all += ' ' + list(ids) + '=' + line("", bias);
    return all;
  }
  std::string operator()(const SuppressTokens& s) const {
    return line("SuppressTokens", list(s.tokens));
  }
  std::string operator()(const BeginSuppressTokens& s) const {
    return line("BeginSuppressTokens", list(s.tokens), s.offset);
  }
  std::string operator()(const MinLength& s) const {
    return line("MinLength", s.length, list(s.eos));
  }
  std::string operator()(const MinNewTokens& s) const {
    return line("MinNewTokens", s.count, list(s.eos));
  }
  std::string operator()(const ExponentialDecayLengthPenalty& s) const {
    return line("ExponentialDecayLengthPenalty", s.start, s.factor, list(s.eos));
  }
  std::string operator()(const ForcedBOS& s) const { return line("ForcedBOS", s.token); }
  std::string operator()(const ForcedEOS& s) const {
    return line("ForcedEOS", list(s.eos), s.max_length);
  }
  std::string operator()(const MinP& s) const { return line("MinP", s.p, s.least); }
  std::string operator()(const EpsilonCutoff& s) const {
    return line("EpsilonCutoff", s.epsilon, s.least);
  }
  std::string operator()(const EtaCutoff& s) const { return line("EtaCutoff", s.epsilon, s.least); }
  std::string operator()(const Renormalize&) const { return "Renormalize"; }
  std::string operator()(const TopNSigma& s) const { return line("TopNSigma", s.n); }
  std::string operator()(const Greedy&) const { return "Greedy"; }
  std::string operator()(const TopK& s) const { return line("TopK", s.k, s.least, s.lowest_id); }
  std::string operator()(const TopP& s) const { return line("TopP", s.p, s.least); }
  std::string operator()(const JointTopKTopP& s) const { return line("JointTopKTopP", s.k, s.p); }
  std::string operator()(const Typical& s) const { return line("Typical", s.mass, s.least); }
  std::string operator()(const TopH& s) const { return line("TopH", s.fraction, s.candidates); }
};

}  // namespace

bool valid(const Stage& stage) { return std::visit(Ranges{}, stage); }

std::string text(const Stage& stage) { return std::visit(Texts{}, stage); }

}  // namespace oracle
