// SPDX-License-Identifier: Apache-2.0
// The host engine: rows in parallel over threads of its own, each with one scratch row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <logitchain/core/error.hpp>
#include <logitchain/core/span.hpp>
#include <logitchain/core/witness.hpp>
#include <logitchain/engine/host/detail/row.hpp>
#include <logitchain/engine/host/detail/thread_pool.hpp>
#include <logitchain/engine/host/instructions.hpp>
#include <logitchain/engine/host/sweep_counts.hpp>
#include <logitchain/state/shape.hpp>
#include <logitchain/state/step_state.hpp>

namespace logitchain::inline v0 {

/// How a host engine works.
struct HostOptions {
  int threads = 1;  ///< rows that are worked on at once, the caller's thread included; 1 to 1024
  /// Instructions of the sweeps; one that this processor lacks is refused.
  Instructions instructions = Instructions::best;
};

/// Runs steps on the cores of this machine. The threads are started here and wait between calls;
/// a step allocates nothing. Calls on one engine are serialised by the caller; results do not
/// depend on the number of threads.
class host_engine {
 public:
  static constexpr Space space = Space::host;

  /// @throws invalid_argument for a number of threads outside of 1 to 1024; runtime_error where
  /// this build or thread computes otherwise than the library defines it (fast-math flags, a
  /// rounding mode)
  explicit host_engine(HostOptions options = {})
      : threads_(checked(options.threads)), instructions_(checked(options.instructions)) {
    refuse_this_thread();
    pool_ = std::make_unique<detail::ThreadPool>(threads_);
    counts_.resize(static_cast<std::size_t>(threads_));
  }

  host_engine(const host_engine&) = delete;
  host_engine& operator=(const host_engine&) = delete;

  int threads() const { return threads_; }
  /// What the sweeps are run with: the option, or what `best` came to.
  Instructions instructions() const { return instructions_; }
  /// Host memory: no device number.
  int device() const { return -1; }
  /// Bytes of working memory that a state of this shape keeps for this engine.
  std::size_t workspace_bytes(const Shape& shape) const {
    return detail::HostScratch::bytes(shape.vocab) * static_cast<std::size_t>(threads_);
  }

  /// What was done to rows since the last call of this, summed over threads.
  SweepCounts take_counts() {
    SweepCounts sum;
    for (SweepCounts& counts : counts_) {
      sum += counts;
      counts = {};
    }
    return sum;
  }

  /// Runs `body(scratch, i)` for i in [0, count), rows in parallel. For implementers of calls.
  template <class Body>
  void run(const StepState& state, std::int64_t count, Body&& body) {
    refuse_this_thread();
    const std::size_t each = detail::HostScratch::bytes(state.shape().vocab);
    if (state.workspace().size < each * static_cast<std::size_t>(threads_)) {
      refuse_call("host_engine: the state's workspace has ", state.workspace().size,
                  " bytes; an engine of ", threads_, " threads needs ",
                  each * static_cast<std::size_t>(threads_), ". Make the state with this engine");
    }
    pool_->run(count, [&](int worker, std::int64_t i) {
      const std::size_t w = static_cast<std::size_t>(worker);
      detail::HostScratch scratch =
          detail::HostScratch::carve(state.workspace().data + w * each, state.shape().vocab);
      scratch.instructions = instructions_;
      body(scratch, i);
      counts_[w] += scratch.counts;
    });
  }

 private:
  /// The caller's thread works on rows as well, and it may not be the one that made the engine.
  static void refuse_this_thread() {
    if (const char* fault = arithmetic_fault()) {
      fail("host_engine: results would not be those that the library defines: ", fault,
           "; compile without -ffast-math and its parts, and run with the default rounding mode");
    }
  }
  static int checked(int threads) {
    if (threads < 1 || threads > 1024) refuse("host_engine", "threads", threads, "in [1, 1024]");
    return threads;
  }

  static Instructions checked(Instructions instructions) {
    if (!detail::has_instructions(instructions)) {
      refuse("host_engine", "instructions", name_of(instructions), "what this processor has");
    }
    return detail::resolved(instructions);
  }

  int threads_;
  Instructions instructions_;
  std::unique_ptr<detail::ThreadPool> pool_;
  std::vector<SweepCounts> counts_;
};

}  // namespace logitchain::inline v0
