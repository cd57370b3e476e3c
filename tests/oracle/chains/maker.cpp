// SPDX-License-Identifier: Apache-2.0
#include "oracle/chains/maker.hpp"

#include <algorithm>

namespace oracle_test {

namespace {
constexpr double OFF_SHARE = 0.12;
constexpr double INVALID_SHARE = 0.012;
}  // namespace

namespace {

/// A number for the batch, one per row, or one that is read at each step.
template <class T, class Pick>
Number<T> number_of(Random& random, std::size_t rows, const Pick& value,
                    std::deque<std::vector<T>>& arrays, std::deque<T>& singles,
                    typename Param<T>::Value invalid) {
  using Value = typename Param<T>::Value;
  if (random.chance(0.5)) {
    const Value one = value();
    return {Param<T>(one), std::vector<Value>(rows, one)};
  }
  const bool refused = random.chance(INVALID_SHARE);
  if (random.chance(0.15)) {
    T& one = singles.emplace_back(static_cast<T>(refused ? invalid : value()));
    return {read_each_step(host_span<const T>(&one, 1)),
            std::vector<Value>(rows, static_cast<Value>(one))};
  }
  std::vector<T>& numbers = arrays.emplace_back();
  for (std::size_t i = 0; i < rows; ++i) numbers.push_back(static_cast<T>(value()));
  if (refused) numbers[random.next() % rows] = static_cast<T>(invalid);
  return {per_row(numbers), std::vector<Value>(numbers.begin(), numbers.end())};
}

}  // namespace

Number<float> Maker::real(const std::function<double()>& pick, double off, double invalid) {
  const auto value = [&] { return random_.chance(OFF_SHARE) ? off : pick(); };
  return number_of<float>(random_, rows(), value, reals_, common_reals_, invalid);
}

Number<std::int32_t> Maker::integer(const std::function<std::int64_t()>& pick, std::int64_t off,
                                    std::int64_t invalid) {
  const auto value = [&] { return random_.chance(OFF_SHARE) ? off : pick(); };
  return number_of<std::int32_t>(random_, rows(), value, integers_, common_integers_, invalid);
}

void Maker::select(const std::vector<std::size_t>& order) {
  const auto select_from = [&](auto& arrays) {
    for (auto& numbers : arrays) {
      const auto before = numbers;
      for (std::size_t i = 0; i < order.size(); ++i) numbers[i] = before[order[i]];
    }
  };
  select_from(reals_);
  select_from(integers_);
}

Number<std::int32_t> Maker::at_least() {
  if (random_.chance(0.6)) return {Param<std::int32_t>(1), std::vector<std::int64_t>(rows(), 1)};
  return integer([&] { return random_.integer(1, random_.one_of<std::int64_t>({3, 20, 2000})); }, 1,
                 0);
}

std::int64_t Maker::token() {
  // Small ids: histories are full of them.
  const std::int64_t most = random_.chance(0.8) ? std::min<std::int64_t>(vocab(), 12) : vocab();
  return random_.integer(0, most - 1);
}

List Maker::list(std::int64_t most) {
  List made;
  const std::int64_t size = random_.integer(0, most);
  for (std::int64_t i = 0; i < size; ++i) made.ids.push_back(token());
  if (size > 1 && random_.chance(0.2)) made.ids.back() = made.ids.front();
  if (random_.chance(0.5)) {
    if (random_.chance(0.5)) {
      made.tokens = TokenList(ids_.emplace_back(made.ids));
    } else {
      made.tokens = TokenList(narrow_ids_.emplace_back(made.ids.begin(), made.ids.end()));
    }
    return made;
  }
  made.ids.resize(std::min<std::size_t>(made.ids.size(), 2));
  if (made.ids.size() == 1) made.tokens = TokenList(made.ids[0]);
  if (made.ids.size() == 2) made.tokens = TokenList({made.ids[0], made.ids[1]});
  return made;
}

}  // namespace oracle_test
