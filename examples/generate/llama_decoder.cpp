// SPDX-License-Identifier: Apache-2.0
#include "llama_decoder.hpp"

#include <llama.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace generate {

Decoder::Decoder(const Model& model, std::int32_t rows, std::int32_t row_tokens,
                 std::int32_t batch_tokens, std::int32_t threads)
    : vocab_size_(model.vocab_size()),
      batch_tokens_(batch_tokens),
      lengths_(static_cast<std::size_t>(rows), 0) {
  auto parameters = llama_context_default_params();
  // Every row has a memory of its own, of the same size; llama.cpp wants it in units of 256.
  const std::int32_t row_capacity = (row_tokens + 255) / 256 * 256;
  parameters.kv_unified = false;
  parameters.n_seq_max = static_cast<std::uint32_t>(rows);
  parameters.n_ctx = static_cast<std::uint32_t>(rows) * static_cast<std::uint32_t>(row_capacity);
  parameters.n_batch = static_cast<std::uint32_t>(batch_tokens);
  parameters.n_ubatch = std::min(parameters.n_batch, 512u);
  parameters.n_outputs_max = static_cast<std::uint32_t>(rows);
  parameters.n_threads = threads;
  parameters.n_threads_batch = threads;
  context_.reset(llama_init_from_model(model.get(), parameters), llama_free);
  if (!context_) throw std::runtime_error("llama.cpp could not make room for the rows");
}

std::int32_t Decoder::max_rows() {
  return static_cast<std::int32_t>(llama_max_parallel_sequences());
}

Decoder::Logits Decoder::evaluate(std::span<const NewTokens> entries) {
  struct FreeBatch {
    llama_batch batch;
    ~FreeBatch() { llama_batch_free(batch); }
  } owner{llama_batch_init(batch_tokens_, 0, 1)};
  llama_batch& batch = owner.batch;
  batch.n_tokens = 0;
  std::vector<std::int32_t> last_of_entry;
  for (const NewTokens& entry : entries) {
    std::int32_t& length = lengths_.at(static_cast<std::size_t>(entry.row));
    if (entry.tokens.size() > static_cast<std::size_t>(batch_tokens_ - batch.n_tokens)) {
      throw std::runtime_error("more tokens in one batch than were announced");
    }
    for (const std::int32_t token : entry.tokens) {
      const std::int32_t at = batch.n_tokens++;
      batch.token[at] = token;
      batch.pos[at] = length++;
      batch.n_seq_id[at] = 1;
      batch.seq_id[at][0] = entry.row;
      batch.logits[at] = 0;
    }
    batch.logits[batch.n_tokens - 1] = 1;
    last_of_entry.push_back(batch.n_tokens - 1);
  }
  if (const int status = llama_decode(context_.get(), batch); status != 0) {
    throw std::runtime_error("llama_decode failed with status " + std::to_string(status));
  }

  Logits logits;
  logits.data = llama_get_logits(context_.get());
  logits.rows = static_cast<std::int32_t>(entries.size());
  for (const std::int32_t last : last_of_entry) {
    const float* row = llama_get_logits_ith(context_.get(), last);
    if (row == nullptr) throw std::runtime_error("llama.cpp gave no logits for a row");
    logits.row_of_entry.push_back(static_cast<std::int32_t>((row - logits.data) / vocab_size_));
  }
  return logits;
}

void Decoder::release(std::int32_t row) {
  llama_memory_seq_rm(llama_get_memory(context_.get()), row, -1, -1);
  lengths_.at(static_cast<std::size_t>(row)) = 0;
}

}  // namespace generate
