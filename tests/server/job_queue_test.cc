#include "server/job_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>

#include "server/http_error.h"

namespace whereof::server {
namespace {

// A gate that jobs wait at until it is opened, or until they are stopped.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  void pass(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop, [this] { return is_open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool is_open_ = false;
};

// What jobs did, in the order they did it.
class Log {
 public:
  void add(std::string line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
    changed_.notify_all();
  }
  std::vector<std::string> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return lines_.size() >= count; });
    return lines_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
};

class Queue : public testing::Test {
 protected:
  // Keeps the one slot of a queue busy until the gate opens.
  void block(JobQueue& queue) {
    auto started = std::make_shared<std::latch>(1);
    queue.submit({.client = "first",
                  .stop = {},
                  .work =
                      [this, started](const JobRun& run) {
                        started->count_down();
                        gate_.pass(run.stop);
                      },
                  .on_ahead = {}});
    started->wait();
  }
  // The seconds that it was told to come again after; 0: it was taken.
  static std::int64_t told(JobQueue& queue, Job job) {
    try {
      queue.submit(std::move(job));
      return 0;
    } catch (const BusyError& error) {
      EXPECT_EQ(error.status(), 429);
      const auto headers = error_answer(error).headers;
      EXPECT_EQ(headers.size(), 1U);
      EXPECT_EQ(headers.front(), std::make_pair(std::string("Retry-After"),
                                                std::to_string(error.retry_after().count())));
      return error.retry_after().count();
    }
  }
  static void wait_until(const std::function<bool()>& holds) {
    while (!holds()) std::this_thread::yield();
  }
  Job job(std::string client, std::string name, std::stop_token stop = {}) {
    return {.client = std::move(client),
            .stop = std::move(stop),
            .work = [this, name](const JobRun&) { log_.add(name); },
            .on_ahead = {}};
  }

  Log log_;  // outlives the queue of a test
  Gate gate_;
};

TEST_F(Queue, GoesRoundTheClients) {
  JobQueue queue(1, 64);
  block(queue);
  for (const char* name : {"a1", "a2", "a3", "a4"}) queue.submit(job("a", name));
  for (const char* name : {"b1", "b2"}) queue.submit(job("b", name));
  queue.submit(job("c", "c1"));
  EXPECT_EQ(queue.waiting(), 7U);
  gate_.open();
  EXPECT_EQ(log_.wait_for(7), (std::vector<std::string>{"a1", "b1", "c1", "a2", "b2", "a3", "a4"}));
}

TEST_F(Queue, RefusesWhatIsTooMuchWith429) {
  JobQueue queue(1, 2);
  block(queue);
  EXPECT_EQ(told(queue, job("a", "a1")), 0);
  EXPECT_EQ(told(queue, job("b", "b1")), 0);
  EXPECT_GT(told(queue, job("c", "c1")), 0);
  gate_.open();
  log_.wait_for(2);
}

TEST_F(Queue, WithoutRoomToWaitAFreeSlotStillTakesAJob) {
  JobQueue queue(1, 0);
  block(queue);
  EXPECT_GT(told(queue, job("a", "a1")), 0);
  gate_.open();
  wait_until([&] { return queue.running() == 0; });
  EXPECT_EQ(told(queue, job("a", "a1")), 0);
  EXPECT_EQ(log_.wait_for(1), std::vector<std::string>{"a1"});
}

// Jobs of one slot, each of which ends when it is told to.
class Refused : public Queue {
 protected:
  Refused() : queue_(1, 3, [this] { return now_.load(); }) {}
  ~Refused() override { step_.release(16); }

