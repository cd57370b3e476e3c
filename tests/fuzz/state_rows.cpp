// SPDX-License-Identifier: Apache-2.0
// Operations that begin, end, copy, save and load rows. Each makes its arguments from bytes, says
// whether they are right, and what becomes of the plain state.
#include <algorithm>

#include "fuzz/state_run.hpp"

namespace fuzz {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// The sum at the end of a saved row, as the format has it.
void sign(std::vector<std::byte>& blob) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (std::size_t i = 0; i + 8 < blob.size(); ++i) {
    sum = (sum ^ std::to_integer<std::uint64_t>(blob[i])) * 0x100000001b3u;
  }
  for (std::size_t i = 0; i < 8; ++i) {
    blob[blob.size() - 8 + i] = static_cast<std::byte>(sum >> (8 * i));
  }
}

}  // namespace

std::int64_t StateRun::token() { return bytes_.below(VOCAB); }

Ids StateRun::ids(std::int64_t most, bool any) {
  Ids made;
  for (std::int64_t i = bytes_.below(most + 1); i > 0; --i) {
    std::int64_t id = token();
    if (bytes_.rarely(12)) id = bytes_.one_of<std::int64_t>({VOCAB, VOCAB + 21, 2147483647});
    if (any && bytes_.rarely(40)) {
      id = bytes_.one_of<std::int64_t>(
          {-1, -2147483648, 2147483648, (std::int64_t{1} << 32) + 3, std::int64_t{1} << 40});
    }
    made.push_back(id);
  }
  return made;
}

std::vector<lc::Request> StateRun::requests() {
  std::vector<lc::Request> made;
  for (std::int64_t i = bytes_.between(1, 3); i > 0; --i) {
    lc::Request request{.row = bytes_.rarely(20) ? bytes_.between(-1, ROWS) : bytes_.below(ROWS),
                        .prompt = ids(bytes_.rarely(20) ? CAPACITY + 1 : 5, true)};
    if (bytes_.rarely(3)) request.generated = ids(4, true);
    if (bytes_.rarely(2)) request.seed = bytes_.byte();
    if (bytes_.rarely(2)) request.budget = bytes_.between(-1, CAPACITY + 1);
    made.push_back(request);
  }
  return made;
}

void StateRun::admit() {
  const std::vector<lc::Request> made = requests();
  call(
      "admit", plain_.may_admit(made),
      [&] { lc::admit(engine(), chain(), stop(), state_, lc::host_span<const lc::Request>(made)); },
      [&] { plain_.admit(made); });
  if (state_.admissions() != plain_.admissions) found("admissions are counted otherwise");
}

