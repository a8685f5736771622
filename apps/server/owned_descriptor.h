// A file descriptor that is closed with its owner.
#ifndef WHEREOF_SERVER_OWNED_DESCRIPTOR_H_
#define WHEREOF_SERVER_OWNED_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace whereof::server {

class OwnedDescriptor {
 public:
  OwnedDescriptor() = default;
  explicit OwnedDescriptor(int descriptor) : descriptor_(descriptor) {}
  OwnedDescriptor(OwnedDescriptor&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~OwnedDescriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int release() noexcept { return std::exchange(descriptor_, -1); }
  int get() const noexcept { return descriptor_; }
  explicit operator bool() const noexcept { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_OWNED_DESCRIPTOR_H_
