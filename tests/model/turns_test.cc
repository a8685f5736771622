// Who computes when: joint turns and blocks, without anything to compute. What would starve or be
// forgotten does not end here.
#include "model/turns.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "whereof/error.h"

namespace whereof::model {
namespace {

// Takes part in joint turns, as a context would.
class Member {
 public:
  explicit Member(Turns& turns) : turns_(turns) {}

  // Returns how many entries were computed with this one.
  std::int64_t step(std::int64_t rows = 1, std::stop_token stop = {}) {
    std::int64_t company = 0;
    JointEntry entry;
    entry.owner = this;
    entry.rows = rows;
    entry.work = &company;
    entry.stop = std::move(stop);
    turns_.run_joint(entry, [this](std::vector<JointEntry*> entries) {
      for (JointEntry* one : entries) {
        *static_cast<std::int64_t*>(one->work) = std::ssize(entries);
        turns_.finish(*one, nullptr);
      }
    });
    return company;
  }

 private:
  Turns& turns_;
};

// Loops of the pool until it is told to end.
void run_block(Turns& turns, std::stop_token stop, const std::atomic<bool>& is_ended,
               std::atomic<int>& loops) {
  turns.run_block(std::move(stop), [&] {
    while (!is_ended) {
      parallel::ThreadPool::process().for_each(8, 0, [](std::int64_t, int) {});
      ++loops;
    }
  });
}

TEST(Turns, ThoseWhoComeMeanwhileAreComputedTogether) {
  Turns turns(8);
  std::atomic<bool> has_company{false};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      Member member(turns);
      while (!has_company) {
        if (member.step() > 1) has_company = true;
      }
    });
  }
  threads.clear();
  EXPECT_GT(turns.joint_turns(), 0);
}

TEST(Turns, NoJointTurnHasMoreRowsThanThereIsRoomFor) {
  Turns turns(4);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 5; ++i) {
    threads.emplace_back([&] {
      Member member(turns);
      for (int step = 0; step < 50; ++step) EXPECT_LE(member.step(2), 2);
    });
  }
}

TEST(Turns, NeitherABlockNorJointTurnsStarve) {
  Turns turns(8);
  std::atomic<bool> is_ended{false};
  std::atomic<int> loops{0};
  std::atomic<int> steps{0};
  std::jthread blocks([&] {
    while (!is_ended) {
      const int wanted = loops + 3;
      turns.run_block({}, [&] {
        while (loops < wanted) {
          parallel::ThreadPool::process().for_each(8, 0, [](std::int64_t, int) {});
          ++loops;
        }
      });
    }
  });
  std::jthread endless([&] { run_block(turns, {}, is_ended, loops); });
  std::vector<std::jthread> members;
  for (int i = 0; i < 3; ++i) {
    members.emplace_back([&] {
      Member member(turns);
      while (!is_ended) {
        member.step();
        ++steps;
      }
    });
  }
  while (steps < 200 || loops < 200) std::this_thread::yield();
  is_ended = true;
}

TEST(Turns, AStoppedEntryAndAStoppedBlockLeaveTheLine) {
  Turns turns(8);
  std::atomic<bool> is_ended{false};
  std::atomic<int> loops{0};
  std::stop_source stop;
  std::jthread endless(
      [&] { EXPECT_THROW(run_block(turns, stop.get_token(), is_ended, loops), Error); });
  while (loops == 0) std::this_thread::yield();
  std::stop_source stopped;
  stopped.request_stop();
  Member member(turns);
  EXPECT_THROW(member.step(1, stopped.get_token()), Error);
  EXPECT_THROW(run_block(turns, stopped.get_token(), is_ended, loops), Error);
  EXPECT_EQ(member.step(), 1) << "the running block made room";
  stop.request_stop();
  endless.join();
  EXPECT_EQ(member.step(), 1);
}

TEST(Turns, ABlockThatFailsAndAnEntryThatFailsAreTheirOwn) {
  Turns turns(8);
  EXPECT_THROW(turns.run_block({}, [] { throw std::runtime_error("block"); }), std::runtime_error);
  JointEntry entry;
  EXPECT_THROW(turns.run_joint(entry,
                               [&](std::vector<JointEntry*> entries) {
                                 turns.finish(*entries[0],
                                              std::make_exception_ptr(std::runtime_error("entry")));
                               }),
               std::runtime_error);
  EXPECT_EQ(Member(turns).step(), 1);
}

}  // namespace
}  // namespace whereof::model
