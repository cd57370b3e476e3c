// SPDX-License-Identifier: Apache-2.0
#include "llama_model.hpp"

#include <llama.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>

namespace generate {
namespace {

// llama.cpp tells a page about every model; only what went wrong is of interest here.
void log_errors(ggml_log_level level, const char* text, void*) {
  static bool of_error = false;
  if (level != GGML_LOG_LEVEL_CONT) of_error = level == GGML_LOG_LEVEL_ERROR;
  if (of_error) std::cerr << text;
}

std::string piece_of(const llama_vocab* vocab, std::int32_t token, bool special) {
  std::string piece(32, '\0');
  auto size = llama_token_to_piece(vocab, token, piece.data(),
                                   static_cast<std::int32_t>(piece.size()), 0, special);
  if (size < 0) {
    piece.resize(static_cast<std::size_t>(-size));
    size = llama_token_to_piece(vocab, token, piece.data(), -size, 0, special);
  }
  piece.resize(static_cast<std::size_t>(std::max(size, 0)));
  return piece;
}

std::vector<std::int32_t> tokens_of(const llama_vocab* vocab, const std::string& text,
                                    bool parse_special) {
  const auto length = static_cast<std::int32_t>(text.size());
  std::vector<std::int32_t> tokens(text.size() + 8);
  auto count = llama_tokenize(vocab, text.data(), length, tokens.data(),
                              static_cast<std::int32_t>(tokens.size()), true, parse_special);
  if (count < 0) {
    tokens.resize(static_cast<std::size_t>(-count));
    count = llama_tokenize(vocab, text.data(), length, tokens.data(), -count, true, parse_special);
  }
  if (count < 0) throw std::runtime_error("llama.cpp could not split a prompt into tokens");
  tokens.resize(static_cast<std::size_t>(count));
  if (tokens.empty()) {
    // A model continues something: nothing at all is the beginning of a text, if it has a mark.
    const std::int32_t beginning = llama_vocab_bos(vocab);
    if (beginning == LLAMA_TOKEN_NULL) throw std::runtime_error("a prompt is empty");
    tokens.push_back(beginning);
  }
  return tokens;
}

std::shared_ptr<llama_model> load(const std::string& path) {
  llama_log_set(log_errors, nullptr);
  llama_backend_init();
  std::shared_ptr<llama_model> model(
      llama_model_load_from_file(path.c_str(), llama_model_default_params()), llama_model_free);
  if (!model) throw std::runtime_error("cannot load the model " + path);
  return model;
}

}  // namespace

Pieces::Pieces(const llama_vocab* vocab) {
  const std::int32_t count = llama_vocab_n_tokens(vocab);
  ends_.reserve(static_cast<std::size_t>(count));
  for (std::int32_t token = 0; token < count; ++token) {
    const bool silent = llama_vocab_is_control(vocab, token) || llama_vocab_is_eog(vocab, token);
    if (!silent) bytes_ += piece_of(vocab, token, false);
    ends_.push_back(bytes_.size());
  }
}

std::string_view Pieces::bytes(std::int64_t id) const {
  const auto at = static_cast<std::size_t>(id);
  const std::size_t begin = at == 0 ? 0 : ends_.at(at - 1);
  return std::string_view(bytes_).substr(begin, ends_.at(at) - begin);
}

Model::Model(const std::string& path)
    : model_(load(path)), vocab_(llama_model_get_vocab(model_.get())), pieces_(vocab_) {}

std::int32_t Model::vocab_size() const { return llama_vocab_n_tokens(vocab_); }

std::int32_t Model::context_length() const { return llama_model_n_ctx_train(model_.get()); }

std::string Model::description() const {
  char text[256] = {};
  llama_model_desc(model_.get(), text, sizeof text);
  return text;
}

std::string Model::name_of(std::int32_t token) const { return piece_of(vocab_, token, true); }

std::vector<std::int64_t> Model::end_tokens() const {
  std::vector<std::int64_t> ends;
  for (std::int32_t token = 0; token < vocab_size(); ++token) {
    if (llama_vocab_is_eog(vocab_, token)) ends.push_back(token);
  }
  return ends;
}

std::vector<std::int32_t> Model::tokenize(const std::string& text) const {
  return tokens_of(vocab_, text, false);
}

std::vector<std::int32_t> Model::tokenize_chat(const std::string& message) const {
  const char* form = llama_model_chat_template(model_.get(), nullptr);
  if (form == nullptr) throw std::runtime_error("the model has no chat template");
  const llama_chat_message chat{"user", message.c_str()};
  std::string text(message.size() + 256, '\0');
  auto size = llama_chat_apply_template(form, &chat, 1, true, text.data(),
                                        static_cast<std::int32_t>(text.size()));
  if (size > static_cast<std::int32_t>(text.size())) {
    text.resize(static_cast<std::size_t>(size));
    size = llama_chat_apply_template(form, &chat, 1, true, text.data(), size);
  }
  if (size < 0) throw std::runtime_error("llama.cpp does not know the model's chat template");
  text.resize(static_cast<std::size_t>(size));
  // The template's own marks are special tokens.
  return tokens_of(vocab_, text, true);
}

}  // namespace generate
