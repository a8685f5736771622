// A half-open range [begin, end): of bytes in a text, or of positions in a sequence.
#ifndef WHEREOF_SPAN_H_
#define WHEREOF_SPAN_H_

#include <cstdint>

namespace whereof {

struct Span {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  constexpr std::int64_t length() const noexcept { return end - begin; }
  constexpr bool is_empty() const noexcept { return end <= begin; }
  constexpr bool contains(std::int64_t at) const noexcept { return begin <= at && at < end; }
  constexpr bool overlaps(Span other) const noexcept {
    return begin < other.end && other.begin < end;
  }
  friend constexpr bool operator==(Span, Span) noexcept = default;
};

}  // namespace whereof

#endif  // WHEREOF_SPAN_H_
