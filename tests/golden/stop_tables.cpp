// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include <logitchain/logitchain.hpp>

#include "encoding.hpp"
#include "stopping.hpp"

namespace golden {
namespace {

namespace lc = logitchain;

using Lists = std::map<std::int64_t, std::vector<std::int64_t>>;  // by token

// Walks one stop string's automaton with tokens and, as tokens of their own, single bytes.
class Walker {
 public:
  Walker(const std::string& string, const Pieces& pieces)
      : string_(string), pieces_(pieces), table_(lc::stop_strings(with_bytes(pieces), {string})) {
    after_.push_back(table_.view().start(true));
    for (const char c : string.substr(0, string.size() - 1))
      after_.push_back(step(after_.back(), c));
  }

  // How many bytes of the string lie behind a token that is one of its inner parts.
  std::vector<std::int64_t> positions(std::int64_t token) const {
    std::vector<std::int64_t> found;
    for (std::size_t rest = 1; rest < string_.size(); ++rest) {
      auto slot = table_.view().advance(before(string_.size() - rest, token), token, true);
      for (std::size_t i = string_.size() - rest; i < string_.size(); ++i) {
        slot = step(slot, string_[i]);
      }
      if (slot.entry >= 0) found.push_back(static_cast<std::int64_t>(rest));
    }
    return found;
  }

  // How many bytes of the string lie in a token in which it ends, for each byte that it can end at.
  std::vector<std::int64_t> end_lengths(std::int64_t token) const {
    std::vector<std::int64_t> found;
    const std::string& piece = pieces_[static_cast<std::size_t>(token)];
    for (std::size_t end = 1; end <= piece.size(); ++end) {
      if (!ends_at(token, end)) continue;
      found.push_back(static_cast<std::int64_t>(std::min(end, string_.size())));
    }
    return found;
  }

 private:
  static Pieces with_bytes(const Pieces& pieces) {
    Pieces all = pieces;
    for (int byte = 0; byte < 256; ++byte) all.emplace_back(1, static_cast<char>(byte));
    return all;
  }

  lc::AutomatonSlot step(const lc::AutomatonSlot& slot, char byte) const {
    const auto id = static_cast<std::int64_t>(pieces_.size()) + static_cast<unsigned char>(byte);
    return table_.view().advance(slot, id, true);
  }

  // The state in which a token comes that is to end `end` bytes into the string.
  const lc::AutomatonSlot& before(std::size_t end, std::int64_t token) const {
    const std::size_t length = pieces_[static_cast<std::size_t>(token)].size();
    return after_[end > length ? end - length : 0];
  }

  bool ends_at(std::int64_t token, std::size_t end) const {
    const std::size_t begun = string_.size() > end ? string_.size() - end : 0;
    const auto slot = table_.view().advance(after_[begun], token, true);
    if (slot.entry < 0) return false;
    const auto found = static_cast<std::size_t>(slot.begin) + string_.size() - begun;
    if (found >= end) return found == end;
    // The walk names the first match of a token only; a later one is found byte by byte.
    lc::AutomatonSlot by_bytes = after_[begun];
    for (std::size_t i = 0; i < end; ++i) {
      by_bytes = step(by_bytes, pieces_[static_cast<std::size_t>(token)][i]);
    }
    return by_bytes.entry >= 0;
  }

  const std::string& string_;
  const Pieces& pieces_;
  lc::StopTable table_;
  std::vector<lc::AutomatonSlot> after_;  // after_[n]: n bytes of the string were read
};

std::string listed(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

std::string canonical(const Lists& lists) {
  std::string text;
  for (const auto& [token, numbers] : lists) {
    text += (text.empty() ? "" : ";") + std::to_string(token) + ":" + listed(numbers);
  }
  return text;
}

std::optional<std::string> lists_fault(const Json& line, const char* name, const Lists& got) {
  const std::string count = std::string("tokens_with_") + name;
  if (line.contains(count) && line[count].get<std::size_t>() != got.size()) {
    return count + ": expected " + line[count].dump() + ", got " + std::to_string(got.size());
  }
  if (!line.contains(name)) return {};
  Lists expected;
  for (const auto& [token, numbers] : line[name].items()) {
    expected[std::stoll(token)] = numbers.get<std::vector<std::int64_t>>();
  }
  Lists both = expected;
  both.insert(got.begin(), got.end());
  for (const auto& [token, any] : both) {
    const auto of = [&, id = token](const Lists& lists) {
      const auto found = lists.find(id);
      return found == lists.end() ? std::string("nothing") : listed(found->second);
    };
    if (of(expected) == of(got)) continue;
    return std::string(name) + ": token " + std::to_string(token) + ": expected " + of(expected) +
           ", got " + of(got);
  }
  return {};
}

}  // namespace

std::optional<std::string> stop_table_fault(const Json& line, const Pieces& pieces) {
  if (line.value("unit", "bytes") != "bytes") {
    throw Fault("\"unit\" is " + line["unit"].dump() + "; only bytes are walked here");
  }
  const auto string = line.at("stop_string").get<std::string>();
  if (string.empty()) throw Fault("\"stop_string\" is empty");
  const Walker walker(string, pieces);
  Lists positions, end_lengths;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto token = static_cast<std::int64_t>(i);
    if (auto found = walker.positions(token); !found.empty()) positions[token] = std::move(found);
    if (auto found = walker.end_lengths(token); !found.empty()) {
      end_lengths[token] = std::move(found);
    }
  }
  if (auto fault = lists_fault(line, "positions", positions)) return fault;
  if (auto fault = lists_fault(line, "end_lengths", end_lengths)) return fault;
  if (!line.contains("canon_fnv1a64")) return {};
  Fnv1a64 hash;
  for (const char c : canonical(positions) + "|" + canonical(end_lengths)) {
    hash.byte(static_cast<std::uint8_t>(c));
  }
  if (hash.value() == std::stoull(line["canon_fnv1a64"].get<std::string>(), nullptr, 16)) return {};
  return "the tables are not those of canon_fnv1a64";
}

}  // namespace golden
