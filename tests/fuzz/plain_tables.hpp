// SPDX-License-Identifier: Apache-2.0
// What tables are compared with: searches through everything, as the rules are worded.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fuzz {

using Ids = std::vector<std::int64_t>;

/// Where a stop string ends a row.
struct Stop {
  std::int32_t entry = -1;
  std::int64_t begin = 0;  ///< in bytes of the generated text
  friend bool operator==(const Stop&, const Stop&) = default;
};

/// The string that ends inside of the newest generated token: the one that ends first, then the
/// lowest entry. The last id of `generated` is that token.
inline Stop stop_of(const std::vector<std::string>& pieces, const std::vector<std::string>& strings,
                    bool match_from_prompt, const Ids& prompt, const Ids& generated) {
  if (generated.empty()) return {};
  std::string text;        // since the last id that no piece belongs to
  std::size_t newest = 0;  // where the newest token begins in it
  std::int64_t generated_bytes = 0;
  const auto read = [&](std::int64_t id, bool counts) {
    newest = text.size();
    if (id >= static_cast<std::int64_t>(pieces.size())) {
      text.clear();
      newest = 0;
      return;
    }
    text += pieces[static_cast<std::size_t>(id)];
    if (counts) {
      generated_bytes += static_cast<std::int64_t>(pieces[static_cast<std::size_t>(id)].size());
    }
  };
  if (match_from_prompt) {
    for (const std::int64_t id : prompt) read(id, false);
  }
  for (const std::int64_t id : generated) read(id, true);
  for (std::size_t end = newest + 1; end <= text.size(); ++end) {
    for (std::size_t entry = 0; entry < strings.size(); ++entry) {
      const std::string& string = strings[entry];
      if (string.size() > end || text.compare(end - string.size(), string.size(), string) != 0) {
        continue;
      }
      const auto behind = static_cast<std::int64_t>(text.size() - end + string.size());
      return {static_cast<std::int32_t>(entry), generated_bytes - behind};
    }
  }
  return {};
}

using Biases = std::vector<std::pair<Ids, double>>;

/// The bias of each token that has one, behind a history; entries whose beginning the history ends
/// in and that are not longer than it. Sums are float32: the token by itself first, then the longer
/// entries in their order; any -inf bans.
inline std::map<std::int64_t, float> biases_of(const Biases& entries, const Ids& history) {
  Biases distinct;
  for (const auto& [ids, bias] : entries) {
    auto at = distinct.begin();
    while (at != distinct.end() && at->first != ids) ++at;
    if (at == distinct.end()) {
      distinct.emplace_back(ids, bias);
    } else {
      at->second = bias;
    }
  }
  std::map<std::int64_t, float> sums;
  for (const bool single : {true, false}) {
    for (const auto& [ids, bias] : distinct) {
      if ((ids.size() == 1) != single || (!single && ids.size() > history.size())) continue;
      bool ends = true;
      for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
        ends = ends && history[history.size() - (ids.size() - 1) + i] == ids[i];
      }
      if (!ends) continue;
      float& sum = sums.emplace(ids.back(), 0.0f).first->second;
      const float own = static_cast<float>(bias);
      sum = sum == -HUGE_VALF || own == -HUGE_VALF ? -HUGE_VALF : sum + own;
    }
  }
  return sums;
}

}  // namespace fuzz
