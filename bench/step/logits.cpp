// SPDX-License-Identifier: Apache-2.0
#include "logits.hpp"

#include <logitchain/core/small_float.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "numbers.hpp"

namespace bench {

namespace {

constexpr int HEAD = 64;

/// SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In (0, 1).
  double uniform() { return (static_cast<double>(next() >> 11) + 0.5) * 0x1p-53; }
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t state_;
};

/// Which token has which rank: a permutation of the vocabulary without the end of sequence, whose
/// rank is the last.
std::vector<std::int64_t> tokens_by_rank(std::int64_t vocab) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(vocab));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::swap(order[EOS], order.back());
  Random random(static_cast<std::uint64_t>(vocab));
  for (std::size_t i = order.size() - 2; i > 0; --i)
    std::swap(order[i], order[random.next() % (i + 1)]);
  return order;
}

std::vector<float> make_logits(Spread spread, std::int64_t vocab) {
  Random random(static_cast<std::uint64_t>(vocab) * 3 + static_cast<std::uint64_t>(spread));
  const double mean = spread == Spread::flat ? 0.0 : -4.0;
  const double deviation = spread == Spread::flat ? 0.5 : 2.5;
  std::vector<float> logits(static_cast<std::size_t>(vocab));
  for (float& logit : logits) logit = static_cast<float>(mean + deviation * random.normal());
  const std::vector<std::int64_t> order = tokens_by_rank(vocab);
  if (spread == Spread::typical) {
    for (int i = 0; i < HEAD; ++i) {
      logits[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] =
          static_cast<float>(13.0 - 1.5 * std::log(i + 1.0));
    }
  }
  if (spread == Spread::peaked) logits[static_cast<std::size_t>(order[0])] = 15.0f;
  logits[EOS] = -30.0f;
  return logits;
}

std::vector<std::int64_t> make_history(std::int64_t vocab, std::int64_t length) {
  const std::vector<std::int64_t> order = tokens_by_rank(vocab);
  Random random(static_cast<std::uint64_t>(vocab) * 5);
  std::vector<std::int64_t> history(static_cast<std::size_t>(length));
  for (std::int64_t& token : history) {
    const double rank = std::pow(static_cast<double>(vocab - 1), random.uniform());
    token = order[std::min(static_cast<std::size_t>(rank) - 1, order.size() - 2)];
  }
  return history;
}

template <class T>
void write_file(const std::filesystem::path& file, const std::vector<T>& values) {
  const std::filesystem::path part = file.string() + ".part";
  std::ofstream out(part, std::ios::binary);
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
  out.close();
  if (!out) throw std::runtime_error("cannot write " + part.string());
  std::filesystem::rename(part, file);
}

template <class Values>
Values read_file(const std::filesystem::path& file, std::int64_t size) {
  using T = typename Values::value_type;
  Values values(static_cast<std::size_t>(size));
  const auto bytes = static_cast<std::streamsize>(values.size() * sizeof(T));
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(values.data()), bytes);
  if (in.gcount() != bytes || in.peek() != std::ifstream::traits_type::eof()) {
    throw std::runtime_error(file.string() + " is not what this benchmark wrote; remove it");
  }
  return values;
}

template <class Values>
std::uint64_t digest_of(const Values& values, std::uint64_t digest) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (std::size_t i = 0; i < values.size() * sizeof(values[0]); ++i) {
    digest = (digest ^ bytes[i]) * 0x100000001b3u;
  }
  return digest;
}

}  // namespace

Input read_input(const std::filesystem::path& folder, const Case& measured) {
  std::filesystem::create_directories(folder);
  const std::string vocab = std::to_string(measured.vocab);
  Input input;
  input.logits_file =
      folder / ("logits-" + std::string(name_of(measured.spread)) + "-" + vocab + ".f32");
  input.history_file =
      folder / ("history-" + std::to_string(measured.history) + "-" + vocab + ".i64");
  if (!std::filesystem::exists(input.logits_file)) {
    write_file(input.logits_file, make_logits(measured.spread, measured.vocab));
  }
  if (!std::filesystem::exists(input.history_file)) {
    write_file(input.history_file, make_history(measured.vocab, measured.history));
  }
  input.logits = read_file<Row<float>>(input.logits_file, measured.vocab);
  input.history = read_file<std::vector<std::int64_t>>(input.history_file, measured.history);
  for (const float logit : input.logits) {
    input.halves.push_back(logitchain::to_half(logit));
    input.bfloats.push_back(logitchain::to_bfloat16(logit));
  }
  input.digest = digest_of(input.history, digest_of(input.logits, 0xcbf29ce484222325u));
  return input;
}

}  // namespace bench
