// Whose turn it is to compute: blocks of one context at a time, or the few rows of several.
//
// A thread that wants a few rows puts them in line. The first in line leads: it waits a moment for
// those who were in the last joint turn and have not come back, since they are choosing their next
// tokens; then, where a block runs, until it has run for as long as the last joint turn took; then
// it has the block pause (parallel::Interruption), computes all that stand in line, and the block
// goes on. So a joint turn waits at most kLongestWait for those who are late, and kLongestShare and
// one item of work for a block; a block gets half of the time or more, but where a joint turn takes
// longer than kLongestShare.
//
// It knows nothing of what is computed.
#ifndef WHEREOF_MODEL_TURNS_H_
#define WHEREOF_MODEL_TURNS_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <vector>

#include "parallel/thread_pool.h"

namespace whereof::model {

// Few rows that a thread stands in line with.
struct JointEntry {
  const void* owner = nullptr;  // one entry of an owner stands in line at a time
  std::int64_t rows = 0;
  void* work = nullptr;  // known to who computes
  std::stop_token stop;

  // Of the line.
  bool is_taken = false;
  bool is_done = false;
  std::exception_ptr failure;
};

class Turns {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kLongestWait{20};
  static constexpr std::chrono::milliseconds kLongestShare{50};

  // Joint turns of at most so many rows; an entry of more goes alone.
  explicit Turns(std::int64_t most_rows) : most_rows_(most_rows) {}

  // Runs work on this thread when it is this block's turn; loops of the pool in it may pause.
  // Throws what work throws, and Error(cancelled) where it is stopped, also in the midst of it.
  void run_block(std::stop_token stop, const std::function<void()>& work);

  // Returns when the entry was computed, by run() of this thread or of another with several
  // entries. Throws the entry's failure; Error(cancelled) where it is stopped before its turn.
  // run() must not throw: it calls finish() for each entry, in any order.
  void run_joint(JointEntry& entry, const std::function<void(std::vector<JointEntry*>)>& run);

  // Within run(): lets the entry's thread go on.
  void finish(JointEntry& entry, std::exception_ptr failure);

  // The owner comes back no more.
  void leave(const void* owner);

  std::int64_t joint_turns() const;
  std::int64_t blocks() const;
  std::int64_t pauses() const;

 private:
  // A block on its way: what makes its loops pause.
  class RunningBlock;

  void lead(std::unique_lock<std::mutex>& lock,
            const std::function<void(std::vector<JointEntry*>)>& run);
  void wait_for_late_ones(std::unique_lock<std::mutex>& lock);
  void wait_for_turn(std::unique_lock<std::mutex>& lock);
  std::vector<JointEntry*> take_entries();
  void pause_block(const std::stop_token& stop);
  void begin_share();
  bool may_start_block(const void* ticket) const;

  const std::int64_t most_rows_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<JointEntry*> line_;
  std::vector<const void*> late_;  // owners in the last joint turn who have not come back
  std::deque<const void*> waiting_blocks_;
  bool is_leading_ = false;  // a thread leads, from its waiting on
  bool is_joint_running_ = false;
  bool is_block_running_ = false;
  bool is_block_paused_ = false;
  bool wants_pause_ = false;
  std::atomic<bool> wants_interruption_{false};  // a pause, or the stop of the running block
  Clock::time_point joint_end_{};
  Clock::duration joint_duration_{};  // at most kLongestShare
  bool has_block_begun_ = false;      // or gone on, since the last joint turn
  Clock::time_point share_end_{};     // of the blocks, once one has
  std::int64_t joint_turns_ = 0;
  std::int64_t blocks_ = 0;
  std::int64_t pauses_ = 0;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_TURNS_H_
