// SPDX-License-Identifier: Apache-2.0
// What tests of the host engine share: rows of logits, states with rows in them, comparison by
// bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <logitchain/engine/host/check.hpp>
#include <logitchain/engine/host/detail/draw_token.hpp>
#include <logitchain/engine/host/detail/load.hpp>
#include <logitchain/engine/host/import.hpp>
#include <logitchain/engine/host/save.hpp>
#include <logitchain/logitchain.hpp>

namespace logitchain_test {

using namespace logitchain;

inline constexpr float INFINITE = std::numeric_limits<float>::infinity();
inline constexpr float NOT_A_NUMBER = std::numeric_limits<float>::quiet_NaN();
inline constexpr float LARGEST = std::numeric_limits<float>::max();

template <class T>
std::size_t index_of(T i) {
  return static_cast<std::size_t>(i);
}

/// Logits on a grid of `step`, so that equal ones occur; the same on every standard library.
inline std::vector<float> random_row(std::mt19937& random, std::int64_t size, float step = 0.01f,
                                     unsigned spread = 1000) {
  std::vector<float> row(index_of(size));
  for (float& logit : row) {
    logit =
        step * (static_cast<float>(random() % (spread + 1)) - 0.5f * static_cast<float>(spread));
  }
  return row;
}

/// Bits, with every NaN spelled alike.
inline std::vector<std::uint32_t> bits(const std::vector<float>& scores) {
  std::vector<std::uint32_t> found;
  for (const float score : scores) found.push_back(is_nan(score) ? 0x7fc00000u : bits_of(score));
  return found;
}

/// Tokens that a filter left: everything above -inf.
inline std::vector<int> kept(const std::vector<float>& scores) {
  std::vector<int> found;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!(scores[i] == FILTER)) found.push_back(static_cast<int>(i));
  }
  return found;
}

/// Probabilities of scores, in double.
inline std::vector<double> probabilities(const std::vector<float>& scores) {
  double maximum = -std::numeric_limits<double>::infinity();
  for (const float score : scores) maximum = std::max(maximum, static_cast<double>(score));
  double total = 0;
  for (const float score : scores) total += std::exp(static_cast<double>(score) - maximum);
  std::vector<double> found;
  for (const float score : scores) {
    found.push_back(std::exp(static_cast<double>(score) - maximum) / total);
  }
  return found;
}

/// What `call` throws as an error of the library, or "accepted".
template <class Call>
std::string refusal_of(Call&& call) {
  try {
    call();
  } catch (const error& refused) {
    return refused.what();
  }
  return "accepted";
}

/// Rows of any element type and stride in memory of their own; what is not a logit is garbage.
class LogitsMemory {
 public:
  /// @param offset elements in front of the first row: 1 makes every pointer unaligned for vectors
  LogitsMemory(DType type, std::int64_t rows, std::int64_t width, std::int64_t stride,
               std::int64_t offset = 0)
      : type_(type), rows_(rows), width_(width), stride_(stride) {
    const std::int64_t reach = (rows - 1) * (stride < 0 ? -stride : stride);
    first_ = offset + (stride < 0 ? reach : 0);
    bytes_.resize(index_of((offset + reach + width) * size_of(type)));
    for (std::int64_t i = 0; i < offset + reach + width; ++i) {
      write(i, i % 2 ? NOT_A_NUMBER : INFINITE);
    }
  }

  void set(std::int64_t row, std::int64_t column, float logit) {
    write(first_ + row * stride_ + column, logit);
  }
  void set_row(std::int64_t row, const std::vector<float>& logits) {
    for (std::size_t i = 0; i < logits.size(); ++i) {
      set(row, static_cast<std::int64_t>(i), logits[i]);
    }
  }
  host_logits view() const {
    return {bytes_.data() + first_ * size_of(type_), type_, rows_, width_, stride_};
  }

 private:
  void write(std::int64_t i, float logit) {
    unsigned char* const at = bytes_.data() + i * size_of(type_);
    if (type_ == DType::f32) {
      std::memcpy(at, &logit, sizeof logit);
    } else {
      const std::uint16_t narrow =
          type_ == DType::f16 ? to_half(logit).bits : to_bfloat16(logit).bits;
      std::memcpy(at, &narrow, sizeof narrow);
    }
  }

  DType type_;
  std::int64_t rows_;
  std::int64_t width_;
  std::int64_t stride_;
  std::int64_t first_ = 0;
  std::vector<unsigned char> bytes_;
};

