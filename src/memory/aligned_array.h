// Arrays for kernels: aligned to a cache line, not initialised, of trivial types.
#ifndef WHEREOF_MEMORY_ALIGNED_ARRAY_H_
#define WHEREOF_MEMORY_ALIGNED_ARRAY_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace whereof::memory {

constexpr std::size_t kAlignment = 64;

template <typename T>
class AlignedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedArray() = default;
  // Throws std::bad_alloc.
  explicit AlignedArray(std::int64_t size) : size_(size) {
    if (size <= 0) return;
    const std::size_t bytes =
        (static_cast<std::size_t>(size) * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    data_.reset(static_cast<T*>(std::aligned_alloc(kAlignment, bytes)));
    if (!data_) throw std::bad_alloc();
  }

  T* data() noexcept { return data_.get(); }
  const T* data() const noexcept { return data_.get(); }
  std::int64_t size() const noexcept { return size_; }
  T& operator[](std::int64_t i) noexcept { return data_.get()[i]; }
  const T& operator[](std::int64_t i) const noexcept { return data_.get()[i]; }

 private:
  struct Free {
    void operator()(T* memory) const noexcept { std::free(memory); }
  };
  std::unique_ptr<T, Free> data_;
  std::int64_t size_ = 0;
};

}  // namespace whereof::memory

#endif  // WHEREOF_MEMORY_ALIGNED_ARRAY_H_
