// SPDX-License-Identifier: Apache-2.0
#include "oracle/chains/batch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace oracle_test {
namespace {

constexpr float INFINITE = std::numeric_limits<float>::infinity();
constexpr float NOT_A_NUMBER = std::numeric_limits<float>::quiet_NaN();

std::int64_t random_vocab(Random& random) {
  const double kind = random.real(0, 1);
  if (kind < 0.4) return random.integer(1, 40);
  if (kind < 0.85) return random.integer(41, 400);
  return random.integer(401, 3000);
}

/// A token of a history: mostly of a small alphabet, so that n-grams repeat; in a prompt sometimes
/// a placeholder beyond the vocabulary.
std::int64_t history_token(Random& random, std::int64_t vocab, bool prompt) {
  if (prompt && random.chance(0.04)) return vocab + random.integer(0, 5);
  const std::int64_t most = random.one_of<std::int64_t>({3, 3, 12, vocab});
  return random.integer(0, std::min(most, vocab) - 1);
}

oracle::Row random_history(Random& random, std::int64_t vocab) {
  oracle::Row row;
  const std::int64_t prompt = random.one_of<std::int64_t>(
      {1, random.integer(0, 3), random.integer(2, 10), 20, random.integer(2, 40)});
  for (std::int64_t i = 0; i < prompt; ++i) {
    row.prompt.push_back(history_token(random, vocab, true));
  }
  const std::int64_t generated = random.chance(0.5) ? 0 : random.integer(0, 8);
  for (std::int64_t i = 0; i < generated; ++i) {
    row.generated.push_back(history_token(random, vocab, false));
  }
  row.seed = random.next();
  row.budget = generated + random.integer(1, 6);
  row.vocab = vocab;
  return row;
}

std::vector<oracle::Row> random_rows(Random& random, std::int64_t vocab, std::int64_t most) {
  std::vector<oracle::Row> rows;
  for (std::int64_t i = random.integer(1, most); i > 0; --i) {
    rows.push_back(random_history(random, vocab));
  }
  return rows;
}

}  // namespace

Batch::Batch(Random& random, const Sizes& sizes)
    : vocab(sizes.vocab != 0 ? sizes.vocab : random_vocab(random)),
      capacity(64),
      steps(static_cast<int>(random.integer(1, sizes.most_steps))),
      rows(random_rows(random, vocab, sizes.most_rows)),
      maker(random, rows),
      eos_(maker.list(2)),
      most_new_(maker.integer([&] { return random.integer(1, 12); }, 0, -1)),
      most_total_(maker.integer([&] { return random.integer(1, 50); }, 0, -1)) {}

void Batch::select(const std::vector<std::size_t>& order) {
  maker.select(order);
  const std::vector<oracle::Row> before = rows;
  rows.clear();
  for (const std::size_t row : order) rows.push_back(before[row]);
}

std::vector<Request> Batch::requests() const {
  std::vector<Request> all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    all.push_back({static_cast<std::int64_t>(i), rows[i].prompt, rows[i].generated, rows[i].seed,
                   rows[i].budget});
  }
  return all;
}

Stop Batch::stop() const {
  return criterion(EndOfSequence{eos_.tokens}, MaxNewTokens{most_new_.param},
                   MaxLength{most_total_.param});
}

bool Batch::valid(std::size_t row) const {
  return most_new_.of_row[row] >= 0 && most_total_.of_row[row] >= 0;
}

Finish Batch::finish_of(std::size_t row) const {
  const oracle::Row& own = rows[row];
  const std::int64_t generated = static_cast<std::int64_t>(own.generated.size());
  const auto found = std::find(eos_.ids.begin(), eos_.ids.end(), own.generated.back());
  if (found != eos_.ids.end()) return {0, static_cast<std::int32_t>(found - eos_.ids.begin()), 0};
  if (most_new_.of_row[row] != 0 && generated >= most_new_.of_row[row]) return {1, 0, 0};
  if (most_total_.of_row[row] != 0 && own.total() >= most_total_.of_row[row]) return {2, 0, 0};
  if (generated >= own.budget) return {BUDGET_SPENT, -1, 0};
  return {};
}

