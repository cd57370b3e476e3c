// SPDX-License-Identifier: Apache-2.0
// The host engine's threads: they wait for a batch of rows and take them one by one.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace logitchain::inline v0::detail {

/// Runs `body(worker, i)` for i in [0, count) on the calling thread and `workers - 1` others. The
/// threads live as long as the pool; a batch costs no allocation.
class ThreadPool {
 public:
  explicit ThreadPool(int workers) {
    for (int worker = 1; worker < workers; ++worker) {
      threads_.emplace_back([this, worker] { serve(worker); });
    }
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() {
    {
      const std::lock_guard lock(mutex_);
      closing_.store(true, std::memory_order_release);
    }
    begin_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  int workers() const { return static_cast<int>(threads_.size()) + 1; }

  /// Returns when all are done. The first exception of a body is thrown again here.
  template <class Body>
  void run(std::int64_t count, Body&& body) {
    if (threads_.empty() || count <= 1) {
      for (std::int64_t i = 0; i < count; ++i) body(0, i);
      return;
    }
    const auto call = [](void* target, int worker, std::int64_t i) {
      (*static_cast<std::remove_reference_t<Body>*>(target))(worker, i);
    };
    {
      const std::lock_guard lock(mutex_);
      call_ = call;
      target_ = &body;
      count_ = count;
      next_.store(0, std::memory_order_relaxed);
      busy_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
      failure_ = nullptr;
      batch_.fetch_add(1, std::memory_order_release);
    }
    begin_.notify_all();
    take(0);
    if (!spin([this] { return busy_.load(std::memory_order_acquire) == 0; })) {
      std::unique_lock lock(mutex_);
      done_.wait(lock, [this] { return busy_.load(std::memory_order_acquire) == 0; });
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  using Call = void (*)(void*, int, std::int64_t);
  static constexpr int SPINS = 2000;

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
        if (!failure_) failure_ = std::current_exception();
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
  std::atomic<int> busy_{0};
  std::atomic<bool> closing_{false};
};

}  // namespace logitchain::inline v0::detail
