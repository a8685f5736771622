#include "job_queue.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "http_error.h"

namespace whereof::server {

struct JobQueue::Entry {
  Job job;
  std::stop_source stop;
  bool is_waiting = false;  // under the queue's mutex
  std::optional<std::stop_callback<std::function<void()>>> on_client_stop;
};

JobQueue::JobQueue(std::size_t slots, std::size_t most_waiting) : most_waiting_(most_waiting) {
  for (std::size_t i = 0; i < slots; ++i) slots_.emplace_back([this] { work(); });
}

JobQueue::~JobQueue() {
  std::map<std::string, std::deque<EntryPtr>> dropped;
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    dropped.swap(waiting_of_);
    turns_.clear();
    waiting_ = 0;
    for (const auto& [client, entries] : dropped) {
      for (const EntryPtr& entry : entries) entry->is_waiting = false;
    }
  }
  ending_.request_stop();
  changed_.notify_all();
  for (std::thread& slot : slots_) slot.join();
  // Their callbacks end here, while the queue that they look at is still there.
  for (const auto& [client, entries] : dropped) {
    for (const EntryPtr& entry : entries) entry->on_client_stop.reset();
  }
}

void JobQueue::submit(Job job) {
  auto entry = std::make_shared<Entry>();
  entry->job = std::move(job);
  // Before any slot can know of the entry; called at once where the client has left already.
  entry->on_client_stop.emplace(entry->job.stop, [this, weak = std::weak_ptr(entry)] {
    if (const EntryPtr stopped = weak.lock()) give_up(stopped);
  });
  Notices told;
  {
    const std::lock_guard lock(mutex_);
    if (is_ending_) throw HttpError(503, "server_ending", "the server is ending");
    if (waiting_ >= most_waiting_) {
      throw HttpError(429, "queue_full",
                      std::to_string(waiting_) + " requests wait already; try again later");
    }
    std::deque<EntryPtr>& own = waiting_of_[entry->job.client];
    if (own.empty()) turns_.push_back(entry->job.client);
    own.push_back(entry);
    entry->is_waiting = true;
    ++waiting_;
    for (auto& notice : notices()) {
      if (notice.first == entry) told.push_back(std::move(notice));
    }
  }
  changed_.notify_one();
  tell(told);
}

void JobQueue::give_up(const EntryPtr& entry) {
  entry->stop.request_stop();
  Notices told;
  {
    const std::lock_guard lock(mutex_);
    if (!entry->is_waiting) return;
    entry->is_waiting = false;
    const auto own = waiting_of_.find(entry->job.client);
    std::erase(own->second, entry);
    if (own->second.empty()) {
      std::erase(turns_, own->first);
      waiting_of_.erase(own);
    }
    --waiting_;
    told = notices();
  }
  tell(told);
}

JobQueue::EntryPtr JobQueue::take_next() {
  const std::string client = std::move(turns_.front());
  turns_.pop_front();
  const auto own = waiting_of_.find(client);
  EntryPtr next = std::move(own->second.front());
  own->second.pop_front();
  if (own->second.empty()) {
    waiting_of_.erase(own);
  } else {
    turns_.push_back(client);
  }
  next->is_waiting = false;
  --waiting_;
  return next;
}

void JobQueue::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_ending_ || waiting_ > 0; });
    if (is_ending_) return;
    EntryPtr entry = take_next();
    ++running_;
    const std::uint64_t started = ++starts_;
    const bool begins_alone = running_ == 1;
    const Notices told = notices();
    lock.unlock();
    tell(told);
    {
      const std::stop_callback ends(ending_.get_token(), [&] { entry->stop.request_stop(); });
      const auto is_alone = [&] {
        const std::lock_guard inner(mutex_);
        return begins_alone && starts_ == started;
      };
      if (!entry->stop.stop_requested()) {
        entry->job.work({entry->stop.get_token(), is_alone});
      }
      entry->on_client_stop.reset();
    }
    entry.reset();  // the job's exchange may end with it, which is no work for a lock
    lock.lock();
    --running_;
  }
}

// A client's i-th job comes after i rounds of the turns.
JobQueue::Notices JobQueue::notices() const {
  Notices all;
  for (std::size_t turn = 0; turn < turns_.size(); ++turn) {
    const std::deque<EntryPtr>& own = waiting_of_.at(turns_[turn]);
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (!own[i]->job.on_ahead) continue;
      std::size_t before = running_;
      for (std::size_t other = 0; other < turns_.size(); ++other) {
        before += std::min(waiting_of_.at(turns_[other]).size(), i + (other < turn ? 1 : 0));
      }
      all.emplace_back(own[i], before < slots_.size() ? 0 : before - slots_.size() + 1);
    }
  }
  return all;
}

void JobQueue::tell(const Notices& notices) {
  for (const auto& [entry, ahead] : notices) entry->job.on_ahead(ahead);
}

std::size_t JobQueue::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

std::size_t JobQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

}  // namespace whereof::server