void StateRun::import() {
  const std::int64_t rows = bytes_.rarely(20) ? bytes_.between(-1, ROWS + 1) : bytes_.between(0, 3);
  const std::int64_t width = bytes_.rarely(20) ? -1 : bytes_.between(0, 5);
  const std::int64_t stride = bytes_.rarely(3) ? width + bytes_.between(-1, 2) : 0;
  const std::int64_t step = stride == 0 ? width : stride;
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < rows * step; ++i) {
    ids.push_back(bytes_.rarely(3) ? bytes_.one_of<std::int64_t>({-1, 0}) : token());
  }
  if (bytes_.rarely(20) && !ids.empty()) ids.pop_back();
  std::vector<std::uint8_t> mask;
  const bool masked = bytes_.rarely(2);
  for (std::size_t i = 0; masked && i < ids.size(); ++i) mask.push_back(ids[i] > 0 ? 1 : 0);
  std::vector<std::int64_t> state_rows;
  std::vector<std::uint64_t> seeds;
  std::vector<std::int64_t> budgets;
  const std::int64_t many = std::max<std::int64_t>(rows, 0) + (bytes_.rarely(30) ? 1 : 0);
  if (bytes_.rarely(3)) {
    for (std::int64_t i = 0; i < many; ++i) state_rows.push_back(bytes_.below(ROWS));
  }
  if (bytes_.rarely(2)) {
    for (std::int64_t i = 0; i < many; ++i) seeds.push_back(bytes_.byte());
  }
  if (bytes_.rarely(2)) {
    for (std::int64_t i = 0; i < many; ++i) budgets.push_back(bytes_.between(-1, 8));
  }
  const std::int64_t pad = bytes_.one_of<std::int64_t>({-1, 0, 3});
  const std::int64_t first = bytes_.rarely(8) ? bytes_.between(-1, ROWS) : 0;

  bool right = rows >= 0 && rows <= ROWS && width >= 0 && step >= width && first >= 0 &&
               first <= ROWS - rows;
  const auto count_is_right = [&](std::size_t count) {
    return count == 0 || static_cast<std::int64_t>(count) == rows;
  };
  right = right && count_is_right(state_rows.size()) && count_is_right(seeds.size()) &&
          count_is_right(budgets.size());
  if (right && rows > 0 && width > 0) {
    right = static_cast<std::int64_t>(ids.size()) >= (rows - 1) * step + width;
  }
  std::vector<lc::Request> requests;
  for (std::int64_t row = 0; right && row < rows; ++row) {
    lc::Request request{.row = state_rows.empty() ? first + row : state_rows[at(row)],
                        .prompt = {}};
    for (std::int64_t column = 0; column < width; ++column) {
      const std::size_t place = at(row * step + column);
      if (masked ? mask[place] == 0 : ids[place] == pad) continue;
      request.prompt.push_back(ids[place]);  // what is negative is refused with the requests
    }
    if (!seeds.empty()) request.seed = seeds[at(row)];
    if (!budgets.empty() && budgets[at(row)] != -1) request.budget = budgets[at(row)];
    requests.push_back(request);
  }
  lc::PaddedPrompts prompts{.ids = ids, .rows = rows, .width = width, .stride = stride};
  if (masked) prompts.mask = mask;
  prompts.pad_id = pad;
  prompts.first_row = first;
  prompts.state_rows = state_rows;
  prompts.seeds = seeds;
  prompts.budgets = budgets;
  call(
      "import_padded", right && plain_.may_admit(requests),
      [&] { lc::import_padded(engine(), chain(), stop(), state_, prompts); },
      [&] { plain_.admit(requests); });
}

void StateRun::release() {
  std::vector<std::int32_t> rows;
  bool right = true;
  for (std::int64_t i = bytes_.below(4); i > 0; --i) {
    rows.push_back(static_cast<std::int32_t>(
        bytes_.rarely(20) ? bytes_.one_of<std::int64_t>({-1, 4}) : bytes_.below(ROWS)));
    right = right && rows.back() >= 0 && rows.back() < ROWS;
  }
  call(
      "release", right, [&] { lc::release(engine(), state_, rows); },
      [&] {
        for (const std::int32_t row : rows) plain_.row(row) = PlainRow{};
      });
}

void StateRun::gather() {
  std::vector<std::int64_t> parents;
  std::vector<std::uint64_t> seeds;
  for (std::int64_t i = ROWS - (bytes_.rarely(30) ? 1 : 0); i > 0; --i) {
    parents.push_back(bytes_.rarely(40) ? ROWS : bytes_.between(-1, ROWS - 1));
  }
  if (bytes_.rarely(3)) {
    for (std::int64_t i = ROWS - (bytes_.rarely(20) ? 1 : 0); i > 0; --i) {
      seeds.push_back(bytes_.byte());
    }
  }
  bool right = parents.size() == at(ROWS) && (seeds.empty() || seeds.size() == at(ROWS));
  for (const std::int64_t parent : parents) right = right && parent < ROWS;
  call(
      "gather", right, [&] { lc::gather(engine(), state_, parents, seeds); },
      [&] {
        const std::vector<PlainRow> before = plain_.rows;
        for (std::int64_t row = 0; row < ROWS; ++row) {
          if (parents[at(row)] < 0) continue;
          plain_.row(row) = before[at(parents[at(row)])];
          if (!seeds.empty()) plain_.row(row).seed = seeds[at(row)];
        }
      });
}

