#include "parallel/thread_pool.h"

#include <sched.h>

#include <cstdlib>
#include <utility>

namespace whereof::parallel {
namespace {

constexpr int kSpins = 2000;  // some ten microseconds

thread_local bool is_inside_body = false;
thread_local Interruption* interruption_of_thread = nullptr;

bool is_wanted(const Interruption* interruption) noexcept {
  return interruption != nullptr && interruption->is_wanted();
}

void pause_briefly() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Returns when `value` no longer is `old`: a short spin first, then a sleep in the kernel.
void wait_while(const std::atomic<std::uint32_t>& value, std::uint32_t old) noexcept {
  for (int i = 0; i < kSpins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause_briefly();
  }
  value.wait(old, std::memory_order_acquire);
}

int allowed_processors() {
  if (const char* asked = std::getenv("WHEREOF_THREADS")) {
    const int threads = std::atoi(asked);
    if (threads > 0 && threads <= 1024) return threads;
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::thread::hardware_concurrency());
}

}  // namespace

Interruptible::Interruptible(Interruption& interruption) noexcept {
  interruption_of_thread = &interruption;
}

Interruptible::~Interruptible() { interruption_of_thread = nullptr; }

ThreadPool& ThreadPool::process() {
  static ThreadPool pool(allowed_processors());
  return pool;
}

ThreadPool::ThreadPool(int threads) {
  for (int worker = 1; worker < threads; ++worker) {
    workers_.emplace_back([this, worker] { work(worker); });
  }
}

ThreadPool::~ThreadPool() {
  is_stopping_.store(true, std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run_items(const ItemFunction& body, int worker) {
  is_inside_body = true;
  try {
    while (!is_wanted(interruption_)) {
      const std::int64_t item = next_item_.fetch_add(1, std::memory_order_relaxed);
      if (item >= items_) break;
      body(item, worker);
    }
  } catch (...) {
    next_item_.store(items_, std::memory_order_relaxed);
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
  is_inside_body = false;
}

void ThreadPool::work(int worker) {
  std::uint32_t seen = 0;
  for (;;) {
    wait_while(generation_, seen);
    seen = generation_.load(std::memory_order_acquire);
    if (is_stopping_.load(std::memory_order_relaxed)) return;
    if (worker < active_threads_) run_items(*body_, worker);
    if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) running_.notify_one();
  }
}

std::int64_t ThreadPool::run_loop(std::int64_t begin, std::int64_t items, int threads,
                                  const ItemFunction& body, const Interruption* interruption) {
  const std::lock_guard lock(caller_mutex_);
  body_ = &body;
  interruption_ = interruption;
  items_ = items;
  active_threads_ = threads;
  next_item_.store(begin, std::memory_order_relaxed);
  running_.store(static_cast<std::uint32_t>(workers_.size()), std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  run_items(body, 0);
  for (std::uint32_t left = running_.load(std::memory_order_acquire); left != 0;
       left = running_.load(std::memory_order_acquire)) {
    wait_while(running_, left);
  }
  if (failure_) {
    const std::exception_ptr failure = std::exchange(failure_, nullptr);
    std::rethrow_exception(failure);
  }
  return next_item_.load(std::memory_order_relaxed);
}

void ThreadPool::for_each(std::int64_t items, int threads, ItemFunction body) {
  if (items <= 0) return;
  const int wanted = threads_for(threads);
  Interruption* const interruption = is_inside_body ? nullptr : interruption_of_thread;
  const bool runs_alone = is_inside_body || wanted == 1 || items == 1;
  for (std::int64_t next = 0; next < items;) {
    if (is_wanted(interruption)) interruption->run();
    if (runs_alone) {
      body(next++, 0);
    } else {
      next = run_loop(next, items, wanted, body, interruption);
    }
  }
}

}  // namespace whereof::parallel
