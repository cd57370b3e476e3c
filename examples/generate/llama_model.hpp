// SPDX-License-Identifier: Apache-2.0
// A model's weights and vocabulary, through llama.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct llama_model;
struct llama_vocab;

namespace generate {

/// The bytes of every token, as the text of a row gets them: special tokens have none. What
/// `logitchain::stop_strings` reads.
class Pieces {
 public:
  explicit Pieces(const llama_vocab* vocab);
  std::size_t size() const { return ends_.size(); }
  /// Bytes of token `id`, `id` in `[0, size())`. A piece may hold half a character.
  std::string_view bytes(std::int64_t id) const;

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
};

/// A model's weights and vocabulary.
class Model {
 public:
  /// @throws std::runtime_error if the file cannot be loaded
  explicit Model(const std::string& path);
  std::int32_t vocab_size() const;
  /// Tokens that a row of the model can hold, prompt included.
  std::int32_t context_length() const;
  /// The model in a few words: architecture, size, number format.
  std::string description() const;
  const Pieces& pieces() const { return pieces_; }
  /// A token's name, special ones too, for messages.
  std::string name_of(std::int32_t token) const;
  /// All tokens that end a text, in rising order.
  std::vector<std::int64_t> end_tokens() const;
  /// Token ids of a text that is to be continued.
  std::vector<std::int32_t> tokenize(const std::string& text) const;
  /// Token ids of a user's message in the model's chat template, up to where the answer begins.
  /// @throws std::runtime_error if the model has no template that llama.cpp knows
  std::vector<std::int32_t> tokenize_chat(const std::string& message) const;

  llama_model* get() const { return model_.get(); }

 private:
  std::shared_ptr<llama_model> model_;
  const llama_vocab* vocab_;
  Pieces pieces_;
};

}  // namespace generate
