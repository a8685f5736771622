#include "model/turns.h"

#include <algorithm>
#include <utility>

#include "whereof/error.h"

namespace whereof::model {
namespace {

[[noreturn]] void throw_stopped() { throw Error(ErrorKind::cancelled, "reading was stopped"); }

}  // namespace

class Turns::RunningBlock final : public parallel::Interruption {
 public:
  RunningBlock(Turns& turns, std::stop_token stop)
      : turns_(turns),
        stop_(std::move(stop)),
        on_stop_(stop_, [this] { turns_.wants_interruption_.store(true); }),
        interruptible_(*this) {}

  bool is_wanted() const noexcept override {
    return turns_.wants_interruption_.load(std::memory_order_relaxed);
  }
  void run() override { turns_.pause_block(stop_); }

 private:
  Turns& turns_;
  std::stop_token stop_;
  std::stop_callback<std::function<void()>> on_stop_;
  parallel::Interruptible interruptible_;
};

void Turns::begin_share() {
  if (has_block_begun_) return;
  has_block_begun_ = true;
  share_end_ = Clock::now() + joint_duration_;
  changed_.notify_all();
}

void Turns::pause_block(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (wants_pause_ && !stop.stop_requested()) {
    is_block_paused_ = true;
    ++pauses_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !wants_pause_; });
    is_block_paused_ = false;
    begin_share();
  }
  wants_interruption_.store(false);
  if (stop.stop_requested()) throw_stopped();
}

bool Turns::may_start_block(const void* ticket) const {
  if (is_block_running_ || is_joint_running_ || waiting_blocks_.front() != ticket) return false;
  return !is_leading_ || !has_block_begun_ || Clock::now() < share_end_;
}

void Turns::run_block(std::stop_token stop, const std::function<void()>& work) {
  {
    const std::stop_callback on_stop(stop, [this] {
      const std::lock_guard lock(mutex_);
      changed_.notify_all();
    });
    std::unique_lock lock(mutex_);
    const void* ticket = &work;
    waiting_blocks_.push_back(ticket);
    changed_.wait(lock, [&] { return stop.stop_requested() || may_start_block(ticket); });
    std::erase(waiting_blocks_, ticket);
    if (stop.stop_requested()) {
      changed_.notify_all();
      lock.unlock();
      throw_stopped();
    }
    is_block_running_ = true;
    wants_interruption_.store(false);
    ++blocks_;
    begin_share();
  }
  std::exception_ptr failure;
  try {
    RunningBlock running(*this, stop);
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    is_block_running_ = false;
    wants_interruption_.store(false);
    changed_.notify_all();
  }
  if (failure) std::rethrow_exception(failure);
}

void Turns::run_joint(JointEntry& entry, const std::function<void(std::vector<JointEntry*>)>& run) {
  const std::stop_callback on_stop(entry.stop, [this] {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  });
  std::unique_lock lock(mutex_);
  line_.push_back(&entry);
  std::erase(late_, entry.owner);
  changed_.notify_all();
  while (!entry.is_done) {
    if (entry.is_taken) {
      changed_.wait(lock);
    } else if (entry.stop.stop_requested()) {
      std::erase(line_, &entry);
      changed_.notify_all();
      lock.unlock();
      throw_stopped();
    } else if (!is_leading_ && line_.front() == &entry) {
      lead(lock, run);
    } else {
      changed_.wait(lock);
    }
  }
  lock.unlock();
  if (entry.failure) std::rethrow_exception(entry.failure);
}

void Turns::lead(std::unique_lock<std::mutex>& lock,
                 const std::function<void(std::vector<JointEntry*>)>& run) {
  is_leading_ = true;
  wait_for_late_ones(lock);
  wait_for_turn(lock);
  const std::vector<JointEntry*> entries = take_entries();
  if (!entries.empty()) {
    is_joint_running_ = true;
    late_.clear();
    for (const JointEntry* entry : entries) late_.push_back(entry->owner);
    ++joint_turns_;
    lock.unlock();
    const Clock::time_point begin = Clock::now();
    run(entries);
    lock.lock();
    joint_end_ = Clock::now();
    joint_duration_ = std::min<Clock::duration>(joint_end_ - begin, kLongestShare);
    is_joint_running_ = false;
    has_block_begun_ = false;
  }
  is_leading_ = false;
  wants_pause_ = false;
  changed_.notify_all();
}

void Turns::wait_for_late_ones(std::unique_lock<std::mutex>& lock) {
  const auto until = joint_end_ + std::min<Clock::duration>(joint_duration_ / 2, kLongestWait);
  changed_.wait_until(lock, until, [&] { return late_.empty(); });
  late_.clear();
}

void Turns::wait_for_turn(std::unique_lock<std::mutex>& lock) {
  while (is_block_running_ || !waiting_blocks_.empty()) {
    if (!has_block_begun_) {
      changed_.wait(lock);
    } else if (Clock::now() < share_end_) {
      changed_.wait_until(lock, share_end_);
    } else {
      break;
    }
  }
  if (!is_block_running_) return;
  wants_pause_ = true;
  wants_interruption_.store(true);
  changed_.wait(lock, [&] { return is_block_paused_ || !is_block_running_; });
}

std::vector<JointEntry*> Turns::take_entries() {
  std::vector<JointEntry*> entries;
  std::int64_t rows = 0;
  while (!line_.empty()) {
    JointEntry* entry = line_.front();
    if (!entries.empty() && rows + entry->rows > most_rows_) break;
    line_.pop_front();
    entry->is_taken = true;
    rows += entry->rows;
    entries.push_back(entry);
  }
  return entries;
}

void Turns::finish(JointEntry& entry, std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  entry.failure = std::move(failure);
  entry.is_done = true;
  changed_.notify_all();
}

void Turns::leave(const void* owner) {
  const std::lock_guard lock(mutex_);
  if (std::erase(late_, owner) > 0) changed_.notify_all();
}

std::int64_t Turns::joint_turns() const {
  const std::lock_guard lock(mutex_);
  return joint_turns_;
}

std::int64_t Turns::blocks() const {
  const std::lock_guard lock(mutex_);
  return blocks_;
}

std::int64_t Turns::pauses() const {
  const std::lock_guard lock(mutex_);
  return pauses_;
}

}  // namespace whereof::model
