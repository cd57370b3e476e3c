// SPDX-License-Identifier: Apache-2.0
// What a call on the CUDA engine is given: rows of logits or scores, items, buffers for tokens, all
// in device memory.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include <logitchain/core/error.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/core/types.hpp>

namespace logitchain::inline v0 {

/// Rows of logits in device memory: `[rows, width]` elements, row r beginning at `r * stride`. The
/// first `vocab` of a row are real, what lies beyond can never be drawn. Read only; any alignment
/// of an element will do, 16 bytes is quickest. Constructors throw invalid_argument for what is out
/// of its range, null or misaligned.
class device_logits {
 public:
  static constexpr Space space = Space::device;

  device_logits(const float* data, std::int64_t rows, std::int64_t width)
      : device_logits(data, DType::f32, rows, width, width) {}
  device_logits(const float* data, std::int64_t rows, std::int64_t width, std::int64_t stride)
      : device_logits(data, DType::f32, rows, width, stride) {}
  device_logits(const half* data, std::int64_t rows, std::int64_t width)
      : device_logits(data, DType::f16, rows, width, width) {}
  device_logits(const half* data, std::int64_t rows, std::int64_t width, std::int64_t stride)
      : device_logits(data, DType::f16, rows, width, stride) {}
  device_logits(const bfloat16* data, std::int64_t rows, std::int64_t width)
      : device_logits(data, DType::bf16, rows, width, width) {}
  device_logits(const bfloat16* data, std::int64_t rows, std::int64_t width, std::int64_t stride)
      : device_logits(data, DType::bf16, rows, width, stride) {}

  device_logits(const void* data, DType type, std::int64_t rows, std::int64_t width)
      : device_logits(data, type, rows, width, width) {}
  /// Elements of a type that only run time knows: CUDA's own `__half` and `__nv_bfloat16` as well.
  /// @param stride elements from one row to the next: any, 0 and negative ones included, as long as
  /// all rows together span at most 2^60 elements
  device_logits(const void* data, DType type, std::int64_t rows, std::int64_t width,
                std::int64_t stride)
      : device_logits("device_logits", data, type, rows, width, stride) {}

  DType type() const { return type_; }
  std::int64_t rows() const { return rows_; }
  std::int64_t width() const { return width_; }
  std::int64_t stride() const { return stride_; }
  const void* data() const { return data_; }

  /// The memory of all rows, from the lowest byte to past the highest.
  std::uintptr_t begin() const { return address(stride_ < 0 && rows_ > 0 ? rows_ - 1 : 0); }
  /// @copydoc begin
  std::uintptr_t end() const {
    if (rows_ == 0) return begin();
    return address(stride_ > 0 ? rows_ - 1 : 0) +
           static_cast<std::uintptr_t>(width_ * size_of(type_));
  }

 private:
  friend class device_scores;

  /// Elements that rows span at most: their bytes fit a signed number of 64 bits.
  static constexpr std::int64_t MOST = std::int64_t{1} << 60;

  /// @param where under which name faults are told
  device_logits(const char* where, const void* data, DType type, std::int64_t rows,
                std::int64_t width, std::int64_t stride)
      : data_(data), rows_(rows), width_(width), stride_(stride), type_(type) {
    if (rows < 0) refuse(where, "rows", rows, ">= 0");
    if (width < 1 || width > MOST) {
      refuse(where, "width", width, detail::text_of("in [1, ", MOST, ']'));
    }
    const std::int64_t most = rows > 1 ? MOST / (rows - 1) : MOST;
    if (stride > most || stride < -most) {
      refuse(where, "stride", stride,
             detail::text_of("in [", -most, ", ", most, "] for ", rows, " rows"));
    }
    if (!data && rows > 0) refuse_call(where, ": data is null with ", rows, " rows");
    if (reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(size_of(type)) != 0) {
      refuse_call(where, ": data begins at ", data, "; it must begin at a multiple of ",
                  size_of(type), ", an element's bytes");
    }
  }

  std::uintptr_t address(std::int64_t i) const {
    return reinterpret_cast<std::uintptr_t>(data_) +
           static_cast<std::uintptr_t>(i * stride_ * size_of(type_));
  }

