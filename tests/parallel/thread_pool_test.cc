#include "parallel/thread_pool.h"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

namespace whereof::parallel {
namespace {

TEST(ThreadPool, VisitsEachItemOnce) {
  ThreadPool pool(4);
  for (const std::int64_t items : {0, 1, 3, 4, 5, 1000}) {
    std::vector<std::atomic<int>> visits(static_cast<std::size_t>(items));
    pool.for_each(items, 0, [&](std::int64_t item, int worker) {
      EXPECT_GE(worker, 0);
      EXPECT_LT(worker, 4);
      ++visits[static_cast<std::size_t>(item)];
    });
    for (const auto& count : visits) EXPECT_EQ(count.load(), 1);
  }
}

TEST(ThreadPool, UsesNoMoreWorkersThanAskedFor) {
  ThreadPool pool(4);
  std::atomic<int> largest{0};
  pool.for_each(500, 2, [&](std::int64_t, int worker) {
    int seen = largest.load();
    while (worker > seen && !largest.compare_exchange_weak(seen, worker)) {
    }
  });
  EXPECT_LT(largest.load(), 2);
}

TEST(ThreadPool, RethrowsTheExceptionAndStaysUsable) {
  ThreadPool pool(3);
  EXPECT_THROW(pool.for_each(100, 0,
                             [](std::int64_t item, int) {
                               if (item == 7) throw std::runtime_error("seven");
                             }),
               std::runtime_error);
  std::atomic<int> sum{0};
  pool.for_each(10, 0, [&](std::int64_t item, int) { sum += static_cast<int>(item); });
  EXPECT_EQ(sum.load(), 45);
}

TEST(ThreadPool, ALoopInsideALoopRuns) {
  ThreadPool pool(3);
  std::atomic<int> count{0};
  pool.for_each(
      5, 0, [&](std::int64_t, int) { pool.for_each(7, 0, [&](std::int64_t, int) { ++count; }); });
  EXPECT_EQ(count.load(), 35);
}

TEST(ThreadPool, SeveralCallersTakeTurns) {
  ThreadPool pool(3);
  std::atomic<int> count{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        pool.for_each(20, 0, [&](std::int64_t, int) { ++count; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(count.load(), 4 * 50 * 20);
}

class Pause final : public Interruption {
 public:
  explicit Pause(std::function<void()> work) : work_(std::move(work)) {}
  bool is_wanted() const noexcept override { return is_wanted_; }
  void run() override {
    is_wanted_ = false;
    ++runs_;
    work_();
  }
  void want() { is_wanted_ = true; }
  int runs() const { return runs_; }

 private:
  std::function<void()> work_;
  std::atomic<bool> is_wanted_{false};
  int runs_ = 0;
};

TEST(ThreadPool, ALoopPausesBetweenItemsAndVisitsEachOnce) {
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    std::atomic<int> inside{0};
    std::vector<std::atomic<int>> visits(200);
    // Another thread's loop has the pool meanwhile.
    Pause pause([&] {
      EXPECT_EQ(inside, 0);
      std::atomic<int> count{0};
      std::jthread([&] { pool.for_each(10, 0, [&](std::int64_t, int) { ++count; }); }).join();
      EXPECT_EQ(count, 10);
    });
    const Interruptible interruptible(pause);
    pool.for_each(200, 0, [&](std::int64_t item, int) {
      ++inside;
      if (item % 40 == 7) pause.want();
      ++visits[static_cast<std::size_t>(item)];
      --inside;
    });
    EXPECT_GE(pause.runs(), 1);
    for (const auto& count : visits) EXPECT_EQ(count.load(), 1);
  }
}

TEST(ThreadPool, WhatAPauseThrowsEndsTheLoop) {
  ThreadPool pool(3);
  std::atomic<int> count{0};
  Pause pause([] { throw std::runtime_error("stop"); });
  const auto loop = [&] {
    const Interruptible interruptible(pause);
    pool.for_each(1000, 0, [&](std::int64_t item, int) {
      if (item == 5) pause.want();
      ++count;
    });
  };
  EXPECT_THROW(loop(), std::runtime_error);
  EXPECT_LT(count, 1000);
  pool.for_each(10, 0, [&](std::int64_t, int) { ++count; });
}

}  // namespace
}  // namespace whereof::parallel
