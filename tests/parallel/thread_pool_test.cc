#include "parallel/thread_pool.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace whereof::parallel
