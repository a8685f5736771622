#include "job_queue.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "http_error.h"

namespace whereof::server {
namespace {

constexpr std::uint64_t kCountedJobs = 16;
// OpenAI's clients do not heed a longer one.
constexpr double kLongestRetry = 60;

}  // namespace

struct JobQueue::Entry {
  Job job;
  std::stop_source stop;
  bool is_waiting = false;  // under the queue's mutex
  std::optional<std::stop_callback<std::function<void()>>> on_client_stop;
};

JobQueue::JobQueue(std::size_t slots, std::size_t most_waiting,
                   std::function<Clock::time_point()> now)
    : most_waiting_(most_waiting), now_(std::move(now)) {
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
    check_room(entry->job.client);
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

// Of the room, what is left beside those that wait and those that were refused before is this
// client's; else it has to come again when as many jobs have begun as are too many.
void JobQueue::check_room(const std::string& client) {
  const Clock::time_point now = now_();
  const std::size_t before = refused_.before(client, now);
  const std::size_t held = waiting_ + running_;
  const std::size_t most = most_waiting_ + slots_.size();
  if (held < most && (held + before < most || waiting_ < slots_.size())) {
    return refused_.leave(client);
  }
  const auto too_many = static_cast<double>(held + before + 1 - most);
  const double seconds = too_many * job_seconds_ / static_cast<double>(slots_.size());
  const std::chrono::seconds told(
      static_cast<std::int64_t>(std::ceil(std::clamp(seconds, 1.0, kLongestRetry))));
  refused_.refuse(client, told, now);
  throw BusyError("queue_full",
                  std::to_string(waiting_) + " requests wait already, and " +
                      std::to_string(before) + " have been refused before; try again later",
                  told);
}

// A mean that forgets.
void JobQueue::count_job(Clock::duration time) {
  counted_ = std::min(counted_ + 1, kCountedJobs);
  const double seconds = std::chrono::duration<double>(time).count();
  job_seconds_ += (seconds - job_seconds_) / static_cast<double>(counted_);
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
    const Clock::time_point begin = now_();
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
    count_job(now_() - begin);
  }
}

// A client's i-th job comes after i rounds of the turns.
JobQueue::Notices JobQueue::notices() const {
  Notices all;
  std::vector<const std::deque<EntryPtr>*> of_turn;
  for (const std::string& client : turns_) of_turn.push_back(&waiting_of_.at(client));
  for (std::size_t turn = 0; turn < of_turn.size(); ++turn) {
    const std::deque<EntryPtr>& own = *of_turn[turn];
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (!own[i]->job.on_ahead) continue;
      std::size_t before = running_;
      for (std::size_t other = 0; other < of_turn.size(); ++other) {
        before += std::min(of_turn[other]->size(), i + (other < turn ? 1 : 0));
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
