// SPDX-License-Identifier: Apache-2.0
// Tables against plain searches: any pieces, strings, sequences and ids; what cannot be a table is
// refused, what can is walked token by token.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <logitchain/logitchain.hpp>

#include "fuzz/bytes.hpp"
#include "fuzz/plain_tables.hpp"

namespace {

namespace lc = logitchain;
using fuzz::Bytes;
using fuzz::Ids;

/// A few letters, so that strings overlap; now and then any byte.
std::string text_of(Bytes& bytes, std::int64_t most) {
  std::string text;
  for (std::int64_t i = bytes.below(most + 1); i > 0; --i) {
    const std::uint8_t letter = bytes.byte();
    text += letter < 240 ? static_cast<char>('a' + letter % 3) : static_cast<char>(letter);
  }
  return text;
}

std::vector<std::string> texts_of(Bytes& bytes, std::int64_t most, std::int64_t length) {
  std::vector<std::string> texts;
  for (std::int64_t i = bytes.below(most + 1); i > 0; --i) texts.push_back(text_of(bytes, length));
  return texts;
}

/// Mostly ids of the vocabulary; the others are those that somebody might cut down to one.
std::int64_t id_of(Bytes& bytes, std::int64_t vocab) {
  if (!bytes.rarely(40)) return bytes.below(vocab);
  return bytes.one_of<std::int64_t>({-1, vocab, vocab + 31, 2147483647, (std::int64_t{1} << 32) + 1,
                                     std::numeric_limits<std::int64_t>::min()});
}

template <class Call>
bool refused(Call&& call) {
  try {
    call();
  } catch (const lc::invalid_argument&) {
    return true;
  }
  return false;
}

void walk_stops(Bytes& bytes) {
  const std::vector<std::string> pieces = texts_of(bytes, 12, 4);
  const std::vector<std::string> strings = texts_of(bytes, 6, 7);
  const auto known = static_cast<std::int64_t>(pieces.size());
  const std::int64_t vocab = bytes.rarely(4) ? known + bytes.between(-2, 3) : -1;
  bool wrong =
      strings.empty() || (vocab == -1 ? known : vocab) < 1 || (vocab != -1 && vocab < known);
  for (const std::string& string : strings) wrong = wrong || string.empty();
  if (wrong) {
    if (!refused([&] { (void)lc::stop_strings(pieces, strings, vocab); })) {
      fuzz::found("strings or a vocabulary that are wrong make a stop table");
    }
    return;
  }
  const lc::StopTable table = lc::stop_strings(pieces, strings, vocab);
  const bool from_prompt = bytes.rarely(2);
  const lc::StopTableView view = table.view();
  lc::AutomatonSlot slot = view.start(from_prompt);
  Ids prompt;
  for (std::int64_t i = bytes.below(12); i > 0; --i) {
    prompt.push_back(std::abs(id_of(bytes, table.vocab()) % (std::int64_t{1} << 31)));
    slot = view.advance(slot, prompt.back(), false);
    if (slot.entry != -1 || slot.bytes != 0) fuzz::found("a prompt token stops");
  }
  std::vector<std::string> all = pieces;
  all.resize(static_cast<std::size_t>(table.vocab()));
  Ids generated;
  while (!bytes.spent()) {
    generated.push_back(std::abs(id_of(bytes, table.vocab()) % (std::int64_t{1} << 31)));
    slot = view.advance(slot, generated.back(), true);
    const fuzz::Stop wanted = fuzz::stop_of(all, strings, from_prompt, prompt, generated);
    if (fuzz::Stop{slot.entry, slot.begin} != wanted) {
      fuzz::found("a walk says entry " + std::to_string(slot.entry) + " at " +
                  std::to_string(slot.begin) + " and a search " + std::to_string(wanted.entry) +
                  " at " + std::to_string(wanted.begin));
    }
  }
}

void check_state(const lc::BiasTable& table, const fuzz::Biases& entries, const Ids& history,
                 const lc::AutomatonSlot& slot) {
  std::map<std::int64_t, float> wanted = fuzz::biases_of(entries, history);
  const lc::BiasTableView view = table.view();
  const auto total = static_cast<std::int64_t>(history.size());
  const int listed = view.listed(slot.node);
  if (listed < 0) fuzz::found("a sound table says that it is damaged");
  for (int i = 0; i < listed; ++i) {
    const lc::ListedBias one = view.entry(slot.node, i, total);
    if (one.token == lc::ListedBias::SKIP) continue;
    const auto at = wanted.find(one.token);
    if (at == wanted.end()) fuzz::found("a token is listed that has no bias, or twice");
    if (std::memcmp(&at->second, &one.bias, sizeof one.bias) != 0) {
      fuzz::found("token " + std::to_string(one.token) + " has the bias " +
                  std::to_string(one.bias) + " and should have " + std::to_string(at->second));
    }
    if (view.of(slot.node, one.token, total).bias != one.bias) {
      fuzz::found("a token has one bias in the list and another by itself");
    }
    wanted.erase(at);
  }
  if (!wanted.empty()) fuzz::found("a token has a bias and is not listed");
}

void walk_biases(Bytes& bytes) {
  const std::int64_t vocab = bytes.between(1, 9);
  const bool as_words = bytes.rarely(3);
  std::vector<lc::BiasEntry> given;
  std::vector<std::vector<std::int64_t>> words;
  const Ids eos = {0, 1};
  fuzz::Biases entries;
  bool wrong = false;
  for (std::int64_t n = bytes.below(9); n > 0; --n) {
    Ids ids;
    for (std::int64_t i = bytes.rarely(30) ? 0 : bytes.between(1, 5); i > 0; --i) {
      ids.push_back(id_of(bytes, vocab));
    }
    const double bias = as_words
                            ? -HUGE_VAL
                            : bytes.one_of<double>({1.5, -2.25, 0.1, -HUGE_VAL, 3e38, 1e-42, 0.0,
                                                    -0.0, static_cast<double>(bytes.byte()) / 7});
    given.push_back({ids, bytes.rarely(60) && !as_words ? std::nan("") : bias});
    words.push_back(ids);
    const bool dropped = as_words && ids.size() == 1 && (ids[0] == 0 || ids[0] == 1);
    if (!dropped) {
      entries.emplace_back(ids, bias);
      wrong = wrong || ids.empty() || std::isnan(given.back().bias);
      for (const std::int64_t id : ids) wrong = wrong || id < 0 || id >= vocab;
    }
  }
  const auto build = [&] {
    return as_words ? lc::bad_words(words, eos, vocab)
                    : lc::build_bias_table(std::span<const lc::BiasEntry>(given), vocab);
  };
  if (wrong) {
    if (!refused([&] { (void)build(); })) fuzz::found("wrong sequences make a table");
    return;
  }
  const lc::BiasTable table = build();
  lc::AutomatonSlot slot = table.view().start();
  Ids history;
  check_state(table, entries, history, slot);
  while (!bytes.spent()) {
    history.push_back(id_of(bytes, vocab));
    slot = table.view().advance(slot, history.back());
    check_state(table, entries, history, slot);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  if (bytes.rarely(2)) {
    walk_stops(bytes);
  } else {
    walk_biases(bytes);
  }
  return 0;
}