/// Rows that lie one behind the other, float32.
inline std::vector<float> joined(const std::vector<std::vector<float>>& rows) {
  std::vector<float> all;
  for (const std::vector<float>& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

/// How a row begins.
struct RowStart {
  std::vector<std::int64_t> prompt{};
  std::vector<std::int64_t> generated{};
  std::uint64_t seed = 1;
  std::optional<std::int64_t> budget{};
};

/// A state whose row i began as `starts[i]`.
template <class ChainType, class StopType>
StepState state_of(host_engine& engine, const ChainType& chain, const StopType& stop,
                   std::int64_t vocab, const std::vector<RowStart>& starts,
                   std::int64_t capacity = 64) {
  StepState state(
      engine,
      {.rows = static_cast<std::int64_t>(starts.size()), .capacity = capacity, .vocab = vocab},
      needs(chain, stop));
  std::vector<Request> requests;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    requests.push_back(Request{static_cast<std::int64_t>(i), starts[i].prompt, starts[i].generated,
                               starts[i].seed, starts[i].budget});
  }
  admit(engine, chain, stop, state, requests);
  return state;
}

/// The scores of one row, with the row alone in its batch.
template <class ChainType>
std::vector<float> scores_of(const ChainType& chain, const std::vector<float>& logits,
                             const RowStart& start = {}) {
  host_engine engine;
  const std::int64_t vocab = static_cast<std::int64_t>(logits.size());
  StepState state = state_of(engine, chain, criterion(), vocab, {start});
  std::vector<float> scores(logits.size(), NOT_A_NUMBER);
  apply(engine, chain, state, host_logits(logits.data(), 1, vocab),
        host_scores(scores.data(), 1, vocab));
  return scores;
}

/// The scores of one row, after a look that it has the same ones in batches of 7, 8 and 64, in
/// every place of them, beside rows of other logits and other histories.
template <class ChainType>
std::vector<float> scores_in_every_batch(const ChainType& chain, const std::vector<float>& logits,
                                         const RowStart& start = {}) {
  const std::vector<float> alone = scores_of(chain, logits, start);
  const std::int64_t vocab = static_cast<std::int64_t>(logits.size());
  std::mt19937 random(5);
  for (const std::size_t rows : {std::size_t{7}, std::size_t{8}, std::size_t{64}}) {
    host_engine engine({.threads = 2});
    std::vector<RowStart> starts(rows, start);
    std::vector<std::vector<float>> batch(rows, logits);
    for (std::size_t row = 1; row < rows; row += 3) {
      batch[row] = random_row(random, vocab);
      starts[row] = {.prompt = {0}, .seed = row};
    }
    StepState state = state_of(engine, chain, criterion(), vocab, starts);
    std::vector<float> scores = joined(batch);
    const std::int64_t count = static_cast<std::int64_t>(rows);
    apply(engine, chain, state, host_logits(scores.data(), count, vocab),
          host_scores(scores.data(), count, vocab));
    for (std::size_t row = 0; row < rows; ++row) {
      if (row % 3 == 1) continue;
      const float* const at = scores.data() + row * logits.size();
      EXPECT_EQ(bits({at, at + logits.size()}), bits(alone)) << "row " << row << " of " << rows;
    }
  }
  return alone;
}

/// Bytes of everything that a state holds of a row.
inline std::vector<unsigned char> bytes_of_row(const StepState& state, std::int64_t row) {
  std::vector<unsigned char> bytes;
  const auto add_bytes = [&](const void* from, std::size_t count) {
    if (count == 0) return;
    const unsigned char* const at = static_cast<const unsigned char*>(from);
    bytes.insert(bytes.end(), at, at + count);
  };
  const StateView& view = state.view();
  const RowRecord& record = view.records[row];
  add_bytes(&record, sizeof record);
  add_bytes(view.tokens_of(row),
            sizeof(std::int32_t) * index_of(record.prompt_length + record.generated));
  if (view.seen) {
    add_bytes(view.seen_of(row), sizeof(SeenToken) * index_of(record.seen_size));
    add_bytes(view.seen_bits_of(row), sizeof(std::uint32_t) * index_of((view.vocab + 31) / 32));
  }
  if (view.slots) {
    add_bytes(view.transform_slots_of(row), sizeof(AutomatonSlot) * index_of(view.slot_count));
  }
  return bytes;
}

/// Two rows of two states hold the same.
inline void expect_same_row(const StepState& a, std::int64_t row_a, const StepState& b,
                            std::int64_t row_b) {
  EXPECT_EQ(bytes_of_row(a, row_a), bytes_of_row(b, row_b)) << "rows " << row_a << ", " << row_b;
}

/// A result as text, for comparison and for people.
inline std::string text_of_result(const StepResult& result) {
  return "token " + std::to_string(result.token) + ", generated " +
         std::to_string(result.generated) + ", " + name_of(result.status) + ", criterion " +
         std::to_string(result.criterion) + ", entry " + std::to_string(result.entry);
}
inline std::vector<std::string> texts_of(const std::vector<StepResult>& results) {
  std::vector<std::string> texts;
  for (const StepResult& result : results) texts.push_back(text_of_result(result));
  return texts;
}

/// Draws with a random number of one's choice.
inline int drawn(const std::vector<float>& scores, std::uint64_t random) {
  const std::int64_t vocab = static_cast<std::int64_t>(scores.size());
  std::vector<std::byte> memory(detail::HostScratch::bytes(vocab) + 64);
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  detail::HostScratch scratch =
      detail::HostScratch::carve(memory.data() + (64 - address % 64), vocab);
  detail::HostRow row =
      detail::load_row_of_logits(host_logits(scores.data(), 1, vocab), 0, vocab, scratch);
  detail::require(row, scratch, Numbers::total);
  EXPECT_TRUE(row.has_distribution);
  return detail::token_at_mass(row, scratch, mulhi(random, row.numbers.total));
}

}  // namespace logitchain_test
