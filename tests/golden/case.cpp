// SPDX-License-Identifier: Apache-2.0
#include "case.hpp"

#include <bit>
#include <cmath>

#include "encoding.hpp"

namespace golden {
namespace {

bool has(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && !found->is_null();
}

std::uint64_t hash_of_hex(const Json& value) {
  return std::stoull(value.get<std::string>(), nullptr, 16);
}

Mask mask_of_digits(const std::string& digits) {
  Mask mask(digits.size());
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] != '0' && digits[i] != '1') throw Fault("a mask holds more than 0 and 1");
    mask[i] = digits[i] == '1';
  }
  return mask;
}

Mask mask_of_ids(const Json& ids, std::size_t vocab, bool listed) {
  Mask mask(vocab, listed ? 0 : 1);
  for (const Json& id : ids) mask.at(id.get<std::size_t>()) = listed;
  return mask;
}

Mask mask_of_bitmap(const std::string& hex, std::size_t vocab) {
  const auto bytes = bytes_of_hex(hex);
  if (bytes.size() < (vocab + 7) / 8) throw Fault("\"kept_bitmap\" is too short");
  Mask mask(vocab);
  for (std::size_t i = 0; i < vocab; ++i) mask[i] = bytes[i / 8] >> i % 8 & 1;
  return mask;
}

std::vector<float> floats_of(const std::vector<std::uint32_t>& words) {
  std::vector<float> values(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) values[i] = std::bit_cast<float>(words[i]);
  return values;
}

std::vector<float> floats_of_decimals(const Json& list) {
  std::vector<float> values;
  for (const Json& value : list) values.push_back(static_cast<float>(decimal_of(value)));
  return values;
}

void check_size(const char* what, std::size_t size, std::int64_t vocab) {
  if (size != static_cast<std::size_t>(vocab)) {
    throw Fault(std::string("\"") + what + "\" has " + std::to_string(size) + " tokens, vocab is " +
                std::to_string(vocab));
  }
}

void read_logits(const Json& line, Case& read) {
  const std::string dtype = line.at("dtype");
  if (dtype != "f32" && dtype != "f16" && dtype != "bf16") {
    throw Fault("\"dtype\" is " + dtype + "; it must be f32, f16 or bf16");
  }
  read.element = dtype == "f32" ? Element::f32 : dtype == "f16" ? Element::f16 : Element::bf16;
  const bool half = read.element == Element::f16;
  if (has(line, "logits")) {
    const auto words =
        words_of_hex(line["logits"].get<std::string>(), read.element == Element::f32 ? 8 : 4);
    if (read.element == Element::f32) {
      read.input = floats_of(words);
    } else {
      read.narrow.assign(words.begin(), words.end());
    }
  } else {
    read.input = has(line, "logits_gen") ? generated_logits(line["logits_gen"], read.vocab)
                                         : floats_of_decimals(line.at("logits_dec"));
    if (read.element != Element::f32) {
      for (const float x : read.input) {
        read.narrow.push_back(half ? rounded_f16(x) : rounded_bf16(x));
      }
    }
  }
  if (read.element != Element::f32) {
    read.input.clear();
    for (const std::uint16_t x : read.narrow) {
      read.input.push_back(half ? widened_f16(x) : widened_bf16(x));
    }
  }
  check_size("logits", read.input.size(), read.vocab);
}

Expected read_expected(const Json& from, std::int64_t vocab) {
  Expected expected;
  const auto size = static_cast<std::size_t>(vocab);
  if (has(from, "raises")) expected.raises = from["raises"].dump();
  expected.values_unchanged = from.value("values_unchanged", false);
  if (has(from, "out")) {
    expected.out = floats_of(words_of_hex(from["out"].get<std::string>(), 8));
  } else if (has(from, "out_dec")) {
    expected.out = floats_of_decimals(from["out_dec"]);
  }
  if (expected.out) check_size("expected.out", expected.out->size(), vocab);
  if (has(from, "kept")) {
    expected.kept = mask_of_digits(from["kept"]);
  } else if (has(from, "kept_indices")) {
    expected.kept = mask_of_ids(from["kept_indices"], size, true);
  } else if (has(from, "removed_indices")) {
    expected.kept = mask_of_ids(from["removed_indices"], size, false);
  } else if (has(from, "kept_bitmap")) {
    expected.kept = mask_of_bitmap(from["kept_bitmap"], size);
  } else if (expected.out) {
    expected.kept.emplace();
    for (const float x : *expected.out) expected.kept->push_back(x != -INFINITY);
  }
  if (expected.kept) check_size("expected.kept", expected.kept->size(), vocab);
  if (has(from, "kept_count")) expected.kept_count = from["kept_count"].get<std::int64_t>();
  if (has(from, "kept_fnv1a64")) expected.kept_hash = hash_of_hex(from["kept_fnv1a64"]);
  if (has(from, "out_fnv1a64")) expected.out_hash = hash_of_hex(from["out_fnv1a64"]);
  if (has(from, "lse_f64")) expected.log_sum_exp = decimal_of(from["lse_f64"]);
  for (const Json& sample : from.value("samples", Json::array())) {
    const auto bits = words_of_hex(sample.at(1).get<std::string>(), 8);
    const auto id = sample.at(0).get<std::int64_t>();
    if (id < 0 || id >= vocab) throw Fault("\"samples\" name a token beyond the vocabulary");
    expected.samples.emplace_back(id, std::bit_cast<float>(bits.at(0)));
  }
  for (const Json& mask : from.value("kept_after_stage", Json::array())) {
    expected.kept_after_stage.push_back(mask_of_digits(mask));
    check_size("expected.kept_after_stage", expected.kept_after_stage.back().size(), vocab);
  }
  for (const Json& count : from.value("kept_count_after_stage", Json::array())) {
    expected.kept_count_after_stage.push_back(count.get<std::int64_t>());
  }
  return expected;
}

