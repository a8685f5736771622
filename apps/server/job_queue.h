// Requests that compute: a few run at once, the others wait their turn, and those for whom there is
// no room are told when to come again.
#ifndef WHEREOF_SERVER_JOB_QUEUE_H_
#define WHEREOF_SERVER_JOB_QUEUE_H_

#include <chrono>
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

#include "refused_line.h"

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
  using Clock = RefusedLine::Clock;

  // now: another clock, for tests.
  JobQueue(std::size_t slots, std::size_t most_waiting,
           std::function<Clock::time_point()> now = &Clock::now);
  // What waits is dropped, what runs is stopped and waited for.
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  // Throws BusyError when most_waiting jobs wait already, or as many as are left beside the places
  // that are kept for clients who were refused before this one. Kept places leave no slot idle:
  // while fewer jobs wait than there are slots, whoever comes is taken.
  void submit(Job job);
  std::size_t running() const;
  std::size_t waiting() const;

 private:
  struct Entry;
  using EntryPtr = std::shared_ptr<Entry>;
  using Notices = std::vector<std::pair<EntryPtr, std::size_t>>;

  void work();
  void check_room(const std::string& client);  // throws BusyError; mutex_ is held
  void count_job(Clock::duration time);        // mutex_ is held
  EntryPtr take_next();                        // of the client whose turn it is; mutex_ is held
  void give_up(const EntryPtr& entry);         // it was stopped
  Notices notices() const;                     // mutex_ is held
  static void tell(const Notices& notices);

  const std::size_t most_waiting_;
  const std::function<Clock::time_point()> now_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::deque<EntryPtr>> waiting_of_;  // by client; none is empty
  std::deque<std::string> turns_;                           // clients that wait, the next one first
  std::size_t waiting_ = 0;
  std::size_t running_ = 0;
  std::uint64_t starts_ = 0;   // of jobs so far
  std::uint64_t counted_ = 0;  // jobs that have ended
  double job_seconds_ = 5;     // of one, by the last few; before the first, a guess
  RefusedLine refused_;
  bool is_ending_ = false;
  std::stop_source ending_;
  std::vector<std::thread> slots_;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_JOB_QUEUE_H_
