// SPDX-License-Identifier: Apache-2.0
// What a call on the host engine is given: rows of logits or scores, items, buffers for tokens.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include <logitchain/core/error.hpp>
#include <logitchain/core/host_token_ids.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/core/types.hpp>

namespace logitchain::inline v0 {

/// Rows of logits in host memory: `[rows, width]` elements, row r beginning at `r * stride`. The
/// first `vocab` of a row are real, what lies beyond can never be drawn. Read only.
class host_logits {
 public:
  static constexpr Space space = Space::host;

  host_logits(const float* data, std::int64_t rows, std::int64_t width)
      : host_logits(data, DType::f32, rows, width, width) {}
  host_logits(const float* data, std::int64_t rows, std::int64_t width, std::int64_t stride)
      : host_logits(data, DType::f32, rows, width, stride) {}
  host_logits(const half* data, std::int64_t rows, std::int64_t width)
      : host_logits(data, DType::f16, rows, width, width) {}
  host_logits(const half* data, std::int64_t rows, std::int64_t width, std::int64_t stride)
      : host_logits(data, DType::f16, rows, width, stride) {}
  host_logits(const bfloat16* data, std::int64_t rows, std::int64_t width)
      : host_logits(data, DType::bf16, rows, width, width) {}
  host_logits(const bfloat16* data, std::int64_t rows, std::int64_t width, std::int64_t stride)
      : host_logits(data, DType::bf16, rows, width, stride) {}

  /// Elements of a type that only run time knows; `data` is aligned to an element.
  /// @param stride elements from one row to the next: any, 0 and negative ones included
  host_logits(const void* data, DType type, std::int64_t rows, std::int64_t width,
              std::int64_t stride)
      : data_(data), rows_(rows), width_(width), stride_(stride), type_(type) {
    if (rows < 0) refuse("host_logits", "rows", rows, ">= 0");
    if (width < 1) refuse("host_logits", "width", width, ">= 1");
    if (!data && rows > 0) refuse_call("host_logits: data is null with ", rows, " rows");
  }

  DType type() const { return type_; }
  std::int64_t rows() const { return rows_; }
  std::int64_t width() const { return width_; }
  std::int64_t stride() const { return stride_; }
  /// First element of a row.
  const void* row(std::int64_t i) const {
    return static_cast<const char*>(data_) + i * stride_ * size_of(type_);
  }
  /// The memory of all rows, from the lowest byte to past the highest.
  std::uintptr_t begin() const { return address(stride_ < 0 && rows_ > 0 ? rows_ - 1 : 0); }
  /// @copydoc begin
  std::uintptr_t end() const {
    if (rows_ == 0) return begin();
    return address(stride_ > 0 ? rows_ - 1 : 0) +
           static_cast<std::uintptr_t>(width_ * size_of(type_));
  }

 private:
  std::uintptr_t address(std::int64_t i) const { return reinterpret_cast<std::uintptr_t>(row(i)); }

  const void* data_;
  std::int64_t rows_;
  std::int64_t width_;
  std::int64_t stride_;
  DType type_;
};

/// Rows of scores in host memory that `apply` writes and `draw` reads, laid out as `host_logits`.
/// They may be the logits' own memory.
class host_scores {
 public:
  static constexpr Space space = Space::host;

  host_scores(float* data, std::int64_t rows, std::int64_t width)
      : host_scores(data, DType::f32, rows, width, width) {}
  host_scores(float* data, std::int64_t rows, std::int64_t width, std::int64_t stride)
      : host_scores(data, DType::f32, rows, width, stride) {}
  host_scores(half* data, std::int64_t rows, std::int64_t width)
      : host_scores(data, DType::f16, rows, width, width) {}
  host_scores(bfloat16* data, std::int64_t rows, std::int64_t width)
      : host_scores(data, DType::bf16, rows, width, width) {}
  host_scores(half* data, std::int64_t rows, std::int64_t width, std::int64_t stride)
      : host_scores(data, DType::f16, rows, width, stride) {}
  host_scores(bfloat16* data, std::int64_t rows, std::int64_t width, std::int64_t stride)
      : host_scores(data, DType::bf16, rows, width, stride) {}

  /// @param stride elements from one row to the next, at least `width` in magnitude: rows that are
  /// written do not overlap
  host_scores(void* data, DType type, std::int64_t rows, std::int64_t width, std::int64_t stride)
      : data_(data), logits_(data, type, rows, width, stride), stride_(stride) {
    if (rows > 1 && stride < width && stride > -width) {
      refuse("host_scores", "stride", stride, detail::text_of("at least the width, ", width));
    }
  }

  DType type() const { return logits_.type(); }
  std::int64_t rows() const { return logits_.rows(); }
  std::int64_t width() const { return logits_.width(); }
  std::int64_t stride() const { return stride_; }
  std::uintptr_t begin() const { return logits_.begin(); }
  std::uintptr_t end() const { return logits_.end(); }
  void* row(std::int64_t i) const {
    return static_cast<char*>(data_) + i * stride_ * size_of(logits_.type());
  }
  /// The same rows, to be read.
  // NOLINTNEXTLINE(google-explicit-constructor): what is written may be read
  operator host_logits() const { return logits_; }

 private:
  void* data_;
  host_logits logits_;
  std::int64_t stride_;
};

/// An array of indices or counts that may be absent. An empty array is not absent: it has no items.
class HostIndices {
 public:
  HostIndices() = default;
  template <class Array>
    requires std::is_convertible_v<const Array&, host_span<const std::int32_t>>
  explicit(false) HostIndices(const Array& array)  // a view
      : indices_(array), given_(true) {}

  bool given() const { return given_; }
  std::int64_t size() const { return indices_.size(); }
  std::int32_t operator[](std::int64_t i) const { return indices_[i]; }

 private:
  host_span<const std::int32_t> indices_;
  bool given_ = false;
};

/// Which row of logits goes with which row of the state: item i takes logits row `logits_row[i]`
/// and state row `state_row[i]`. An absent array is the identity; -1 in either skips the item. A
/// state row occurs at most once; a row of logits may serve several items.
struct HostItems {
  HostIndices logits_row{};
  HostIndices state_row{};
};

/// A buffer for one token id per item, of 32 or 64 bits. Empty: tokens are not asked for.
class HostTokens {
 public:
  HostTokens() = default;
  explicit(false) HostTokens(host_span<std::int32_t> tokens)  // a view
      : data_(tokens.data()), size_(tokens.size()) {}
  explicit(false) HostTokens(host_span<std::int64_t> tokens)  // a view
      : data_(tokens.data()), size_(tokens.size()), wide_(true) {}
  explicit(false) HostTokens(std::vector<std::int32_t>& tokens)  // a view
      : HostTokens(host_span<std::int32_t>(tokens)) {}
  explicit(false) HostTokens(std::vector<std::int64_t>& tokens)  // a view
      : HostTokens(host_span<std::int64_t>(tokens)) {}

  std::int64_t size() const { return size_; }
  bool asked() const { return data_ != nullptr; }
  void write(std::int64_t i, std::int32_t token) const {
    if (!data_) return;
    if (wide_) {
      static_cast<std::int64_t*>(data_)[i] = token;
    } else {
      static_cast<std::int32_t*>(data_)[i] = token;
    }
  }

 private:
  void* data_ = nullptr;
  std::int64_t size_ = 0;
  bool wide_ = false;
};

/// Where a step's answers go, and which items it has.
struct HostStep {
  HostTokens tokens{};              ///< one id per item, -1 where nothing was drawn
  host_span<StepResult> results{};  ///< one record per item
  HostItems items{};
};

}  // namespace logitchain::inline v0