Category category_of(const std::string& name) {
  if (name == "strict") return Category::strict;
  if (name == "near") return Category::near;
  if (name == "tie") return Category::tie;
  if (name == "split") return Category::split;
  if (name == "nonfinite") return Category::nonfinite;
  if (name == "raises") return Category::raises;
  throw Fault("\"category\" is " + name + "; the golden format has no such category");
}

void excuse(const Json& ids, Case& read) {
  if (read.excused.empty()) read.excused.assign(static_cast<std::size_t>(read.vocab), 0);
  for (const Json& id : ids) read.excused.at(id.get<std::size_t>()) = 1;
}

// `tie_split` lies beside the case or in one of its decisions: {"indices": [...], "kept_count": n}.
void read_split(const Json& split, Case& read) {
  excuse(split.at("indices"), read);
  if (has(split, "kept_count")) {
    read.split_count = read.split_count.value_or(0) + split["kept_count"].get<std::int64_t>();
  }
}

void read_excuses(const Json& line, Case& read) {
  if (has(line, "tie_split")) read_split(line["tie_split"], read);
  for (const Json& decision : line.value("decisions", Json::array())) {
    const bool banded = read.category == Category::near || read.category == Category::tie;
    if (banded && has(decision, "band")) excuse(decision["band"], read);
    if (has(decision, "tie_split")) read_split(decision["tie_split"], read);
  }
  if (read.category != Category::split || read.excused.empty() || read.split_count) return;
  if (!read.expected.kept) throw Fault("\"tie_split\" has neither a \"kept_count\" nor a mask");
  read.split_count = 0;
  for (std::size_t i = 0; i < read.excused.size(); ++i) {
    *read.split_count += read.excused[i] & (*read.expected.kept)[i];
  }
}

}  // namespace

Case read_case(const Json& line) try {
  Case read;
  read.id = line.value("id", "(no id)");
  read.stages = stages_of(line);
  read.vocab = line.at("vocab").get<std::int64_t>();
  if (read.vocab < 1) throw Fault("\"vocab\" is " + std::to_string(read.vocab));
  read.prompt = line.value("prompt", std::vector<std::int64_t>{});
  read.generated = line.value("generated", std::vector<std::int64_t>{});
  read_logits(line, read);
  read.category = category_of(line.value("category", "strict"));
  const Json tolerance = line.value("tolerance", Json::object());
  read.tolerance = {tolerance.value("abs", 0.0), tolerance.value("rel", 0.0),
                    tolerance.value("ulp", 0.0)};
  for (const auto& [name, value] : tolerance.items()) {
    if (name != "abs" && name != "rel" && name != "ulp") {
      throw Fault("\"tolerance\" has an unknown part: " + name);
    }
  }
  read.expected = read_expected(line.value("expected", Json::object()), read.vocab);
  read_excuses(line, read);
  if (has(line, "draw")) {
    const Json& draw = line["draw"];
    read.draw = Draw{draw.at("seed").get<std::uint64_t>(), draw.at("position").get<std::int64_t>(),
                     draw.at("token").get<std::int32_t>()};
  }
  return read;
} catch (const Json::exception& error) {
  throw Fault(std::string("not in the golden format: ") + error.what());
} catch (const std::out_of_range&) {
  throw Fault("not in the golden format: a token beyond the vocabulary");
}

}  // namespace golden
