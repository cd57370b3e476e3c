// SPDX-License-Identifier: Apache-2.0
// Prints a digest of the scores and tokens of whole chains on the host engine, per element type,
// and holds every set of instructions of this processor to the same bits.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <logitchain/logitchain.hpp>

#include "bits/digest.hpp"

namespace {

namespace lc = logitchain;

constexpr int ROWS = 32, STEPS = 12;
constexpr std::int64_t VOCAB = 1003;  // odd: vectors have a rest
constexpr std::int64_t COUNT = ROWS * VOCAB;

/// Logits of one step in each element type; one in 32 is filtered.
struct Logits {
  std::vector<float> f32;
  std::vector<lc::half> f16;
  std::vector<lc::bfloat16> bf16;

  explicit Logits(std::uint32_t step) {
    for (std::uint32_t i = 0; i < COUNT; ++i) {
      const std::uint32_t seed = step * static_cast<std::uint32_t>(COUNT) + i;
      const float x = 0.5f * bits::logit(seed);
      f32.push_back(bits::mixed(~seed) % 32 == 0 ? lc::FILTER : x);
      f16.push_back(lc::to_half(f32.back()));
      bf16.push_back(lc::to_bfloat16(f32.back()));
    }
  }
  lc::host_logits rows(lc::DType type) const {
    const void* const data = type == lc::DType::f32   ? static_cast<const void*>(f32.data())
                             : type == lc::DType::f16 ? static_cast<const void*>(f16.data())
                                                      : static_cast<const void*>(bf16.data());
    return lc::host_logits(data, type, ROWS, VOCAB, VOCAB);
  }
};

template <class ChainType>
bits::Digest digest_of(const ChainType& chain, const std::vector<Logits>& logits, lc::DType type,
                       lc::Instructions instructions) {
  lc::host_engine engine({.threads = 1, .instructions = instructions});
  const auto stop = lc::criterion();
  lc::StepState state(engine, {.rows = ROWS, .capacity = 64, .vocab = VOCAB},
                      lc::needs(chain, stop));
  for (int row = 0; row < ROWS; ++row) {
    const std::uint64_t seed = 7u * static_cast<unsigned>(row) + 1;
    lc::admit(engine, chain, stop, state,
              lc::Request{.row = row, .prompt = {row, 3, 3, 500}, .seed = seed});
  }
  std::vector<float> scores(static_cast<std::size_t>(COUNT));
  std::vector<std::int32_t> tokens(ROWS);
  bits::Digest digest;
  for (const Logits& step : logits) {
    lc::apply(engine, chain, state, step.rows(type), lc::host_scores(scores.data(), ROWS, VOCAB));
    lc::step(engine, chain, stop, state, step.rows(type), {.tokens = tokens});
    for (const float score : scores) digest.take(score);
    for (const std::int32_t token : tokens) {
      digest.take(std::uint64_t{static_cast<std::uint32_t>(token)});
    }
  }
  return digest;
}

/// Prints the chain's three lines. @return false where instructions change bits
template <class ChainType>
bool print(const char* name, const ChainType& chain, const std::vector<Logits>& logits) {
  bool equal = true;
  for (const lc::DType type : {lc::DType::f32, lc::DType::f16, lc::DType::bf16}) {
    const std::string variant = std::string(".") + lc::name_of(type);
    const bits::Digest found = digest_of(chain, logits, type, lc::Instructions::baseline);
    bits::print(name, variant.c_str(), found);
    for (const lc::Instructions each : {lc::Instructions::avx2, lc::Instructions::avx512}) {
      if (!lc::detail::has_instructions(each)) continue;
      const bits::Digest other = digest_of(chain, logits, type, each);
      if (other.value() == found.value()) continue;
      equal = false;
      bits::print(name, (variant + "." + lc::name_of(each)).c_str(), other);
    }
  }
  return equal;
}

bool print_all() {
  std::vector<Logits> logits;
  for (std::uint32_t step = 0; step < STEPS; ++step) logits.emplace_back(step);
  bool equal = true;
  equal &= print(
      "chain.long",
      lc::chain(lc::RepetitionPenalty{1.1}, lc::FrequencyPenalty{0.3}, lc::PresencePenalty{0.2},
                lc::TopK{40}, lc::TopP{0.9}, lc::MinP{0.05}, lc::Temperature{0.7}),
      logits);
  equal &= print("chain.typical", lc::chain(lc::Typical{0.9}, lc::Temperature{1.3}), logits);
  equal &= print("chain.top_p", lc::chain(lc::Temperature{0.7}, lc::TopP{0.9}, lc::Renormalize{}),
                 logits);
  equal &= print("chain.numbers",
                 lc::chain(lc::TopNSigma{1.5}, lc::EtaCutoff{0.002}, lc::TopH{0.8}), logits);
  return equal;
}

}  // namespace

int main() {
  try {
    return print_all() ? 0 : 1;
  } catch (const std::exception& error) {
    std::printf("noticed: %s\n", error.what());
    return 3;
  }
}
