// SPDX-License-Identifier: Apache-2.0
// Rows of a state on a device begin, end, and are copied or reordered, in the order of the engine's
// stream: no call makes the host wait. Calls that know no chain are templates all the same: who
// makes none of them does not compile their kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <cuda_runtime_api.h>

#include <logitchain/chain/chain.hpp>
#include <logitchain/chain/criterion.hpp>
#include <logitchain/core/error.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/engine/cuda/cuda_engine.cuh>
#include <logitchain/engine/cuda/detail/begin_kernel.cuh>
#include <logitchain/engine/cuda/detail/call_checks.cuh>
#include <logitchain/engine/cuda/detail/launch_blocks.cuh>
#include <logitchain/engine/cuda/detail/row_kernels.cuh>
#include <logitchain/engine/cuda/detail/upload.cuh>
#include <logitchain/state/admission.hpp>
#include <logitchain/state/request.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

namespace detail::cuda {

/// Admission under the name of the call that the user made. Numbers are taken last: where memory or
/// a launch cannot be had, nobody was admitted.
template <class ChainType, class StopType>
void admit_as(const char* where, const cuda_engine& engine, const ChainType& chain,
              const StopType& stop, StepState& state, host_span<const Request> requests) {
  demand_chain<ChainType>();
  demand_stop<StopType>();
  if constexpr (is_chain<ChainType> && is_criterion<StopType>) {
    check_state(where, engine, state);
    detail::check_fit(where, "chain", chain, state, true);
    detail::check_fit(where, "criterion", stop, state, true);
    check_requests(state, requests, where);
    if (requests.empty()) return;
    std::vector<Beginning> beginnings;
    std::vector<std::int32_t> tokens;
    std::uint64_t admission = state.admissions();
    for (const Request& request : requests) {
      Beginning beginning{};
      beginning.row = request.row;
      beginning.first = static_cast<std::int64_t>(tokens.size());
      beginning.seed = seed_of(state.shape(), request, admission);
      beginning.admission = admission++;
      beginning.prompt = static_cast<std::int32_t>(request.prompt.size());
      beginning.generated = static_cast<std::int32_t>(request.generated.size());
      beginning.budget = static_cast<std::int32_t>(
          request.budget.value_or(state.shape().capacity - request.prompt.size()));
      for (const TokenIds* ids : {&request.prompt, &request.generated}) {
        for (const std::int64_t id : *ids) tokens.push_back(static_cast<std::int32_t>(id));
      }
      beginnings.push_back(beginning);
    }
    const std::size_t head = beginnings.size() * sizeof(Beginning);
    const StreamBuffer scratch =
        scratch_of(where, engine, head + tokens.size() * sizeof(std::int32_t));
    upload(where, engine, scratch.data(), beginnings.data(), head);
    upload(where, engine, scratch.data() + head, tokens.data(),
           tokens.size() * sizeof(std::int32_t));
    launch_blocks(where, engine, begin_kernel<ChainType, StopType>,
                  static_cast<std::int64_t>(beginnings.size()), chain, stop, state.view(),
                  reinterpret_cast<const Beginning*>(scratch.data()),
                  reinterpret_cast<const std::int32_t*>(scratch.data() + head));
    state.take_admissions(static_cast<std::uint64_t>(requests.size()));
  }
}

template <class Id>
void release_rows(const cuda_engine& engine, StepState& state, host_span<const Id> rows) {
  constexpr const char* where = "release";
  check_state(where, engine, state);
  std::vector<std::int32_t> listed;
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    state.check_row(where, text_of("rows[", i, ']'), rows[i]);
    listed.push_back(static_cast<std::int32_t>(rows[i]));
  }
  if (listed.empty()) return;
  const std::size_t bytes = listed.size() * sizeof(std::int32_t);
  const StreamBuffer scratch = scratch_of(where, engine, bytes);
  upload(where, engine, scratch.data(), listed.data(), bytes);
  const std::int64_t count = static_cast<std::int64_t>(listed.size());
  launch_blocks(where, engine, release_kernel<THREADS>, (count + THREADS - 1) / THREADS,
                state.view(), reinterpret_cast<const std::int32_t*>(scratch.data()), count);
}

