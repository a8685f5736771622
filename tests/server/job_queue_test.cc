#include "server/job_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <latch>
#include <mutex>

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
  queue.submit(job("a", "a1"));
  queue.submit(job("b", "b1"));
  try {
    queue.submit(job("c", "c1"));
    FAIL() << "the third was taken";
  } catch (const HttpError& error) {
    EXPECT_EQ(error.status(), 429);
    EXPECT_FALSE(error_answer(error).headers.empty()) << "no Retry-After";
  }
  gate_.open();
  log_.wait_for(2);
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
