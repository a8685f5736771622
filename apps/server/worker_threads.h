// A few threads for what takes milliseconds: the loop's thread never waits for a disk.
#ifndef WHEREOF_SERVER_WORKER_THREADS_H_
#define WHEREOF_SERVER_WORKER_THREADS_H_

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace whereof::server {

class WorkerThreads {
 public:
  WorkerThreads(std::size_t threads, std::size_t most_waiting);
  // What waits is dropped, what runs is waited for.
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  // Any thread; tasks must not throw and start in the order of the calls. False when most_waiting
  // wait already: the task is not taken.
  bool run(std::function<void()> task);

 private:
  void work();

  const std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_WORKER_THREADS_H_
