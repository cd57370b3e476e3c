// SPDX-License-Identifier: Apache-2.0
// The host engine's threads: they wait for a batch of rows and take them one by one.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <logitchain/core/error.hpp>

namespace logitchain::inline v0::detail {

/// Runs `body(worker, i)` for i in [0, count) on the calling thread and `workers - 1` others. The
/// threads live as long as the pool; a batch costs no allocation.
class ThreadPool {
 public:
  explicit ThreadPool(int workers) {
    threads_.reserve(static_cast<std::size_t>(workers - 1));
#if defined(__cpp_exceptions)
    try {
      start(workers);
    } catch (const std::exception& error) {
      const std::size_t started = threads_.size();
      close();
      fail("host_engine: thread ", started + 2, " of ", workers,
           " could not be started: ", error.what());
    }
#else
    start(workers);
#endif
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() { close(); }

  /// Returns when all are done. Where bodies throw, the others still run; the exception of the
  /// lowest i is thrown again here.
  template <class Body>
  void run(std::int64_t count, Body&& body) {
    const auto call = [](void* target, int worker, std::int64_t i) {
      (*static_cast<std::remove_reference_t<Body>*>(target))(worker, i);
    };
    const bool alone = threads_.empty() || count <= 1;
    {
      const std::lock_guard lock(mutex_);
      call_ = call;
      target_ = &body;
      count_ = count;
      next_.store(0, std::memory_order_relaxed);
      failure_ = nullptr;
      if (!alone) {
        busy_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
        batch_.fetch_add(1, std::memory_order_release);
      }
    }
    if (!alone) begin_.notify_all();
    take(0);
    const auto done = [this] { return busy_.load(std::memory_order_acquire) == 0; };
    if (!alone && !spin(done)) {
      std::unique_lock lock(mutex_);
      done_.wait(lock, done);
    }
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  using Call = void (*)(void*, int, std::int64_t);
  static constexpr int SPINS = 2000;

  void start(int workers) {
    for (int worker = 1; worker < workers; ++worker) {
      threads_.emplace_back([this, worker] { serve(worker); });
    }
  }

  void close() {
    {
      const std::lock_guard lock(mutex_);
      closing_.store(true, std::memory_order_release);
    }
    begin_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  /// Waits a little without sleeping: a wake-up takes about as long as a row. False where `ready`
  /// did not come true.
  template <class Ready>
  static bool spin(Ready ready) {
    for (int i = 0; i < SPINS; ++i) {
      if (ready()) return true;
#if defined(__x86_64__) && defined(__GNUC__)
      __builtin_ia32_pause();
#endif
    }
    return false;
  }

  void take(int worker) {
    for (;;) {
      const std::int64_t i = next_.fetch_add(1, std::memory_order_relaxed);
      if (i >= count_) return;
#if defined(__cpp_exceptions)
      try {
        call_(target_, worker, i);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_ || i < failed_) {
          failure_ = std::current_exception();
          failed_ = i;
        }
      }
#else
      call_(target_, worker, i);
#endif
    }
  }

  void serve(int worker) {
    std::uint64_t seen = 0;
    for (;;) {
      const auto ready = [&] {
        return closing_.load(std::memory_order_acquire) ||
               batch_.load(std::memory_order_acquire) != seen;
      };
      if (!spin(ready)) {
        std::unique_lock lock(mutex_);
        begin_.wait(lock, ready);
      }
      if (closing_.load(std::memory_order_acquire)) return;
      seen = batch_.load(std::memory_order_acquire);
      take(worker);
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        // The caller may have found out already; the lock is for one that is about to sleep.
        const std::lock_guard lock(mutex_);
        done_.notify_one();
      }
    }
  }

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable begin_;
  std::condition_variable done_;
  std::atomic<std::int64_t> next_{0};
  Call call_ = nullptr;
  void* target_ = nullptr;
  std::int64_t count_ = 0;
  std::atomic<std::uint64_t> batch_{0};
  std::exception_ptr failure_;
  std::int64_t failed_ = 0;  ///< the item that threw it
  std::atomic<int> busy_{0};
  std::atomic<bool> closing_{false};
};

}  // namespace logitchain::inline v0::detail