  Job stepped(std::string client) {
    return {.client = client,
            .stop = {},
            .work =
                [this, client](const JobRun&) {
                  log_.add(client);
                  step_.acquire();
                },
            .on_ahead = {}};
  }
  std::int64_t come(std::string client) {
    const std::int64_t seconds = told(queue_, stepped(std::move(client)));
    wait_until([&] { return queue_.running() == 1; });
    return seconds;
  }
  // The running job ends after this time, the next one begins.
  void end_one(std::chrono::seconds after) {
    now_ = now_.load() + after;
    const std::size_t waiting = queue_.waiting();
    step_.release();
    wait_until([&] { return queue_.waiting() < waiting && queue_.running() == 1; });
  }

  std::atomic<JobQueue::Clock::time_point> now_ = JobQueue::Clock::time_point();
  std::counting_semaphore<> step_{0};
  JobQueue queue_;
};

TEST_F(Refused, ComesBeforeWhoCameLater) {
  for (const char* client : {"a", "b", "c", "d"}) EXPECT_EQ(come(client), 0);
  EXPECT_GT(come("first"), 0);
  EXPECT_GT(come("second"), 0);
  end_one(std::chrono::seconds(1));
  EXPECT_GT(come("late"), 0) << "took the place of who was refused before";
  EXPECT_GT(come("second"), 0);
  EXPECT_EQ(come("first"), 0);
  end_one(std::chrono::seconds(1));
  EXPECT_GT(come("late"), 0);
  EXPECT_EQ(come("second"), 0);
  end_one(std::chrono::seconds(1));
  EXPECT_EQ(come("late"), 0);
  EXPECT_GT(come("first"), 0) << "its place was kept though it had been served";
}

TEST_F(Refused, IsToldAboutWhenThereWillBeRoom) {
  for (const char* client : {"a", "b", "c", "d"}) EXPECT_EQ(come(client), 0);
  end_one(std::chrono::seconds(8));
  EXPECT_EQ(come("e"), 0);
  EXPECT_EQ(come("one ahead"), 8);
  EXPECT_EQ(come("two ahead"), 16);
  EXPECT_EQ(come("one ahead"), 8) << "asking again costs no place";
  for (int i = 0; i < 20; ++i) come("other " + std::to_string(i));
  EXPECT_EQ(come("far ahead"), 60);
  end_one(std::chrono::seconds(2));  // a job takes 5 seconds by now
  EXPECT_EQ(come("two ahead"), 5);
}

TEST_F(Refused, WhoDoesNotComeAgainLosesItsPlace) {
  for (const char* client : {"a", "b", "c", "d"}) EXPECT_EQ(come(client), 0);
  const std::int64_t seconds = come("gone");
  end_one(std::chrono::seconds(seconds));
  EXPECT_GT(come("late"), 0);
  now_ = now_.load() + std::chrono::seconds(seconds / 2 + 7);
  EXPECT_EQ(come("late"), 0);
}

TEST_F(Refused, KeptPlacesLeaveNoSlotIdle) {
  for (const char* client : {"a", "b", "c", "d"}) EXPECT_EQ(come(client), 0);
  for (int i = 0; i < 1100; ++i) EXPECT_GT(come("gone " + std::to_string(i)), 0);
  for (int i = 0; i < 3; ++i) end_one(std::chrono::seconds(0));
  EXPECT_EQ(queue_.waiting(), 0U);
  EXPECT_EQ(come("new"), 0);
  EXPECT_GT(come("newer"), 0) << "places are kept beside what keeps the slot busy";
}

TEST_F(Queue, TellsHowManyAreAhead) {
  JobQueue queue(1, 64);
  block(queue);
  const auto watched = [&](const char* client, const char* name) {
    Job watching = job(client, name);
    watching.on_ahead = [this, name](std::size_t ahead) {
      log_.add(std::string(name) + " " + std::to_string(ahead));
    };
    return watching;
  };
  queue.submit(watched("a", "a1"));
  queue.submit(watched("a", "a2"));
  queue.submit(watched("b", "b1"));  // goes before a2
  EXPECT_EQ(log_.wait_for(3), (std::vector<std::string>{"a1 1", "a2 2", "b1 2"}));
  JobQueue idle(2, 64);
  idle.submit(watched("a", "idle"));
  const std::vector<std::string> lines = log_.wait_for(5);
  EXPECT_NE(std::find(lines.begin(), lines.end(), "idle 0"), lines.end());
  gate_.open();
  log_.wait_for(8);
}

