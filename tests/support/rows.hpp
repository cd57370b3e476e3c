// SPDX-License-Identifier: Apache-2.0
// A row for tests of a single body: its history given as two lists, with no state and no engine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <logitchain/core/automaton_slot.hpp>
#include <logitchain/core/param.hpp>
#include <logitchain/core/range.hpp>
#include <logitchain/core/row_view.hpp>
#include <logitchain/core/token_list.hpp>

namespace rows {

using Tokens = std::vector<std::int32_t>;

/// A row of its own; the views point into it.
class Row {
 public:
  explicit Row(Tokens prompt, Tokens generated = {}) : history_(std::move(prompt)) {
    fields.prompt_length = static_cast<std::int32_t>(history_.size());
    fields.generated = static_cast<std::int32_t>(generated.size());
    fields.budget = fields.generated + 16;
    fields.vocab = 64;
    history_.insert(history_.end(), generated.begin(), generated.end());
  }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  /// What a test may set before it takes a view: row number, budget, vocabulary.
  logitchain::RowView::Fields fields;

  logitchain::RowView view() {
    fields.tokens = history_.data();
    return logitchain::RowView(fields);
  }
  /// With the list of distinct tokens, found by looking at all pairs.
  logitchain::SeenRow seen() {
    seen_.clear();
    for (std::size_t i = 0; i < history_.size(); ++i) {
      if (history_[i] >= fields.vocab) continue;
      const auto same = [&](const logitchain::SeenToken& other) {
        return other.token == history_[i];
      };
      auto at = std::find_if(seen_.begin(), seen_.end(), same);
      if (at == seen_.end()) {
        seen_.push_back({history_[i], 0, -1});
        at = seen_.end() - 1;
      }
      const bool prompt = static_cast<std::int32_t>(i) < fields.prompt_length;
      at->counts = prompt ? at->counts | logitchain::SeenToken::IN_PROMPT : at->counts + 1;
      at->last_position = static_cast<std::int32_t>(i);
    }
    fields.tokens = history_.data();
    fields.seen = seen_.data();
    fields.seen_size = static_cast<std::int32_t>(seen_.size());
    return logitchain::SeenRow(fields);
  }
  /// With the automaton state of a stage.
  logitchain::SlotRow slot(const logitchain::AutomatonSlot& slot) {
    slot_ = slot;
    fields.tokens = history_.data();
    fields.slot = &slot_;
    return logitchain::SlotRow(fields);
  }
  /// With the state that a stage reaches by walking the whole history.
  template <class Stage>
  logitchain::SlotRow walked(const Stage& stage) {
    logitchain::AutomatonSlot state = stage.start(slot({}));
    for (std::size_t i = 0; i < history_.size(); ++i) {
      const bool generated = static_cast<std::int32_t>(i) >= fields.prompt_length;
      state = stage.advance(slot(state), state, history_[i], generated);
    }
    return slot(state);
  }

 private:
  Tokens history_;
  std::vector<logitchain::SeenToken> seen_;
  logitchain::AutomatonSlot slot_;
};

namespace detail {

struct FindRange {
  std::string wanted;
  const logitchain::Range* found = nullptr;
  logitchain::Range range{};

  template <class T>
  void number(const char* name, const logitchain::Param<T>&, logitchain::Range allowed) {
    if (name != wanted) return;
    range = allowed;
    found = &range;
  }
  void token_id(const char* name, const logitchain::Param<std::int32_t>& param) {
    number(name, param, logitchain::COUNT_OR_OFF);
  }
  void tokens(const char*, const logitchain::TokenList&) {}
  template <class Ref>
  void table(const char*, const Ref&) {}
};

}  // namespace detail

/// True where a stage's parameter of this name may have the value.
template <class Stage>
bool allows(const Stage& stage, const std::string& name, double value) {
  detail::FindRange visit{name};
  stage.parameters(visit);
  if (!visit.found) throw std::out_of_range("no parameter " + name);
  return visit.found->contains(value);
}

}  // namespace rows
