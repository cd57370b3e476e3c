// SPDX-License-Identifier: Apache-2.0
#include "recorder.hpp"

#include <bit>
#include <limits>
#include <stdexcept>
#include <utility>

namespace generate {
namespace {

std::string hex_of(std::span<const float> values) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(values.size() * 8);
  for (const float value : values) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (int shift = 28; shift >= 0; shift -= 4) text += digits[(bits >> shift) & 15u];
  }
  return text;
}

}  // namespace

Recorder::Recorder(const std::string& path, nlohmann::ordered_json stages)
    : path_(path), stages_(std::move(stages)), out_(path, std::ios::binary) {
  if (!out_) throw std::runtime_error("cannot write the recording " + path);
}

void Recorder::write(const RecordedStep& step) {
  std::string kept;
  kept.reserve(step.scores.size());
  std::int64_t kept_count = 0;
  for (const float score : step.scores) {
    const bool stays = score != -std::numeric_limits<float>::infinity();
    kept += stays ? '1' : '0';
    kept_count += stays ? 1 : 0;
  }
  nlohmann::ordered_json line;
  line["id"] = step.id;
  line["stages"] = stages_;
  line["vocab"] = step.logits.size();
  line["dtype"] = "f32";
  line["prompt"] = step.prompt;
  line["generated"] = step.generated;
  line["logits"] = hex_of(step.logits);
  line["category"] = "strict";
  line["tolerance"] = nlohmann::ordered_json::object();
  line["expected"] = {{"values_unchanged", false},
                      {"kept_count", kept_count},
                      {"kept", std::move(kept)},
                      {"out", hex_of(step.scores)}};
  line["draw"] = {{"seed", step.seed}, {"position", step.position}, {"token", step.token}};
  out_ << line.dump() << '\n' << std::flush;
  if (!out_) throw std::runtime_error("cannot write the recording " + path_);
}

}  // namespace generate