/// @param parents, seeds in device memory; seeds may be null
template <class = void>
void gather_rows(const cuda_engine& engine, StepState& state, const std::int32_t* parents,
                 const std::uint64_t* seeds) {
  constexpr const char* where = "gather";
  const StateLayout layout = layout_of(state.shape(), state.needs(), false, where);
  const StreamBuffer scratch = scratch_of(where, engine, static_cast<std::size_t>(layout.bytes));
  const StateView copy = layout.view(scratch.data());
  launch_blocks(where, engine, gather_out_kernel<THREADS>, state.rows(), state.view(), copy,
                parents);
  launch_blocks(where, engine, gather_back_kernel<THREADS>, state.rows(), state.view(), copy,
                parents, seeds);
}

inline void check_parents(const cuda_engine& engine, const StepState& state, std::int64_t parents,
                          std::int64_t seeds) {
  check_state("gather", engine, state);
  if (parents != state.rows()) {
    refuse("gather", "the number of parents", parents, text_of("the state's rows, ", state.rows()));
  }
  if (seeds != 0 && seeds != state.rows()) {
    refuse("gather", "the number of seeds", seeds,
           text_of("0 or the state's rows, ", state.rows()));
  }
}

template <class Id>
void gather_from_host(const cuda_engine& engine, StepState& state, host_span<const Id> parents,
                      host_span<const std::uint64_t> seeds) {
  check_parents(engine, state, parents.size(), seeds.size());
  std::vector<std::int32_t> listed;
  for (std::int64_t row = 0; row < parents.size(); ++row) {
    if (parents[row] < -1 || parents[row] >= state.rows()) {
      refuse("gather", text_of("parents[", row, ']'), parents[row],
             text_of("-1, or in [0, ", state.rows() - 1, ']'));
    }
    listed.push_back(static_cast<std::int32_t>(parents[row]));
  }
  const std::size_t seed_bytes = static_cast<std::size_t>(seeds.size()) * sizeof(std::uint64_t);
  const std::size_t bytes = listed.size() * sizeof(std::int32_t);
  const StreamBuffer scratch = scratch_of("gather", engine, seed_bytes + bytes);
  upload("gather", engine, scratch.data(), seeds.data(), seed_bytes);
  upload("gather", engine, scratch.data() + seed_bytes, listed.data(), bytes);
  gather_rows(engine, state, reinterpret_cast<const std::int32_t*>(scratch.data() + seed_bytes),
              seeds.empty() ? nullptr : reinterpret_cast<const std::uint64_t*>(scratch.data()));
}

}  // namespace detail::cuda

/// Rows begin, in the order of the stream. All that the host can know of the requests is checked
/// before anything changes. A row that still generates when the stream comes to this is not
/// overwritten: it ends with the status `duplicate_row`, and `check` names it. A row whose budget
/// is already spent by its `generated` tokens is finished at once, reason BUDGET_SPENT. A damaged
/// table makes its row `invalid_table`.
/// @throws invalid_argument naming the request, the member, its value and its range; runtime_error
/// where memory or a launch cannot be had. Nothing is changed then, the numbers of admissions
/// included
template <class ChainType, class StopType>
void admit(const cuda_engine& engine, const ChainType& chain, const StopType& stop,
           StepState& state, host_span<const Request> requests) {
  detail::cuda::admit_as("admit", engine, chain, stop, state, requests);
}
/// @copydoc admit
template <class ChainType, class StopType, std::size_t Count>
void admit(const cuda_engine& engine, const ChainType& chain, const StopType& stop,
           StepState& state, const Request (&requests)[Count]) {
  detail::cuda::admit_as("admit", engine, chain, stop, state, host_span<const Request>(requests));
}
/// @copydoc admit
template <class ChainType, class StopType>
void admit(const cuda_engine& engine, const ChainType& chain, const StopType& stop,
           StepState& state, const Request& request) {
  detail::cuda::admit_as("admit", engine, chain, stop, state,
                         host_span<const Request>(&request, 1));
}

