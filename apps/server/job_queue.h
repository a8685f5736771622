// Requests that compute: a few run at once, the others wait their turn.
#ifndef WHEREOF_SERVER_JOB_QUEUE_H_
#define WHEREOF_SERVER_JOB_QUEUE_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace whereof::server {

// What a job is told of its run.
struct JobRun {
  std::stop_token stop;
  // Whether no other job has run beside it so far; times of others say little of the machine.
  std::function<bool()> is_alone;
};

struct Job {
  std::string client;  // whose turn it is goes round the clients that wait
  // Of the exchange. A job that is stopped while it waits gives up its place at once and is
  // dropped; one that runs is told by JobRun::stop.
  std::stop_token stop;
  std::function<void(const JobRun&)> work;  // must not throw
  // How many jobs have to end before it can begin, told when it comes to wait and when that
  // changes; may be empty. Must not throw; any thread. Not called once it runs, but for a call that
  // is under way.
  std::function<void(std::size_t ahead)> on_ahead;
};

// Any thread.
class JobQueue {
 public:
  JobQueue(std::size_t slots, std::size_t most_waiting);
  // What waits is dropped, what runs is stopped and waited for.
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  // Throws HttpError(429) when most_waiting jobs wait already.
  void submit(Job job);
  std::size_t running() const;
  std::size_t waiting() const;

 private:
  struct Entry;
  using EntryPtr = std::shared_ptr<Entry>;
  using Notices = std::vector<std::pair<EntryPtr, std::size_t>>;

  void work();
  EntryPtr take_next();                 // of the client whose turn it is; mutex_ is held
  void give_up(const EntryPtr& entry);  // it was stopped
  Notices notices() const;              // mutex_ is held
  static void tell(const Notices& notices);

  const std::size_t most_waiting_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::deque<EntryPtr>> waiting_of_;  // by client; none is empty
  std::deque<std::string> turns_;                           // clients that wait, the next one first
  std::size_t waiting_ = 0;
  std::size_t running_ = 0;
  std::uint64_t starts_ = 0;  // of jobs so far
  bool is_ending_ = false;
  std::stop_source ending_;
  std::vector<std::thread> slots_;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_JOB_QUEUE_H_
