// SPDX-License-Identifier: Apache-2.0
// Padded prompt batches: what is padding and what is a token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <logitchain/core/error.hpp>
#include <logitchain/core/host_token_ids.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/state/request.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

/// Which entries of a padded batch are tokens: not 0 where one is. Absent: the pad id decides.
class PromptMask {
 public:
  PromptMask() = default;
  explicit(false) PromptMask(host_span<const bool> mask)  // a view
      : data_(mask.data()), size_(mask.size()), bytes_(sizeof(bool)), given_(true) {}
  explicit(false) PromptMask(host_span<const std::uint8_t> mask)  // a view
      : data_(mask.data()), size_(mask.size()), given_(true) {}
  explicit(false) PromptMask(host_span<const std::int32_t> mask)  // a view
      : data_(mask.data()), size_(mask.size()), bytes_(4), given_(true) {}
  explicit(false) PromptMask(host_span<const std::int64_t> mask)  // a view
      : data_(mask.data()), size_(mask.size()), bytes_(8), given_(true) {}
  template <class T>
  explicit(false) PromptMask(const std::vector<T>& mask)  // a view
      : PromptMask(host_span<const T>(mask)) {}

  bool given() const { return given_; }
  std::int64_t size() const { return size_; }
  bool operator[](std::int64_t i) const {
    if (bytes_ == 8) return static_cast<const std::int64_t*>(data_)[i] != 0;
    if (bytes_ == 4) return static_cast<const std::int32_t*>(data_)[i] != 0;
    return static_cast<const unsigned char*>(data_)[i] != 0;
  }

 private:
  const void* data_ = nullptr;
  std::int64_t size_ = 0;
  std::size_t bytes_ = 1;
  bool given_ = false;
};

/// Prompts of several rows, padded to one width on the left, on the right or in between.
struct PaddedPrompts {
  HostTokenIds ids;  ///< `[rows, width]`, row r beginning at `r * stride`
  std::int64_t rows;
  std::int64_t width;
  std::int64_t stride = 0;  ///< 0: the width
  PromptMask mask = {};     ///< laid out as `ids`; where it is given it alone decides
  /// Without a mask every entry of this id is padding. Where the id is also a token (padding with
  /// the end of sequence), a mask must tell them apart.
  std::int64_t pad_id = -1;
  std::int64_t first_row = 0;                     ///< prompt r begins state row first_row + r,
  host_span<const std::int64_t> state_rows = {};  ///< or, where given, state row state_rows[r]
  host_span<const std::uint64_t> seeds = {};      ///< one per prompt; absent: from the state's seed
  host_span<const std::int64_t> budgets = {};     ///< one per prompt, -1: all that fit; absent: all
};

namespace detail {

inline void check_count(std::string_view argument, std::int64_t count, std::int64_t rows) {
  if (count != 0 && count != rows) {
    refuse("import_padded", text_of("the number of ", argument), count,
           text_of("0 or the number of prompts, ", rows));
  }
}

/// Elements that `rows` rows reach over; the shape was checked.
inline void check_reach(std::string_view argument, std::int64_t size, std::int64_t rows,
                        std::int64_t width, std::int64_t stride) {
  // By division: a product of two arguments may not fit 64 bits.
  if (rows == 0) return;
  if (size < width || (rows > 1 && (size - width) / stride < rows - 1)) {
    refuse_call("import_padded: ", argument, " has ", size, " entries; ", rows, " rows of ", width,
                " with a stride of ", stride, " need more");
  }
}

/// The real tokens of one padded row.
inline TokenIds unpadded(const PaddedPrompts& prompts, std::int64_t row, std::int64_t stride) {
  TokenIds found;
  for (std::int64_t column = 0; column < prompts.width; ++column) {
    const std::int64_t place = row * stride + column;
    const std::int64_t id = prompts.ids[place];
    if (prompts.mask.given() ? !prompts.mask[place] : id == prompts.pad_id) continue;
    if (id < 0) {
      refuse("import_padded", text_of("ids[", row, ", ", column, ']'), id,
             prompts.mask.given() ? "in [0, 2147483647] where the mask is set"
                                  : text_of("in [0, 2147483647], or the pad id ", prompts.pad_id));
    }
    found.push_back(id);
  }
  return found;
}

/// One request per prompt, with the real tokens alone. Nothing is changed.
/// @throws invalid_argument for arguments that do not fit together
inline std::vector<Request> requests_of(const PaddedPrompts& prompts, const StepState& state) {
  constexpr std::string_view where = "import_padded";
  if (prompts.rows < 0) refuse(where, "rows", prompts.rows, ">= 0");
  if (prompts.width < 0) refuse(where, "width", prompts.width, ">= 0");
  const std::int64_t stride = prompts.stride == 0 ? prompts.width : prompts.stride;
  if (stride < prompts.width) {
    refuse(where, "stride", stride, text_of("at least the width, ", prompts.width));
  }
  if (prompts.rows > state.rows()) {
    refuse(where, "rows", prompts.rows, text_of("at most the state's, ", state.rows()));
  }
  if (prompts.width > 0) {
    check_reach("ids", prompts.ids.size(), prompts.rows, prompts.width, stride);
    if (prompts.mask.given()) {
      check_reach("mask", prompts.mask.size(), prompts.rows, prompts.width, stride);
    }
  }
  check_count("state_rows", prompts.state_rows.size(), prompts.rows);
  check_count("seeds", prompts.seeds.size(), prompts.rows);
  check_count("budgets", prompts.budgets.size(), prompts.rows);
  if (prompts.first_row < 0 || prompts.first_row > state.rows() - prompts.rows) {
    refuse(where, "first_row", prompts.first_row,
           text_of("in [0, ", state.rows() - prompts.rows, ']'));
  }
  std::vector<Request> requests;
  requests.reserve(static_cast<std::size_t>(prompts.rows));
  for (std::int64_t row = 0; row < prompts.rows; ++row) {
    Request request{
        .row = prompts.state_rows.empty() ? prompts.first_row + row : prompts.state_rows[row],
        .prompt = unpadded(prompts, row, stride)};
    if (!prompts.seeds.empty()) request.seed = prompts.seeds[row];
    if (!prompts.budgets.empty() && prompts.budgets[row] != -1) {
      request.budget = prompts.budgets[row];
    }
    requests.push_back(std::move(request));
  }
  return requests;
}

}  // namespace detail
}  // namespace logitchain::inline v0