void StateRun::save() {
  const std::int64_t row =
      bytes_.rarely(20) ? bytes_.one_of<std::int64_t>({-1, ROWS}) : bytes_.below(ROWS);
  const bool there = row >= 0 && row < ROWS;
  Saved saved;
  call(
      "save_row", there && plain_.row(row).status != lc::Status::released,
      [&] { saved.blob = lc::save_row(engine(), state_, row); },
      [&] {
        saved.row = plain_.row(row);
        saved_.push_back(saved);
        if (saved_.size() > 8) saved_.erase(saved_.begin());
      });
}

void StateRun::load() {
  if (saved_.empty()) return;
  const Saved& saved = saved_[at(bytes_.below(static_cast<std::int64_t>(saved_.size())))];
  const std::int64_t row =
      bytes_.rarely(20) ? bytes_.one_of<std::int64_t>({-1, ROWS}) : bytes_.below(ROWS);
  std::vector<std::byte> blob = saved.blob;
  bool right = row >= 0 && row < ROWS && !plain_.row(row).active();
  if (bytes_.rarely(4)) {  // damaged: cut off, or with a bit that changed
    if (bytes_.rarely(2)) {
      blob.resize(at(bytes_.byte()) % blob.size());
    } else {
      blob[at(bytes_.byte()) % blob.size()] ^= static_cast<std::byte>(1 << bytes_.below(8));
    }
    right = false;
  }
  call(
      "load_row", right, [&] { lc::load_row(engine(), state_, row, blob); },
      [&] { plain_.row(row) = saved.row; });
}

/// A blob whose numbers lie and whose sum is right: it is refused, or it makes a row that steps,
/// commits and ends like others. What the row holds is not compared, only that nothing breaks.
void StateRun::load_forged() {
  if (saved_.empty()) return;
  std::vector<std::byte> blob =
      saved_[at(bytes_.below(static_cast<std::int64_t>(saved_.size())))].blob;
  for (std::int64_t i = bytes_.between(1, 4); i > 0; --i) {
    const std::uint64_t value = bytes_.one_of<std::uint64_t>(
        {0, 1, ~std::uint64_t{0}, 0x7fffffffffffffff, 0x7fffffff, 0x80000000, bytes_.byte()});
    const std::size_t width = bytes_.one_of<std::size_t>({1, 2, 4, 8});
    const std::size_t place = at(bytes_.byte()) % (blob.size() - 8);
    for (std::size_t j = 0; j < width && place + j < blob.size() - 8; ++j) {
      blob[place + j] = static_cast<std::byte>(value >> (8 * j));
    }
  }
  sign(blob);
  lc::StepState other(engine(), {2, bytes_.rarely(3) ? 7 : CAPACITY, VOCAB, {}},
                      lc::needs(chain(), stop()));
  try {
    lc::load_row(engine(), other, 1, blob);
  } catch (const lc::error&) {
    if (other.status(1) != lc::Status::released) found("a refused load left a row");
    return;
  }
  const std::vector<float> logits(at(2 * VOCAB), 1.0f);
  for (int i = 0; i < 3; ++i) {
    lc::step(engine(), chain(), stop(), other, lc::host_logits(logits.data(), 2, VOCAB));
    lc::commit(engine(), chain(), stop(), other, std::vector<std::int64_t>{-1, token()});
  }
  lc::gather(engine(), other, {1, 1});
  if (lc::save_row(engine(), other, 0) != lc::save_row(engine(), other, 1)) {
    found("a row and its copy are saved otherwise");
  }
  if (other.active(0) && other.total(0) >= other.shape().capacity) found("a full row generates");
}

}  // namespace fuzz