/// Rows end and their slots are free. A slot that holds no row stays as it is.
/// @throws invalid_argument for a row outside of [0, rows); runtime_error where memory or a launch
/// cannot be had. Nothing is released then
template <class = void>
void release(const cuda_engine& engine, StepState& state, host_span<const std::int32_t> rows) {
  detail::cuda::release_rows(engine, state, rows);
}
/// @copydoc release
template <class = void>
void release(const cuda_engine& engine, StepState& state, host_span<const std::int64_t> rows) {
  detail::cuda::release_rows(engine, state, rows);
}
/// @copydoc release
template <class = void>
void release(const cuda_engine& engine, StepState& state,
             std::initializer_list<std::int64_t> rows) {
  detail::cuda::release_rows(
      engine, state,
      host_span<const std::int64_t>(rows.begin(), static_cast<std::int64_t>(rows.size())));
}
/// @copydoc release
template <class = void>
void release(const cuda_engine& engine, StepState& state, std::int64_t row) {
  detail::cuda::release_rows(engine, state, host_span<const std::int64_t>(&row, 1));
}
/// @copydoc release
/// @param rows read when the stream comes to it; what is no row is skipped
template <class = void>
void release(const cuda_engine& engine, StepState& state, device_span<const std::int32_t> rows) {
  using namespace detail::cuda;
  check_state("release", engine, state);
  if (rows.empty()) return;
  launch_blocks("release", engine, release_kernel<THREADS>, (rows.size() + THREADS - 1) / THREADS,
                state.view(), rows.data(), rows.size());
}

/// Every row becomes a full copy of its parent as it was before the call: history, counts,
/// automata, seed, flags, reason. Any permutation and any duplication; beams and best-of-n are made
/// of it. Takes memory for a copy of the rows from the stream's pool.
/// @param parents one per row of the state; -1 leaves the row as it is
/// @param seeds where given, one per row of the state: the seed of each row that has a parent
/// @throws invalid_argument for another number of parents or seeds than rows and for a parent that
/// is no row; runtime_error where memory or a launch cannot be had. Nothing is changed then
template <class = void>
void gather(const cuda_engine& engine, StepState& state, host_span<const std::int32_t> parents,
            host_span<const std::uint64_t> seeds = {}) {
  detail::cuda::gather_from_host(engine, state, parents, seeds);
}
/// @copydoc gather
template <class = void>
void gather(const cuda_engine& engine, StepState& state, host_span<const std::int64_t> parents,
            host_span<const std::uint64_t> seeds = {}) {
  detail::cuda::gather_from_host(engine, state, parents, seeds);
}
/// @copydoc gather
template <class = void>
void gather(const cuda_engine& engine, StepState& state,
            std::initializer_list<std::int64_t> parents,
            host_span<const std::uint64_t> seeds = {}) {
  detail::cuda::gather_from_host(
      engine, state,
      host_span<const std::int64_t>(parents.begin(), static_cast<std::int64_t>(parents.size())),
      seeds);
}
/// @copydoc gather
/// @param parents read when the stream comes to it; a row whose parent is no row ends with the
/// status `invalid_parameter`
template <class = void>
void gather(const cuda_engine& engine, StepState& state, device_span<const std::int32_t> parents,
            device_span<const std::uint64_t> seeds = {}) {
  detail::cuda::check_parents(engine, state, parents.size(), seeds.size());
  detail::cuda::gather_rows(engine, state, parents.data(), seeds.data());
}

}  // namespace logitchain::inline v0
