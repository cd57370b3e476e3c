// SPDX-License-Identifier: Apache-2.0
// The rows being decoded: llama.cpp's side of them, and the logits that it gives.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "llama_model.hpp"

struct llama_context;

namespace generate {

/// New tokens of one row.
struct NewTokens {
  std::int32_t row;
  std::span<const std::int32_t> tokens;
};

/// The rows being decoded: what the model remembers of each.
class Decoder {
 public:
  /// @param rows          how many rows decode together, in `[1, max_rows()]`
  /// @param row_tokens    the most tokens that a row will hold
  /// @param batch_tokens  the most tokens that one call of `evaluate` will get
  Decoder(const Model& model, std::int32_t rows, std::int32_t row_tokens, std::int32_t batch_tokens,
          std::int32_t threads);
  static std::int32_t max_rows();

  /// The logits of one evaluation, until the next one.
  struct Logits {
    const float* data = nullptr;  ///< [rows, vocab_size]
    std::int32_t rows = 0;
    std::vector<std::int32_t> row_of_entry;  ///< which row of `data` belongs to which entry
  };
  /// Appends tokens to rows, all in one batch, and gives the logits after the last token of each.
  /// @throws std::runtime_error if llama.cpp fails
  Logits evaluate(std::span<const NewTokens> entries);

  /// Forgets a row that has ended.
  void release(std::int32_t row);

 private:
  std::int32_t vocab_size_;
  std::int32_t batch_tokens_;
  std::vector<std::int32_t> lengths_;  // [rows] tokens that the model has seen
  std::shared_ptr<llama_context> context_;
};

}  // namespace generate