TEST_F(Queue, OneThatLeavesGivesUpItsPlace) {
  JobQueue queue(1, 64);
  block(queue);
  std::stop_source left;
  auto held = std::make_shared<int>(0);
  Job leaving = job("a", "never", left.get_token());
  leaving.on_ahead = [held](std::size_t) {};
  queue.submit(std::move(leaving));
  queue.submit(job("a", "stays"));
  left.request_stop();
  EXPECT_EQ(queue.waiting(), 1U);
  EXPECT_EQ(held.use_count(), 1) << "what a job held goes with its place";
  gate_.open();
  EXPECT_EQ(log_.wait_for(1), std::vector<std::string>{"stays"});
}

TEST_F(Queue, OneThatHasLeftBeforeItCameIsNotRun) {
  JobQueue queue(1, 64);
  std::stop_source left;
  left.request_stop();
  queue.submit(job("a", "never", left.get_token()));
  queue.submit(job("a", "next"));
  EXPECT_EQ(log_.wait_for(1), std::vector<std::string>{"next"});
}

TEST_F(Queue, OneThatRunsIsToldToStop) {
  JobQueue queue(1, 64);
  std::stop_source left;
  std::latch started(1);
  queue.submit({.client = "a",
                .stop = left.get_token(),
                .work =
                    [&](const JobRun& run) {
                      started.count_down();
                      gate_.pass(run.stop);  // never opened
                      log_.add(run.stop.stop_requested() ? "stopped" : "went on");
                    },
                .on_ahead = {}});
  started.wait();
  left.request_stop();
  EXPECT_EQ(log_.wait_for(1), std::vector<std::string>{"stopped"});
}

TEST_F(Queue, ItsEndStopsWhatRunsAndDropsWhatWaits) {
  {
    JobQueue queue(1, 64);
    block(queue);  // the gate stays shut: only the stop ends it
    queue.submit(job("a", "never"));
  }
  log_.add("end");
  EXPECT_EQ(log_.wait_for(1), std::vector<std::string>{"end"});
}

TEST_F(Queue, AJobKnowsWhetherItWasAlone) {
  JobQueue queue(2, 64);
  std::latch first(1);
  queue.submit({.client = "a",
                .stop = {},
                .work =
                    [&](const JobRun& run) {
                      log_.add(run.is_alone() ? "alone" : "beside others");
                      first.count_down();
                      gate_.pass(run.stop);
                      log_.add(run.is_alone() ? "alone" : "beside others");
                    },
                .on_ahead = {}});
  first.wait();
  queue.submit({.client = "b",
                .stop = {},
                .work =
                    [&](const JobRun& run) {
                      log_.add(run.is_alone() ? "alone" : "beside others");
                      gate_.open();
                    },
                .on_ahead = {}});
  EXPECT_EQ(log_.wait_for(3),
            (std::vector<std::string>{"alone", "beside others", "beside others"}));
}

TEST_F(Queue, ManyComeAndLeaveAtOnce) {
  std::atomic<int> done = 0;
  constexpr int kThreads = 4, kJobs = 500;
  {
    JobQueue queue(3, 1 << 20);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < kJobs; ++i) {
          std::stop_source stop;
          queue.submit({.client = std::to_string((t + i) % 7),
                        .stop = stop.get_token(),
                        .work = [&](const JobRun&) { ++done; },
                        .on_ahead = [](std::size_t) {}});
          if (i % 3 == 0) stop.request_stop();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    while (queue.waiting() + queue.running() > 0) std::this_thread::yield();
  }
  EXPECT_LE(done, kThreads * kJobs);
  EXPECT_GE(done, kThreads * (kJobs - (kJobs + 2) / 3));
}

}  // namespace
}  // namespace whereof::server
