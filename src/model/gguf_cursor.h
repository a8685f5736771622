// Checked reading of a GGUF file's header: no count, length or offset is used before it was
// compared with what is left of the file.
#ifndef WHEREOF_MODEL_GGUF_CURSOR_H_
#define WHEREOF_MODEL_GGUF_CURSOR_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "text/in_quotes.h"
#include "whereof/error.h"

namespace whereof::model {

static_assert(std::endian::native == std::endian::little, "GGUF is read as it lies in memory");
static_assert(sizeof(std::size_t) == 8, "sizes of a mapped model need 64 bits");

enum class GgufValueType : std::uint32_t {
  uint8 = 0,
  int8 = 1,
  uint16 = 2,
  int16 = 3,
  uint32 = 4,
  int32 = 5,
  float32 = 6,
  boolean = 7,
  string = 8,
  array = 9,
  uint64 = 10,
  int64 = 11,
  float64 = 12,
};
constexpr std::uint32_t kLastValueType = 12;

// "uint8" and so on; "unknown" for a number that names no type.
std::string_view name_of(GgufValueType type) noexcept;
// Bytes of one value; 0 for strings, arrays and unknown types.
std::uint64_t fixed_bytes(GgufValueType type) noexcept;
bool is_known_tensor_type(std::uint32_t number) noexcept;

using text::in_quotes;

// Bytes are copied out, so the cursor stays inside the file even if the file changes meanwhile.
class GgufCursor {
 public:
  GgufCursor(std::string file_name, std::span<const std::byte> bytes)
      : file_name_(std::move(file_name)), bytes_(bytes) {}

  std::uint64_t position() const noexcept { return position_; }
  std::uint64_t remaining() const noexcept { return bytes_.size() - position_; }
  void move_to(std::uint64_t position) noexcept { position_ = position; }  // <= the file's size

  // What messages speak of, for example ("tensor", its name); both must outlive the reading.
  void speak_of(std::string_view subject, std::string_view name = {}) noexcept {
    subject_ = subject;
    name_ = name;
  }

  template <typename Number>
  Number number(std::string_view field) {
    Number value;
    std::memcpy(&value, take(sizeof(Number), field), sizeof(Number));
    return value;
  }
  // A length and as many bytes, inside the mapping. Error(bad_model) over max_bytes.
  std::string_view string(std::string_view field, std::uint64_t max_bytes = UINT64_MAX);
  // Skips count elements; element_bytes > 0.
  void skip(std::uint64_t count, std::uint64_t element_bytes, std::string_view field);
  // A count of things of which each takes at least element_bytes of the file.
  std::uint64_t count(std::string_view field, std::uint64_t element_bytes, std::uint64_t max_count);

  // "FILE: SUBJECT 'NAME': FIELD is FOUND, wanted WANTED"
  [[noreturn]] void fail(std::string_view field, std::string_view found, std::string_view wanted,
                         ErrorKind kind = ErrorKind::bad_model) const;

 private:
  const std::byte* take(std::uint64_t bytes, std::string_view field);

  std::string file_name_;
  std::span<const std::byte> bytes_;
  std::uint64_t position_ = 0;  // <= bytes_.size()
  std::string_view subject_;
  std::string_view name_;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_GGUF_CURSOR_H_