oracle::Scores random_logits(Random& random, std::int64_t vocab) {
  oracle::Scores scores(static_cast<std::size_t>(vocab));
  const auto fill = [&](auto value) {
    for (float& score : scores) score = static_cast<float>(value());
  };
  const auto bell = [&] { return random.real(-1, 1) + random.real(-1, 1) + random.real(-1, 1); };
  const double scale = random.one_of<double>({1, 3, 8, 0.1});
  const auto place = [&]() -> float& { return scores[random.next() % scores.size()]; };
  // Small ids: the ones that lists ban and histories hold.
  const auto early = [&]() -> float& {
    return scores[random.next() % std::min<std::size_t>(scores.size(), 12)];
  };
  switch (random.integer(0, 15)) {
    case 0:  // a few levels: many ties
      fill([&] { return 0.5 * static_cast<double>(random.integer(-4, 4)); });
      break;
    case 1:  // a finer grid
      fill([&] { return 0.05 * static_cast<double>(random.integer(-60, 60)); });
      break;
    case 2:  // one plateau
      fill([&, level = random.real(-5, 5)] { return level; });
      break;
    case 3:  // one token far above
      fill([&] { return scale * bell(); });
      place() += 25;
      break;
    case 4:  // two levels, far apart
      fill([&] { return random.chance(0.1) ? 10.0 : -10.0; });
      break;
    case 5:  // at the ends of the range
      fill([&] { return 3.4e38 * random.real(-1, 1); });
      break;
    case 6:  // many removed
      fill([&] { return random.chance(0.7) ? -HUGE_VAL : scale * bell(); });
      break;
    case 7:  // nothing, or little, left
      fill([&] { return -HUGE_VAL; });
      if (random.chance(0.6)) place() = static_cast<float>(bell());
      if (random.chance(0.3)) place() = static_cast<float>(bell());
      break;
    case 8:  // faults that a ban may remove
      fill([&] { return scale * bell(); });
      early() = random.chance(0.5) ? NOT_A_NUMBER : INFINITE;
      if (random.chance(0.3)) early() = NOT_A_NUMBER;
      if (random.chance(0.2)) place() = INFINITE;
      break;
    case 9:  // zeros of both signs, and subnormals
      fill([&] { return random.one_of<double>({0.0, -0.0, 1e-41, -1e-42, 1e-39}); });
      break;
    case 10:  // masked with the lowest float, as models do
      fill([&] { return random.chance(0.4) ? -3.4028234663852886e38 : scale * bell(); });
      break;
    case 11:  // any bits
      fill([&] {
        // The upper bits of a product: those that every byte has a part in.
        return oracle::from_bits(static_cast<std::uint32_t>(random.next() >> 32));
      });
      break;
    default: {  // a tail like a language model's, in any order of tokens
      std::vector<std::size_t> rank(scores.size());
      std::iota(rank.begin(), rank.end(), std::size_t{0});
      for (std::size_t i = rank.size(); i > 1; --i) std::swap(rank[i - 1], rank[random.next() % i]);
      const double slope = random.one_of<double>({0.8, 1.5, 3});
      for (std::size_t i = 0; i < scores.size(); ++i) {
        scores[i] =
            static_cast<float>(bell() - slope * std::log(1.0 + static_cast<double>(rank[i])));
      }
    }
  }
  return scores;
}

Logits::Logits(Random& random, std::int64_t rows, std::int64_t vocab)
    : type(random.one_of({DType::f32, DType::f32, DType::f16, DType::bf16})), memory([&] {
        const std::int64_t width = vocab + random.one_of<std::int64_t>({0, 0, 1, 37, 64});
        const std::int64_t stride = width + random.one_of<std::int64_t>({0, 0, 3, 96});
        return logitchain_test::LogitsMemory(
            type, rows, width, random.chance(0.2) ? -stride : stride, random.integer(0, 3));
      }()) {
  const oracle::Element element = type == DType::f32   ? oracle::Element::f32
                                  : type == DType::f16 ? oracle::Element::f16
                                                       : oracle::Element::bf16;
  for (std::int64_t row = 0; row < rows; ++row) {
    oracle::Scores& own = of_row.emplace_back(random_logits(random, vocab));
    memory.set_row(row, own);
    for (float& logit : own) logit = oracle::stored(logit, element);
  }
}

}  // namespace oracle_test
