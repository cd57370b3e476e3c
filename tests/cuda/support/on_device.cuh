// SPDX-License-Identifier: Apache-2.0
// A stage of the host's, with its arrays, lists and tables moved to device memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include <logitchain/logitchain.cuh>

#include "cuda/support/device_array.cuh"

namespace logitchain_test {

using namespace logitchain;

/// What device stages point to.
class DeviceMemory {
 public:
  explicit DeviceMemory(const cuda_engine& engine) : engine_(engine) {}

  template <class T>
  device_span<const T> copy(const T* from, std::int64_t count) {
    std::vector<T> values(from, from + count);
    return keep(values);
  }
  device_span<const std::int32_t> copy(const TokenList& list) {
    std::vector<std::int32_t> ids;
    for (std::int64_t i = 0; i < list.size(); ++i) ids.push_back(static_cast<int>(list[i]));
    return keep(ids);
  }
  const BiasTableView& copy(const BiasTableView& table) {
    return bias_.emplace_back(upload_view(engine_, table)).view();
  }
  const StopTableView& copy(const StopTableView& table) {
    return stops_.emplace_back(upload_view(engine_, table)).view();
  }
  /// An array of views that lies in device memory, as what they show does.
  template <class View>
  device_span<const View> copy_all(const TableRef<View>& tables) {
    std::vector<View> views;
    for (std::int64_t i = 0; i < tables.count(); ++i) views.push_back(copy(tables.view(i)));
    return keep(views);
  }

 private:
  device_span<const BiasTableView> keep(const std::vector<BiasTableView>& values) {
    return bias_views_.emplace_back(values).view();
  }
  device_span<const StopTableView> keep(const std::vector<StopTableView>& values) {
    return stop_views_.emplace_back(values).view();
  }
  device_span<const float> keep(const std::vector<float>& values) {
    return reals_.emplace_back(values).view();
  }
  device_span<const std::int32_t> keep(const std::vector<std::int32_t>& values) {
    return integers_.emplace_back(values).view();
  }

  const cuda_engine& engine_;
  std::deque<DeviceArray<float>> reals_;
  std::deque<DeviceArray<std::int32_t>> integers_;
  std::deque<DeviceTable<BiasTableView>> bias_;
  std::deque<DeviceTable<StopTableView>> stops_;
  std::deque<DeviceArray<BiasTableView>> bias_views_;
  std::deque<DeviceArray<StopTableView>> stop_views_;
};

/// Shown the parameters of a stage that nobody else holds, it moves what they point to.
struct MoveToDevice {
  DeviceMemory& memory;

  template <class T>
  void number(const char*, const Param<T>& param, Range) {
    if (!param.in_memory()) return;
    Param<T>& own = const_cast<Param<T>&>(param);
    own.rows = memory.copy(param.rows, param.count).data();
    own.space = Space::device;
  }
  void token_id(const char* name, const Param<std::int32_t>& param) {
    number(name, param, COUNT_OR_OFF);
  }
  void tokens(const char*, const TokenList& list) {
    if (list.is_view()) const_cast<TokenList&>(list) = TokenList(memory.copy(list));
  }
  template <class View>
  void table(const char*, const TableRef<View>& ref) {
    TableRef<View>& own = const_cast<TableRef<View>&>(ref);
    if (ref.is_array()) {
      Param<std::int32_t> index = ref.index();
      number("table index", index, FINITE);
      own = TableRef<View>(memory.copy_all(ref), index);
    } else {
      own = TableRef<View>(memory.copy(ref.view(0)));
    }
  }
};

/// The stage for a CUDA engine.
template <class Stage>
Stage on_device(Stage stage, DeviceMemory& memory) {
  MoveToDevice move{memory};
  logitchain::detail::visit_parameters(stage, move);
  return stage;
}

/// The chain for a CUDA engine.
template <class... Stage>
Chain<Stage...> on_device(const Chain<Stage...>& host, DeviceMemory& memory) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return chain(on_device(host.template stage<static_cast<int>(I)>(), memory)...);
  }(std::index_sequence_for<Stage...>{});
}
/// The criterion for a CUDA engine.
template <class... Rule>
Criterion<Rule...> on_device(const Criterion<Rule...>& host, DeviceMemory& memory) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return criterion(on_device(host.template stage<static_cast<int>(I)>(), memory)...);
  }(std::index_sequence_for<Rule...>{});
}

}  // namespace logitchain_test
