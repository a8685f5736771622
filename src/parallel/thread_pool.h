// The process's one pool of threads.
//
// A worker that finds nothing to do waits a few microseconds for the next loop and then sleeps in
// the kernel: spinning beside another busy process costs whole scheduler quanta.
#ifndef WHEREOF_PARALLEL_THREAD_POOL_H_
#define WHEREOF_PARALLEL_THREAD_POOL_H_

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace whereof::parallel {

// A reference to a callable void(std::int64_t item, int worker); does not own it.
class ItemFunction {
 public:
  template <typename F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, ItemFunction>)
      ItemFunction(F&& callable)  // NOLINT: converts on purpose
      : object_(const_cast<void*>(static_cast<const void*>(&callable))),
        call_([](void* object, std::int64_t item, int worker) {
          (*static_cast<std::remove_reference_t<F>*>(object))(item, worker);
        }) {}
  void operator()(std::int64_t item, int worker) const { call_(object_, item, worker); }

 private:
  void* object_;
  void (*call_)(void*, std::int64_t, int);
};

// What makes a thread's loops pause between two items.
class Interruption {
 public:
  virtual ~Interruption() = default;
  // Asked by all threads of the pool before each item.
  virtual bool is_wanted() const noexcept = 0;
  // Called where it is wanted, on the thread that the loop was called on: no item runs then and the
  // pool is free for others. The loop goes on where it was, or ends with what this throws. Until it
  // returns, is_wanted() has become false.
  virtual void run() = 0;
};

// While it lives, the loops of its thread can be interrupted. Not one within another.
class Interruptible {
 public:
  explicit Interruptible(Interruption& interruption) noexcept;
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
};

class ThreadPool {
 public:
  // As many threads as processors that the process may use, the caller counted; the environment
  // variable WHEREOF_THREADS overrides it.
  static ThreadPool& process();

  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const noexcept { return static_cast<int>(workers_.size()) + 1; }
  // What an option "threads" means: 0 is all, more than there are is all.
  int threads_for(int asked) const noexcept {
    return asked <= 0 || asked > threads() ? threads() : asked;
  }

  // Calls body(item, worker) once for each item of 0 .. items-1, on at most `threads` threads
  // (0: all) with worker in 0 .. threads-1, items handed out in ascending order. Returns when all
  // are done. The first exception of a body is rethrown here; items not yet begun are then skipped.
  // Calls from several threads run one after another, but between the items of a thread that is
  // Interruptible; a call from inside a body runs on its own thread alone.
  void for_each(std::int64_t items, int threads, ItemFunction body);

 private:
  void work(int worker);
  void run_items(const ItemFunction& body, int worker);
  // Items begin, begin + 1, ...; returns the first that was left to do, by an interruption.
  std::int64_t run_loop(std::int64_t begin, std::int64_t items, int threads,
                        const ItemFunction& body, const Interruption* interruption);

  std::vector<std::thread> workers_;
  std::mutex caller_mutex_;
  std::atomic<std::uint32_t> generation_{0};
  std::atomic<std::uint32_t> running_{0};
  std::atomic<std::int64_t> next_item_{0};
  std::atomic<bool> is_stopping_{false};
  const ItemFunction* body_ = nullptr;
  const Interruption* interruption_ = nullptr;
  std::int64_t items_ = 0;
  int active_threads_ = 0;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
};

}  // namespace whereof::parallel

#endif  // WHEREOF_PARALLEL_THREAD_POOL_H_
