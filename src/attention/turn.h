// Blocks that add to the same sums do so in the order of their numbers, so that the bits do not
// depend on the number of threads.
//
// Each block walks its keys upwards and waits, tile by tile, for the one before it alone. That is
// enough: keys that a block on either side of it sees, a block sees too (neither end of what rows
// see ever falls, visibility.h), so it has itself waited for them.
#ifndef WHEREOF_ATTENTION_TURN_H_
#define WHEREOF_ATTENTION_TURN_H_

#include <atomic>
#include <cstdint>
#include <limits>
#include <thread>

namespace whereof::attention {

// How far a block has come: it will add nothing more to the keys before this one.
using Progress = std::atomic<std::int64_t>;

// One block's turn; when it ends, the block has added all that it will. `before` is null for the
// first block. Whoever waits must have been begun after what it waits for.
class Turn {
 public:
  Turn(const Progress* before, Progress& own) noexcept : before_(before), own_(own) {}
  ~Turn() { own_.store(kEverything, std::memory_order_release); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  void wait(std::int64_t key_end) const noexcept {
    if (before_ == nullptr) return;
    while (before_->load(std::memory_order_acquire) < key_end) std::this_thread::yield();
  }
  // For a block that adds nothing: the ones behind it rely on its having waited.
  void wait_for_all() const noexcept { wait(kEverything); }
  void pass(std::int64_t key_end) noexcept {
    if (!is_held_) own_.store(key_end, std::memory_order_release);
  }
  // The block will walk the keys more than once: nothing is passed until the end.
  void hold() noexcept { is_held_ = true; }

 private:
  static constexpr std::int64_t kEverything = std::numeric_limits<std::int64_t>::max();

  const Progress* before_;
  Progress& own_;
  bool is_held_ = false;
};

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_TURN_H_