  const void* data_;
  std::int64_t rows_;
  std::int64_t width_;
  std::int64_t stride_;
  DType type_;
};

/// Rows of scores in device memory that `apply` writes and `draw` reads, laid out as
/// `device_logits`. They may be the logits' own memory. Constructors throw as those of
/// `device_logits`, and for rows that overlap.
class device_scores {
 public:
  static constexpr Space space = Space::device;

  device_scores(float* data, std::int64_t rows, std::int64_t width)
      : device_scores(data, DType::f32, rows, width, width) {}
  device_scores(half* data, std::int64_t rows, std::int64_t width)
      : device_scores(data, DType::f16, rows, width, width) {}
  device_scores(bfloat16* data, std::int64_t rows, std::int64_t width)
      : device_scores(data, DType::bf16, rows, width, width) {}
  device_scores(float* data, std::int64_t rows, std::int64_t width, std::int64_t stride)
      : device_scores(data, DType::f32, rows, width, stride) {}
  device_scores(half* data, std::int64_t rows, std::int64_t width, std::int64_t stride)
      : device_scores(data, DType::f16, rows, width, stride) {}
  device_scores(bfloat16* data, std::int64_t rows, std::int64_t width, std::int64_t stride)
      : device_scores(data, DType::bf16, rows, width, stride) {}

  /// @param stride elements from one row to the next, at least `width` in magnitude: rows that are
  /// written do not overlap
  device_scores(void* data, DType type, std::int64_t rows, std::int64_t width, std::int64_t stride)
      : data_(data), logits_("device_scores", data, type, rows, width, stride) {
    if (rows > 1 && stride < width && stride > -width) {
      refuse("device_scores", "stride", stride, detail::text_of("at least the width, ", width));
    }
  }

  void* data() const { return data_; }
  /// The same rows, to be read.
  const device_logits& logits() const { return logits_; }
  // NOLINTNEXTLINE(google-explicit-constructor): what is written may be read
  operator device_logits() const { return logits_; }

 private:
  void* data_;
  device_logits logits_;
};

/// An array of indices that may be absent. An empty array is not absent: it has no items.
class DeviceIndices {
 public:
  DeviceIndices() = default;
  explicit(false) DeviceIndices(device_span<const std::int32_t> indices)  // a view
      : indices_(indices), given_(true) {}
  explicit(false) DeviceIndices(device_span<std::int32_t> indices)  // a view
      : indices_(indices.data(), indices.size()), given_(true) {}

  bool given() const { return given_; }
  std::int64_t size() const { return indices_.size(); }
  const std::int32_t* data() const { return indices_.data(); }

 private:
  device_span<const std::int32_t> indices_;
  bool given_ = false;
};

/// Which row of logits goes with which row of the state, read by each launch: item i takes logits
/// row `logits_row[i]` and state row `state_row[i]`. An absent array is the identity; -1 in either,
/// or an index outside of what there is, skips the item. Items that name one state row end it with
/// the status `duplicate_row`; a row of logits may serve several items.
struct DeviceItems {
  DeviceIndices logits_row{};
  DeviceIndices state_row{};
};

/// A buffer for one token id per item, of 32 or 64 bits. Empty: tokens are not asked for.
class DeviceTokens {
 public:
  DeviceTokens() = default;
  explicit(false) DeviceTokens(device_span<std::int32_t> tokens)  // a view
      : data_(tokens.data()), size_(tokens.size()) {}
  explicit(false) DeviceTokens(device_span<std::int64_t> tokens)  // a view
      : data_(tokens.data()), size_(tokens.size()), wide_(true) {}

  std::int64_t size() const { return size_; }
  bool asked() const { return data_ != nullptr; }
  bool wide() const { return wide_; }
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  std::int64_t size_ = 0;
  bool wide_ = false;
};

/// Where a step's answers go, and which items it has.
struct DeviceStep {
  DeviceTokens tokens{};              ///< one id per item, -1 where nothing was drawn
  device_span<StepResult> results{};  ///< one record per item
  DeviceItems items{};
};

}  // namespace logitchain::inline v0
