// SPDX-License-Identifier: Apache-2.0
// The host engine's threads: they wait for a batch of rows and take them one by one.
#pragma once

#include <atomic>
#include <chrono>
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
    call_ = [](void* target, int worker, std::int64_t i) {
      (*static_cast<std::remove_reference_t<Body>*>(target))(worker, i);
    };
    target_ = &body;
    failure_ = nullptr;
    for (begin_ = 0; begin_ < count; begin_ = end_) {
      end_ = count - begin_ > MOST ? begin_ + MOST : count;
      run_batch();
    }
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  using Call = void (*)(void*, int, std::int64_t);
  static constexpr std::int64_t MOST = std::int64_t{1} << 31;

  /// Items [begin_, end_). A thread that wakes up too late for one is not waited for: it finds the
  /// batch's number and the items that are left in one word, and touches nothing else before it has
  /// taken one of them.
  void run_batch() {
    const std::uint64_t count = static_cast<std::uint64_t>(end_ - begin_);
    unfinished_.store(static_cast<std::uint32_t>(count), std::memory_order_relaxed);
    const std::uint64_t number = (open_.load(std::memory_order_relaxed) >> 32) + 1;
    open_.store(number << 32 | count, std::memory_order_release);
    if (!threads_.empty() && count > 1) announce();
    take(0);
    if (spin([this] { return unfinished_.load(std::memory_order_acquire) == 0; })) return;
    std::uint32_t left = unfinished_.load(std::memory_order_acquire);
    while (left != 0) {
      unfinished_.wait(left);
      left = unfinished_.load(std::memory_order_acquire);
    }
  }

  void start(int workers) {
    for (int worker = 1; worker < workers; ++worker) {
      threads_.emplace_back([this, worker] { serve(worker); });
    }
  }

  void close() {
    closing_.store(true, std::memory_order_release);
    announce();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  void announce() {
    batch_.fetch_add(1);
    batch_.notify_all();
  }

  /// Waits for a while without sleeping: to be woken up takes longer than a row or two. False where
  /// `ready` did not come true.
  template <class Ready>
  static bool spin(Ready ready) {
    if (ready()) return true;  // as it is where one thread does all: the clock is not asked
    constexpr auto LONGEST = std::chrono::microseconds(100);
    const auto last = std::chrono::steady_clock::now() + LONGEST;
    while (std::chrono::steady_clock::now() < last) {
      for (int i = 0; i < 32; ++i) {
        if (ready()) return true;
#if defined(__x86_64__) && defined(__GNUC__)
        __builtin_ia32_pause();
#endif
      }
    }
    return false;
  }

  void take(int worker) {
    std::uint64_t open = open_.load(std::memory_order_acquire);
    for (;;) {
      const std::uint64_t left = open & 0xffffffffu;
      if (left == 0) return;
      if (!open_.compare_exchange_weak(open, open - 1, std::memory_order_acq_rel,
                                       std::memory_order_acquire)) {
        continue;
      }
      call(worker, end_ - static_cast<std::int64_t>(left));
      if (unfinished_.fetch_sub(1) == 1 && worker != 0) unfinished_.notify_one();
      open = open_.load(std::memory_order_acquire);
    }
  }

  void call(int worker, std::int64_t i) {
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

  void serve(int worker) {
    for (std::uint32_t seen = 0; !closing_.load(std::memory_order_acquire);) {
      if (!spin([&] { return batch_.load(std::memory_order_acquire) != seen; })) {
        batch_.wait(seen, std::memory_order_acquire);
      }
      seen = batch_.load(std::memory_order_acquire);
      take(worker);
    }
  }

  std::vector<std::thread> threads_;
  // What threads wait for, and what they read of a batch, in a line of its own.
  alignas(64) std::atomic<std::uint32_t> batch_{0};  ///< counts announcements
  std::atomic<bool> closing_{false};
  std::atomic<std::uint64_t> open_{0};  ///< the batch's number, 32 bits, and the items left
  Call call_ = nullptr;
  void* target_ = nullptr;
  std::int64_t begin_ = 0;
  std::int64_t end_ = 0;
  alignas(64) std::atomic<std::uint32_t> unfinished_{0};
  std::mutex mutex_;  ///< of the failure
  std::exception_ptr failure_;
  std::int64_t failed_ = 0;  ///< the item that threw it
};

}  // namespace logitchain::inline v0::detail
